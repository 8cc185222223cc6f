"""Ma Diao: how a view is laid out, and what is told of each play."""

from typing import Any

from tefuda.engine.description import Line
from tefuda.engine.scene import Face, Scene
from tefuda.games.ma_diao.state import CARD_WORDS, HAND

FACES = {word: Face(word, "") for word in CARD_WORDS}


def scene(view: Any) -> Scene:
    """The table as the viewer sees it."""
    return Scene(phase="phase.play", number=0, tricks=HAND, hand=(), seats=())


def events(before: Any, seat: int, word: str, after: Any) -> list[Line]:
    """What a play brought about."""
    return []
