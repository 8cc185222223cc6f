"""Kakkuri: why the rules of thumb make a play."""

from tefuda.engine.notation import is_declaration
from tefuda.engine.sentence import Sentence, advised_declaration
from tefuda.games.kakkuri.hints import can_lay, count_goes, hopes_for_guri
from tefuda.games.kakkuri.plays import IN_TWOS
from tefuda.games.kakkuri.sequences import way_to_play
from tefuda.games.kakkuri.state import Phase, State


def why_advised(view: State, action: int, word: str) -> Sentence:
    """KK-6, KK-18, KK-20, KK-22, KK-26, KK-38, KK-43, KK-50."""
    if not is_declaration(word):
        return Sentence("advice.step")
    if word == "stay" and view.phase == Phase.RETURNING:
        return Sentence("advice.stay_out")
    if word == "end":
        if not can_lay(view):
            return Sentence("advice.nothing_fits")
        goes = count_goes(view.hands[view.turn], way_to_play(view, view.turn) >= IN_TWOS)
        if hopes_for_guri(view, goes):
            return Sentence("advice.wait")
    return advised_declaration(word)
