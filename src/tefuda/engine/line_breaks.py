"""Where a line of text may be broken: between words, and in Chinese and Japanese between characters too."""

import re
from collections.abc import Iterator

_CHARACTER = r"\u2e80-\u9fff\uf900-\uffef“”‘’…·"
_WORD = rf"[^\s{_CHARACTER}]+"
_PIECES = re.compile(rf"[{_CHARACTER}]|{_WORD}(?: ± {_WORD})?(?: %(?:{_WORD})?)?|\s+")
_NOT_FIRST = set("、。，．！？：；）」』】〉》”’ー…ァィゥェォッャュョぁぃぅぇぉっゃゅょ々％%)]}.,;:!?")
_NOT_LAST = set("（「『【〈《“‘([{")


def unbroken(text: str) -> Iterator[str]:
    """Pieces between which a line may be broken; blanks are pieces of their own.

    No line so broken begins with a stop or a closing bracket, or ends with an opening one; a number stays beside its
    margin and its per cent.
    """
    held = ""
    for piece in _PIECES.findall(text):
        if held and piece[0] not in _NOT_FIRST and held[-1] not in _NOT_LAST:
            yield held
            held = piece
        else:
            held += piece
    if held:
        yield held
