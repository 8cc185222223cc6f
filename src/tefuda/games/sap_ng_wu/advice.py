"""Sap Ng Wu: why the rules of thumb make a play, from what they read off the table."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.notation import is_declaration
from tefuda.engine.sentence import Sentence, advised_declaration
from tefuda.engine.texts import percentage
from tefuda.engine.verbs import rule
from tefuda.games.sap_ng_wu.hints import chance_to_win, read_odds
from tefuda.games.sap_ng_wu.scoring import play_fu
from tefuda.games.sap_ng_wu.state import State


def why_advised(view: State, action: int, word: str) -> Sentence:
    """SN-6, SN-17, SN-19, SN-28, SN-30."""
    if is_declaration(word):
        return advised_declaration(word)
    chance, fu = read_chance(view, action), int(play_fu(view, action))
    code = "advice.sure" if chance == 1.0 else "advice.likely"
    return Sentence(code, {"chance": percentage(chance), "fu": str(fu)})


@rule
def read_chance(s: State, action: int) -> Any:
    """The chance that nobody beats this play."""
    return chance_to_win(s, read_odds(s, bits.wide(s.turn)), action)
