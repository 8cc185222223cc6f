"""The pages of a PDF: shapes as vectors, text in an embedded subset of the font."""

from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from tefuda.decks.fonts import BOLD, REGULAR, typeface
from tefuda.decks.shapes import Drawing, flattened
from tefuda.decks.sprite import colour

rl_config.useA85 = 0  # streams as bytes: letters would take a quarter more

PAPER = "#ffffff"
"""The colour of the ink ``paper`` on paper."""

POINT = 72 / 25.4  # points in a millimetre
ROUND = 1  # the shape of the ends and corners of lines, as PDF numbers it


class Canvas:
    """A document that is written page by page, in millimetres from the upper left corner; the same bytes every time.

    ``inks`` are colours by name; ``characters`` those of its texts, for the fonts ``text`` and ``strong``, which are
    embedded."""

    def __init__(
        self, paper: tuple[float, float], inks: Mapping[str, str], title: str, language: str, characters: str
    ) -> None:
        self._width, self._height = (side * POINT for side in paper)
        self._inks = {"paper": PAPER, **inks}
        weights = {"text": REGULAR, "strong": BOLD}
        self._fonts = {name: _registered(language, weight, characters) for name, weight in weights.items()}
        self._written = BytesIO()
        own = {"pageCompression": 1, "invariant": 1, "initialFontName": self._fonts["text"], "lang": language}
        self._pdf = canvas.Canvas(self._written, (self._width, self._height), **own)
        self._pdf.setTitle(title)
        self._pdf.setProducer("Tefuda")
        self._pdf.setCreator("Tefuda")
        self._pdf.setAuthor("")
        self._pdf.setSubject("")

    def next_page(self) -> None:
        """End this page."""
        self._pdf.showPage()

    def draw(self, parts: Drawing) -> None:
        """Draw shapes on the page."""
        self._pdf.saveState()
        self._pdf.transform(POINT, 0, 0, -POINT, 0, self._height)
        self._draw(parts)
        self._pdf.restoreState()

    def stamp(
        self, name: str, parts: Drawing, sides: tuple[float, float], spot: tuple[float, float], size: float = 1.0
    ) -> None:
        """Draw a card of this width and height, its corner on a spot of the page, scaled by ``size``.

        The document may show it more than once: its shapes are written the first time that it has this name."""
        if not self._pdf.hasForm(name):
            self._pdf.beginForm(name, -1, -1, sides[0] + 1, sides[1] + 1)
            self._draw(parts)
            self._pdf.endForm()
        x, y = (side * POINT for side in spot)
        self._pdf.saveState()
        self._pdf.transform(size * POINT, 0, 0, -size * POINT, x, self._height - y)
        self._pdf.doForm(name)
        self._pdf.restoreState()

    def _draw(self, parts: Drawing) -> None:
        self._pdf.setLineJoin(ROUND)
        self._pdf.setLineCap(ROUND)
        for part in parts:
            commands, width = flattened(part)
            path = self._pdf.beginPath()
            steps = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
            for head, *values in commands:
                steps[str(head)](*(round(float(value), 3) for value in values))
            if part.shape.fill:
                self._pdf.setFillColorRGB(*self._rgb(part.shape.fill))
            if part.shape.line:
                self._pdf.setStrokeColorRGB(*self._rgb(part.shape.line))
                self._pdf.setLineWidth(width)
            strokes, fills = bool(part.shape.line), bool(part.shape.fill)
            self._pdf.drawPath(path, stroke=strokes, fill=fills, fillMode=canvas.FILL_NON_ZERO)

    def _rgb(self, ink: str) -> list[float]:
        return [value / 255 for value in bytes.fromhex(colour(ink, self._inks)[1:])]

    def text(self, x: float, y: float, text: str, font: str, size: float, grey: float = 0.0) -> None:
        """Write a line of text from x on, its baseline at y, in ``text`` or ``strong``; grey 0 is black, 1 white."""
        self._pdf.setFont(self._fonts[font], size * POINT)
        self._pdf.setFillGray(grey)
        self._pdf.drawString(x * POINT, self._height - y * POINT, text)

    def upwards(self, x: float, y: float, text: str, font: str, size: float, grey: float = 0.0) -> None:
        """Write a line of text that runs from below upwards; the arguments are those of ``text``."""
        self._pdf.saveState()
        self._pdf.translate(x * POINT, self._height - y * POINT)
        self._pdf.rotate(90)
        self.text(0, self._height / POINT, text, font, size, grey)
        self._pdf.restoreState()

    def written(self) -> bytes:
        """The whole document, whose last page this ends."""
        self._pdf.showPage()
        self._pdf.save()
        return self._written.getvalue()


def _registered(language: str, weight: int, characters: str) -> str:
    """The name by which ReportLab knows a font of these characters in this process."""
    used = "".join(sorted(set(characters)))
    name = f"Tefuda-{language}-{weight}-{sha256(used.encode()).hexdigest()[:16]}"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, BytesIO(typeface(language, weight).subset(used))))
    return name
