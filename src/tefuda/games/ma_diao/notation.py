"""Ma Diao: how plays are written: ``S8`` face up, ``~S8`` face down; ``declare``, ``silent``; ``refuse``, ``fight``."""

from tefuda.engine.bits import members_of
from tefuda.engine.notation import OneActionNotation
from tefuda.games.ma_diao.state import CARD_WORDS

DOWN = "~"


def card_list(cards: int) -> str:
    """The cards of a set, written with blanks, suit by suit and each from its weakest."""
    return " ".join(CARD_WORDS[card] for card in members_of(cards))


NOTATION = OneActionNotation(
    (*CARD_WORDS, *(DOWN + word for word in CARD_WORDS), "silent", "declare", "fight", "refuse"),
    example="a card such as S8 or TB, ~S8 to throw it face down; before play declare or silent, then refuse or fight",
)
