"""The report of a reading as one HTML file: pages with the votes drawn on them, tables beside, apparatus below."""

from variorum.report.html import write_report

__all__ = ["write_report"]
