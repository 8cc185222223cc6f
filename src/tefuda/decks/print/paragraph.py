"""Breaking text into lines of a width in millimetres."""

from tefuda.decks.fonts import Typeface
from tefuda.engine.texts import unbroken


def lines(text: str, face: Typeface, size: float, width: float) -> list[str]:
    """A paragraph in lines that are no wider than this, in millimetres."""
    found, line = [], ""
    for piece in unbroken(text):
        if line and face.width((line + piece).rstrip(), size) > width:
            found.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*found, line.rstrip()] if line.strip() else found
