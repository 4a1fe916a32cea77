"""The report of a result: one HTML file to look at, to mail and to print."""

from neardup.reports.build import Report, report
from neardup.reports.origins import OriginReport, origins
from neardup.reports.sheets import Sheet, sample

__all__ = ["OriginReport", "Report", "Sheet", "origins", "report", "sample"]
