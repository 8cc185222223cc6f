"""Drawing on the pages of a PDF: shapes as vectors, text in an embedded subset of the font."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from fpdf import FPDF

from tefuda.decks.fonts import typeface
from tefuda.decks.shapes import Command, Drawing, flattened
from tefuda.decks.svg import colour

PAPER = "#ffffff"
"""What ``paper`` is on paper."""

ALWAYS = datetime(2000, 1, 1, tzinfo=UTC)
"""Said to be the date of every file, so that the same deck is the same bytes."""

POINT = 72 / 25.4
"""Points in a millimetre."""


class Canvas:
    """A document that is written page by page, in millimetres."""

    def __init__(self, paper: tuple[float, float], inks: Mapping[str, str], title: str, language: str) -> None:
        self._pdf = FPDF(unit="mm", format=paper)
        self._pdf.set_auto_page_break(False)
        self._pdf.set_creation_date(ALWAYS)
        self._pdf.set_title(title)
        self._pdf.set_lang(language)
        self._pdf.set_producer("Tefuda")
        self._inks = {"paper": PAPER, **inks}

    def page(self) -> None:
        """Go on to a new page."""
        self._pdf.add_page()

    def use_fonts(self, fonts: Mapping[str, tuple[str, int, Iterable[str]]]) -> None:
        """Embed fonts: a name, and the language, weight and characters it stands for."""
        with TemporaryDirectory() as folder:
            for name, (language, weight, characters) in fonts.items():
                path = Path(folder) / f"{name}.ttf"
                path.write_bytes(typeface(language, weight).subset(characters))
                self._pdf.add_font(name, fname=path)

    def draw(self, parts: Drawing) -> None:
        """Draw shapes on the page.

        A sheet has thousands of outlines. They are written as PDF operators, which takes a tenth of the time of fpdf2's
        own paths; its only way to write operators is ``_out``, and so ``pyproject.toml`` allows one minor version.
        """
        height = self._pdf.h * POINT
        self._pdf._out(f"q {POINT:.6f} 0 0 {-POINT:.6f} 0 {height:.4f} cm 1 j 1 J")
        for part in parts:
            path, width = flattened(part)
            style = self._style(part.shape.fill, "rg") + self._style(part.shape.line, "RG")
            pen = f"{width:.3f} w " if part.shape.line else ""
            paint = {(True, False): "f", (False, True): "S", (True, True): "B"}
            done = paint.get((bool(part.shape.fill), bool(part.shape.line)), "n")
            self._pdf._out(f"{style}{pen}{_operators(path)} {done}")
        self._pdf._out("Q")

    def _style(self, ink: str, operator: str) -> str:
        if not ink:
            return ""
        return " ".join(f"{value / 255:.3f}" for value in bytes.fromhex(colour(ink, self._inks)[1:])) + f" {operator} "

    def text(self, x: float, y: float, text: str, font: str, size: float, grey: float = 0.0) -> None:
        """A line of text; its baseline is at y.

        Args:
            size: in millimetres.
            grey: 0 for black, 1 for white.
        """
        self._pdf.set_font(font, size=size * POINT)
        self._pdf.set_text_color(round(255 * grey))
        self._pdf.text(x, y, text)

    def upwards(self, x: float, y: float, text: str, font: str, size: float, grey: float = 0.0) -> None:
        """A line of text that runs from below upwards."""
        with self._pdf.rotation(90, x, y):
            self.text(x, y, text, font, size, grey)

    def written(self) -> bytes:
        """The whole document."""
        return bytes(self._pdf.output())


def _operators(path: Iterable[Command]) -> str:
    names = {"M": "m", "L": "l", "C": "c", "Z": "h"}
    written = ([*(f"{float(value):.3f}" for value in values), names[str(head)]] for head, *values in path)
    return " ".join(word for words in written for word in words)
