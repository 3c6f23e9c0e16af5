"""Whole numbers as they are printed, of any length: what a page holds is not always a number that can be counted with."""

from __future__ import annotations

import sys


def whole_number(printed: str) -> int | None:
    """Return the number that decimal digits stand for, in any script.

    None for what is no such number (``²`` is a digit and none of these), and for more digits than Python reads under every
    setting: reading them would take long, or fail.
    """
    if not printed.isdecimal() or len(printed) > sys.int_info.str_digits_check_threshold:
        return None
    return int(printed)
