"""A deck on paper: sheets of cards to cut out, their backs, the rules on one page, a score sheet."""

from tefuda.decks.print.document import write
from tefuda.decks.print.job import Job
from tefuda.decks.print.paper import PAPERS, SIZES, PaperError

__all__ = ["PAPERS", "SIZES", "Job", "PaperError", "write"]
