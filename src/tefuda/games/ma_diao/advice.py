"""Ma Diao: why the rules of thumb make a play, from what they read off the table."""

from typing import Any

from tefuda.engine.notation import is_declaration
from tefuda.engine.sentence import Sentence, advised_declaration
from tefuda.engine.texts import percentage
from tefuda.engine.verbs import rule
from tefuda.games.ma_diao.hints import chance_unbeaten, read
from tefuda.games.ma_diao.plays import THROW
from tefuda.games.ma_diao.state import SEATS, State


def why_advised(view: State, action: int, word: str) -> Sentence:
    """MD-13, MD-18, MD-25, MD-29."""
    if is_declaration(word):
        return advised_declaration(word)
    if action >= THROW:
        return Sentence("advice.throws")
    chance, how = read_chance(view, action), "beats" if view.placed else "leads"
    return Sentence(f"advice.{how}_sure" if chance == 1.0 else f"advice.{how}", {"chance": percentage(chance)})


@rule
def read_chance(s: State, card: int) -> Any:
    """The chance that nobody still to play beats this card."""
    return chance_unbeaten(s, read(s), card, SEATS - 1 - s.placed)
