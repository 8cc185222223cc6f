"""Drawings as SVG: single files, and the sprite of a deck. What occurs more than once is defined once."""

from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape

from tefuda.decks.shapes import UPRIGHT, Command, Drawing, Matrix, Shape

PAPER = "#fdfaf2"
"""The colour of the ink ``paper`` on a screen."""


def colour(ink: str, inks: Mapping[str, str]) -> str:
    """``#rrggbb`` of an ink; one that is a colour already is itself."""
    return ink if ink.startswith("#") else inks.get(ink, PAPER if ink == "paper" else "#000000")


def document(
    parts: Drawing, width: float, height: float, inks: Mapping[str, str], title: str = "", unit: str = "mm"
) -> str:
    """A whole SVG file; ``title`` is for those who hear the picture, an empty ``unit`` means pixels."""
    shared = Shared([parts], inks)
    named = f"<title>{escape(title)}</title>" if title else ""
    size = (
        f'width="{number(width)}{unit}" height="{number(height)}{unit}" viewBox="0 0 {number(width)} {number(height)}"'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} stroke-linejoin="round" role="img">{named}'
        f"{shared.definitions()}{shared.written(parts)}</svg>\n"
    )


class Shared:
    """Writes several drawings of one file; shapes that occur more than once become definitions.

    Their names begin with ``prefix``: one of its own where several files may stand in one page.
    """

    def __init__(self, drawings: Iterable[Drawing], inks: Mapping[str, str], prefix: str = "s") -> None:
        counts = Counter(part.shape for parts in drawings for part in parts)
        often = [shape for shape, count in counts.items() if count > 1]
        self._names = {shape: f"{prefix}{place}" for place, shape in enumerate(often)}
        self._inks = inks

    def definitions(self) -> str:
        """The ``<defs>`` element of the shapes that occur more than once; empty for none."""
        if not self._names:
            return ""
        return "<defs>" + "".join(self._path(shape, f' id="{name}"') for shape, name in self._names.items()) + "</defs>"

    def written(self, parts: Drawing) -> str:
        """The elements of one drawing."""
        found = []
        for part in parts:
            where = _transform(part.matrix)
            name = self._names.get(part.shape)
            found.append(f'<use href="#{name}"{where}/>' if name else self._path(part.shape, where))
        return "".join(found)

    def _path(self, shape: Shape, more: str) -> str:
        fill = f' fill="{colour(shape.fill, self._inks) if shape.fill else "none"}"'
        line = ""
        if shape.line:
            line = f' stroke="{colour(shape.line, self._inks)}" stroke-width="{number(shape.width, 3)}"'
        return f'<path{more} d="{_commands(shape.path)}"{fill}{line}/>'


def number(value: float, digits: int = 2) -> str:
    """A number in as few characters as possible."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else str(round(value))
    return "0" if text in ("-0", "") else text


def _commands(path: tuple[Command, ...]) -> str:
    reach = max((abs(float(value)) for _, *rest in path for value in rest), default=1.0)
    digits = 3 if reach < 3 else 2 if reach < 100 else 0
    return "".join(
        str(head) + " ".join(number(float(value), digits) for value in rest).replace(" -", "-") for head, *rest in path
    )


def _transform(matrix: Matrix) -> str:
    a, b, c, d, e, f = matrix
    if matrix == UPRIGHT:
        return ""
    if (a, b, c, d) == (1, 0, 0, 1):
        return f' transform="translate({number(e)} {number(f)})"'
    return f' transform="matrix({" ".join([number(value, 6) for value in (a, b, c, d)] + [number(e), number(f)])})"'
