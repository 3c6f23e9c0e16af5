"""Signals of quality: what in a reading, or in the others beside it, lowers the confidence in it. None ever raises it."""

from variorum.fusion.signals.registry import SIGNAL_NAMES, SIGNALS, signals_of

__all__ = ["SIGNALS", "SIGNAL_NAMES", "signals_of"]
