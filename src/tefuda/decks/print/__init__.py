"""A deck on paper: sheets of cards to cut out, their backs, the rules on one page, a score sheet, a box."""

from tefuda.decks.paper import PAPERS, PaperError
from tefuda.decks.print.box import write_box
from tefuda.decks.print.document import write
from tefuda.decks.print.job import Job

__all__ = ["PAPERS", "Job", "PaperError", "write", "write_box"]
