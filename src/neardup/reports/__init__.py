"""The report of a result: one HTML file to look at, to mail and to print."""

from neardup.reports.build import Report, report

__all__ = ["Report", "report"]
