"""Ma Diao: how plays are written: ``S8`` face up, ``~S8`` face down; ``declare``, ``silent``; ``refuse``, ``fight``."""

from tefuda.engine.notation import OneActionNotation
from tefuda.games.ma_diao.cards import CARD_WORDS

DOWN = "~"

NOTATION = OneActionNotation(
    (*CARD_WORDS, *(DOWN + word for word in CARD_WORDS), "silent", "declare", "fight", "refuse"),
    cards=(*CARD_WORDS, *(DOWN + word for word in CARD_WORDS)),
    example="a card such as S8 or TB, ~S8 to throw it face down; before play declare or silent, then refuse or fight",
)
