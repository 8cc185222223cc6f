"""Luk Fu: why a play is refused. It asks the rules what may be played, and says why not this."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Refusal
from tefuda.games.luk_fu.combinations import can_beat, is_run, suit_of
from tefuda.games.luk_fu.notation import DOWN, NO_ACTION, NOTATION, card_list, cards_due, split
from tefuda.games.luk_fu.old_cards import old_in_hand, single_leads
from tefuda.games.luk_fu.rules import is_capped
from tefuda.games.luk_fu.state import (
    ALWAYS_OLD,
    CARD_WORDS,
    DECIDING,
    DECLARING,
    FIVE_TIGERS,
    FOLLOWING,
    LEAD_TIGERS,
    LEADING,
    ON,
    OVER,
    PASS,
    PLAY,
    RUNS,
    SHORTEST_RUN,
    SHOW_TIGERS,
    SPECIAL,
    SPECIAL_CARD,
    SPECIAL_TRIPLES,
    STOP,
    SUIT_LETTERS,
)

_TURN_RULES = {DECLARING: "LF-9", LEADING: "LF-12", FOLLOWING: "LF-29", DECIDING: "LF-41"}

_SAY_FIRST = {DECLARING: Refusal("LF-9", "declare_first"), DECIDING: Refusal("LF-41", "decide_first")}


def why_not(state: Any, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may.

    Raises:
        NotationError: the word is no play of this game.
    """
    actions = NOTATION.actions(state, word)
    if state.phase == OVER:
        return Refusal("LF-43", "deal_over")
    if seat == state.sitter:
        return Refusal("LF-6", "sits_out")
    if seat != state.turn:
        return Refusal(_TURN_RULES[int(state.phase)], "not_your_turn", {"seat": f"#{state.turn}"})
    if actions[0] in (PLAY, PASS):
        return None if state.phase == DECLARING else Refusal("LF-9", "declaring_over")
    if actions[0] in (STOP, ON):
        return None if state.phase == DECIDING else Refusal("LF-41", "no_decision")
    if state.phase in _SAY_FIRST:
        return _SAY_FIRST[int(state.phase)]
    return _why_not_show(state) if actions[0] == SHOW_TIGERS else _why_not_cards(state, actions, word)


def _why_not_cards(state: Any, actions: tuple[int, ...], word: str) -> Refusal | None:
    """LF-13, LF-29 and what follows: cards face up or down."""
    down, cards = split(word.strip())
    hand = int(state.hands[state.turn])
    if bits.without(cards, hand):
        return Refusal("LF-13" if state.phase == LEADING else "LF-29", "not_held", {"cards": _missing(cards, hand)})
    if state.phase == FOLLOWING:
        return _why_not_follow(state, actions, down, cards)
    return Refusal("LF-31", "throw_on_lead") if down else _why_not_lead(state, actions[0], cards)


def _missing(cards: int, hand: int) -> str:
    return card_list(bits.without(cards, hand))


def _why_not_show(state: Any) -> Refusal | None:
    """LF-45, LF-16."""
    if state.phase != LEADING:
        return Refusal("LF-45", "tigers_on_lead")
    missing = bits.without(FIVE_TIGERS, int(state.hands[state.turn]))
    if missing:
        return Refusal("LF-45", "tigers_not_held", {"cards": card_list(missing)})
    return Refusal("LF-16", "capped_tigers") if is_capped(state) else None


# Leading


def _why_not_lead(state: Any, action: int, cards: int) -> Refusal | None:
    """LF-13 to LF-21; cards are in the hand."""
    if bits.size(cards) == 1:
        return _why_not_single(state, bits.lowest(cards))
    if bits.size(cards) == 2:
        return Refusal("LF-13", "two_cards")
    if cards == FIVE_TIGERS and not state.tigers_lead:
        return Refusal("LF-45", "tigers_no_lead")
    if action == NO_ACTION:
        alone = cards & SPECIAL_CARD and not state.special_in_sets
        return Refusal("LF-15", "special_alone") if alone else Refusal("LF-14", "no_combination")
    if SPECIAL_TRIPLES <= action < RUNS and not state.special_in_sets:
        return Refusal("LF-15", "special_alone")
    if is_capped(state) and bits.size(cards) > SHORTEST_RUN:
        return Refusal("LF-16", "capped_tigers" if action == LEAD_TIGERS else "capped")
    return None


def _why_not_single(state: Any, card: int) -> Refusal | None:
    """LF-18 to LF-21."""
    legal = int(single_leads(state, int(state.turn)))
    if bits.has(legal, card):
        return None
    fields = {"card": CARD_WORDS[card], "cards": card_list(legal)}
    if card == SPECIAL:
        return Refusal("LF-21", "special_lead", fields)
    if bits.has(int(old_in_hand(state, int(state.turn))), card):
        return Refusal("LF-18", "always_old_lead" if bits.has(ALWAYS_OLD, card) else "old_lead", fields)
    strongest = SUIT_LETTERS[suit_of(bits.lowest(legal))]
    return Refusal("LF-18", "weaker_suit", {**fields, "suit": f"@suits.{strongest}"})


# Following


def _why_not_follow(state: Any, actions: tuple[int, ...], down: bool, cards: int) -> Refusal | None:
    """LF-29 to LF-36; cards are in the hand."""
    due = cards_due(state)
    if bits.size(cards) != due:
        return Refusal("LF-29", "wrong_number", {"count": str(due)})
    best, hand = int(state.best), int(state.hands[state.turn])
    if state.to_throw:
        return _why_not_in_steps(state, cards) if down else Refusal("LF-31", "throwing_begun")
    beats = bool(can_beat(state, hand, best, due))
    table = {"best": card_list(best)}
    if down:
        return Refusal("LF-30", "must_beat", table) if beats else None
    if actions[0] != NO_ACTION and can_beat(state, cards, best, due):
        return None
    if beats:
        return Refusal("LF-30", "must_beat_with", {**table, "cards": card_list(cards)})
    return _why_it_does_not_beat(state, actions[0], cards, best)


def _why_not_in_steps(state: Any, cards: int) -> Refusal | None:
    """LF-31: the rest of a throw that has been begun card by card, ascending."""
    begun = int(state.thrown[state.turn, state.number])
    if begun and bits.lowest(cards) < bits.highest(begun):
        return Refusal("LF-31", "throw_ascending", {"card": CARD_WORDS[bits.highest(begun)]})
    return None


def _why_it_does_not_beat(state: Any, action: int, cards: int, best: int) -> Refusal:
    """LF-31 to LF-36: a player who cannot beat shows cards face up."""
    fields = {"best": card_list(best), "cards": card_list(cards), "throw": DOWN + "+".join(card_list(cards).split())}
    if bits.size(cards) == 1:
        unbeatable = best & ALWAYS_OLD
        return Refusal("LF-33", "unbeatable", fields) if unbeatable else Refusal("LF-32", "single_too_low", fields)
    if action == NO_ACTION or best == FIVE_TIGERS:
        return Refusal("LF-31", "throw_face_down", fields)
    if SPECIAL_TRIPLES <= action < RUNS and not state.special_in_sets:
        return Refusal("LF-15", "special_alone")
    if bool(is_run(cards)) != bool(is_run(best)):
        return Refusal("LF-36", "other_kind", fields)
    return Refusal("LF-35", "run_too_low", fields) if is_run(best) else Refusal("LF-34", "set_too_low", fields)
