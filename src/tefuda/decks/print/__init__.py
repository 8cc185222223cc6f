"""A deck on paper: sheets of cards to cut out, their backs, the rules on one page, a score sheet, a box."""

from tefuda.decks.print.sheets import Job, write
from tefuda.decks.print.tuck_box import write_box
from tefuda.decks.sizes import PAPERS, PaperError

__all__ = ["PAPERS", "Job", "PaperError", "write", "write_box"]
