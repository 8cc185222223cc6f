"""Luk Fu: why a play is refused. It asks the rules what may be played, and says why not this."""

from tefuda.engine import bits
from tefuda.engine.description import Refusal
from tefuda.engine.kit.words import out_of_turn
from tefuda.engine.notation import NO_ACTION
from tefuda.games.luk_fu import plays
from tefuda.games.luk_fu.cards import ALWAYS_OLD, CARD_WORDS, FIVE_TIGERS, SPECIAL, SPECIAL_CARD, SUIT_LETTERS, suit_of
from tefuda.games.luk_fu.combinations import can_beat, is_run
from tefuda.games.luk_fu.notation import actions_of, card_list, cards_due, split, thrown
from tefuda.games.luk_fu.old_cards import old_in_hand, single_leads
from tefuda.games.luk_fu.rules import is_capped
from tefuda.games.luk_fu.state import Phase, State

TURN_RULES = {Phase.DECLARING: "LF-9", Phase.LEADING: "LF-12", Phase.FOLLOWING: "LF-29", Phase.DECIDING: "LF-41"}

SAY_FIRST = {Phase.DECLARING: Refusal("LF-9", "declare_first"), Phase.DECIDING: Refusal("LF-41", "decide_first")}


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may.

    Raises:
        NotationError: the word is no play of this game.
    """
    action = actions_of(state, word)[0]
    if state.phase == Phase.OVER:
        return Refusal("LF-43", "deal_over")
    if seat == state.sitter:
        return Refusal("LF-6", "sits_out")
    if refusal := out_of_turn(state, seat, TURN_RULES):
        return refusal
    if action in (plays.PLAY, plays.PASS):
        return None if state.phase == Phase.DECLARING else Refusal("LF-9", "declaring_over")
    if action in (plays.STOP, plays.ON):
        return None if state.phase == Phase.DECIDING else Refusal("LF-41", "no_decision")
    if state.phase in SAY_FIRST:
        return SAY_FIRST[state.phase]
    return _why_not_show(state) if action == plays.SHOW_TIGERS else _why_not_cards(state, action, word)


def _why_not_cards(state: State, action: int, word: str) -> Refusal | None:
    """LF-13, LF-29 and what follows: cards face up or down."""
    down, cards = split(word.strip())
    missing = bits.without(cards, int(state.hands[state.turn]))
    if missing:
        rule = "LF-13" if state.phase == Phase.LEADING else "LF-29"
        return Refusal(rule, "not_held", {"cards": card_list(missing)})
    if state.phase == Phase.FOLLOWING:
        return _why_not_follow(state, action, down, cards)
    return Refusal("LF-31", "throw_on_lead") if down else _why_not_lead(state, action, cards)


def _why_not_show(state: State) -> Refusal | None:
    """LF-45, LF-16."""
    if state.phase != Phase.LEADING:
        return Refusal("LF-45", "tigers_on_lead")
    missing = bits.without(FIVE_TIGERS, int(state.hands[state.turn]))
    if missing:
        return Refusal("LF-45", "tigers_not_held", {"cards": card_list(missing)})
    return Refusal("LF-16", "capped_tigers") if is_capped(state) else None


def _special_alone(state: State, action: int) -> Refusal | None:
    """LF-15: a set with L, where L is a single only."""
    with_special = plays.SPECIAL_TRIPLES <= action < plays.RUNS
    return Refusal("LF-15", "special_alone") if with_special and not state.special_in_sets else None


# Leading


def _why_not_lead(state: State, action: int, cards: int) -> Refusal | None:
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
    if refusal := _special_alone(state, action):
        return refusal
    if is_capped(state) and bits.size(cards) > plays.SHORTEST_RUN:
        return Refusal("LF-16", "capped_tigers" if action == plays.LEAD_TIGERS else "capped")
    return None


def _why_not_single(state: State, card: int) -> Refusal | None:
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


def _why_not_follow(state: State, action: int, down: bool, cards: int) -> Refusal | None:
    """LF-29 to LF-36; cards are in the hand."""
    due = cards_due(state)
    if bits.size(cards) != due:
        return Refusal("LF-29", "wrong_number", {"count": str(due)})
    best = int(state.best)
    if state.to_throw:
        return _why_not_in_steps(state, cards) if down else Refusal("LF-31", "throwing_begun")
    beats = bool(can_beat(state, int(state.hands[state.turn]), best, due))
    table = {"best": card_list(best)}
    if down:
        return Refusal("LF-30", "must_beat", table) if beats else None
    if action != NO_ACTION and can_beat(state, cards, best, due):
        return None
    if beats:
        return Refusal("LF-30", "must_beat_with", {**table, "cards": card_list(cards)})
    return _why_it_does_not_beat(state, action, cards, best)


def _why_not_in_steps(state: State, cards: int) -> Refusal | None:
    """LF-31: the rest of a throw that has been begun card by card, ascending."""
    begun = int(state.thrown[state.turn, state.number])
    if begun and bits.lowest(cards) < bits.highest(begun):
        return Refusal("LF-31", "throw_ascending", {"card": CARD_WORDS[bits.highest(begun)]})
    return None


def _why_it_does_not_beat(state: State, action: int, cards: int, best: int) -> Refusal:
    """LF-31 to LF-36: a player who cannot beat shows cards face up."""
    fields = {"best": card_list(best), "cards": card_list(cards), "throw": thrown(cards)}
    if bits.size(cards) == 1:
        unbeatable = best & ALWAYS_OLD
        return Refusal("LF-33", "unbeatable", fields) if unbeatable else Refusal("LF-32", "single_too_low", fields)
    if action == NO_ACTION or best == FIVE_TIGERS:
        return Refusal("LF-31", "throw_face_down", fields)
    if refusal := _special_alone(state, action):
        return refusal
    if bool(is_run(cards)) != bool(is_run(best)):
        return Refusal("LF-36", "other_kind", fields)
    return Refusal("LF-35", "run_too_low", fields) if is_run(best) else Refusal("LF-34", "set_too_low", fields)
