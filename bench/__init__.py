"""Measures, each a command: ``python -m bench.accuracy``, ``python -m bench.document``, ``python -m bench.speed``.

Figures are printed last and kept in results/.
"""
