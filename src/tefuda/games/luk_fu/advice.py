"""Luk Fu: why the rules of thumb make a play, from what they read off the table."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.sentence import Sentence, advised_declaration
from tefuda.engine.texts import percentage
from tefuda.engine.verbs import rule
from tefuda.games.luk_fu import plays
from tefuda.games.luk_fu.combinations import has_long_combination
from tefuda.games.luk_fu.hints import DECLARE_WITH, ELDEST_BONUS, chance_to_win, read_holding, tricks_in_hand
from tefuda.games.luk_fu.plays import CARDS_OF
from tefuda.games.luk_fu.state import Phase, State


def why_advised(view: State, action: int, word: str) -> Sentence:
    """LF-9, LF-30, LF-41, LF-45, LF-51."""
    if view.phase == Phase.DECLARING:
        return _declaring(view, action)
    if action >= plays.SHOW_TIGERS:
        return advised_declaration(word)
    if plays.is_throw(action):
        return Sentence("advice.throws")
    chance = read_chance(view, action)
    how = "leads" if view.phase == Phase.LEADING else "beats"
    return Sentence(f"advice.{how}_sure" if chance == 1.0 else f"advice.{how}", {"chance": percentage(chance)})


def _declaring(view: State, action: int) -> Sentence:
    """LF-51: an eldest who passes with a long combination is paid less."""
    eldest = view.turn == view.eldest
    needed = DECLARE_WITH - ELDEST_BONUS if eldest else DECLARE_WITH
    fields = {"tricks": f"{read_tricks(view):.1f}", "needed": f"{needed:.1f}"}
    if action == plays.PLAY:
        return Sentence("advice.play", fields)
    improper = eldest and view.pass_penalty and has_long_combination(view, view.hands[view.turn])
    return Sentence("advice.pass_improper" if improper else "advice.pass", fields)


@rule
def read_tricks(s: State) -> float:
    """About how many tricks the mover's hand is good for."""
    return float(tricks_in_hand(s, read_holding(s)))


@rule
def read_chance(s: State, action: int) -> Any:
    """The chance that nobody beats what the mover leads or beats with."""
    cards = CARDS_OF[action]
    count = bits.size(cards) if s.led_count == 0 else bits.wide(s.led_count)
    return chance_to_win(s, read_holding(s), cards, count)
