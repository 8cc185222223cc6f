"""Breaking text into lines: words stay whole, Chinese and Japanese break but before a stop or after a bracket."""

import re
from collections.abc import Iterator

from tefuda.decks.fonts import Typeface

_PIECES = re.compile(r"[\u2e80-\u9fff\uf900-\uffef“”‘’…·]|[^\s\u2e80-\u9fff\uf900-\uffef“”‘’…·]+|\s+")
_NOT_FIRST = set("、。，．！？：；）」』】〉》”’ー…ァィゥェォッャュョぁぃぅぇぉっゃゅょ々％%)]}.,;:!?")
_NOT_LAST = set("（「『【〈《“‘([{")


def lines(text: str, face: Typeface, size: float, width: float) -> list[str]:
    """A paragraph in lines that are no wider than this, in millimetres."""
    found, line = [], ""
    for piece in _unbroken(text):
        if line and face.width((line + piece).rstrip(), size) > width:
            found.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*found, line.rstrip()] if line.strip() else found


def _unbroken(text: str) -> Iterator[str]:
    """Pieces between which a line may be broken."""
    held = ""
    for piece in _PIECES.findall(text):
        if held and piece[0] not in _NOT_FIRST and held[-1] not in _NOT_LAST:
            yield held
            held = piece
        else:
            held += piece
    if held:
        yield held
