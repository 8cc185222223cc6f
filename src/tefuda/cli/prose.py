"""Paragraphs in the terminal, broken where their language breaks lines; Rich breaks at blanks only."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

from tefuda.engine.texts import unbroken


class Prose:
    """Text that fills its lines.

    Args:
        text: with its styles; line ends in it are kept. Brackets in a plain string are no markup.
        style: of the whole.
    """

    def __init__(self, text: Text | str, style: str = "") -> None:
        self._text = text if isinstance(text, Text) else Text(text, style)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for paragraph in self._text.split(allow_blank=True):
            for line in paragraph.divide(_breaks(paragraph.plain, options.max_width)):
                line.rstrip()
                line.overflow = "fold"  # what is longer than a line, and has no place to break
                yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        text = self._text.plain
        return Measurement(
            max(map(cell_len, unbroken(text)), default=0), max(map(cell_len, text.splitlines()), default=0)
        )


def _breaks(text: str, width: int) -> Iterator[int]:
    """Where lines of this many columns begin, but for the first."""
    column = offset = 0
    for piece in unbroken(text):
        if column and not piece.isspace() and column + cell_len(piece) > width:
            yield offset
            column = 0
        column += cell_len(piece)
        offset += len(piece)
