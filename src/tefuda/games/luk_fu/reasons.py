"""Luk Fu: why a play is refused. It asks the rules what may be played, and says why not this."""

from dataclasses import replace

from tefuda.engine.kit import NO_ACTION, Refusal, bits, legal_words, out_of_turn
from tefuda.games.luk_fu import cards, plays
from tefuda.games.luk_fu.cards import ALWAYS_OLD, CARD_WORDS, FIVE_TIGERS, SPECIAL_CARD, suit_cards, suit_of
from tefuda.games.luk_fu.plays import DOWN, can_beat, is_run, old_in_hand, single_leads
from tefuda.games.luk_fu.rules import is_capped, may_use_tigers
from tefuda.games.luk_fu.state import Phase, State
from tefuda.games.luk_fu.words import WORDS, actions_of, card_list, cards_due, joined, split

TURN_RULES = {Phase.DECLARING: "LF-9", Phase.LEADING: "LF-12", Phase.FOLLOWING: "LF-29", Phase.DECIDING: "LF-41"}

SAY_FIRST = {
    Phase.DECLARING: Refusal("LF-9", "declare_first", plays=("play", "pass")),
    Phase.DECIDING: Refusal("LF-41", "decide_first", plays=("stop", "on")),
}

_ANSWERS = {Phase.DECLARING: (plays.PLAY, plays.PASS), Phase.DECIDING: (plays.STOP, plays.ON)}


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may; ``NotationError`` for what is no play."""
    action = actions_of(state, word)[0]
    if state.phase == Phase.OVER:
        return Refusal("LF-43", "deal_over")
    if seat == state.sitter:
        return Refusal("LF-6", "sits_out")
    if refusal := out_of_turn(state, seat, TURN_RULES):
        return refusal
    if action in _ANSWERS.get(state.phase, ()):
        return None
    if action in _ANSWERS[Phase.DECLARING]:
        decides = state.phase == Phase.DECIDING
        return replace(SAY_FIRST[Phase.DECIDING], rule="LF-9") if decides else Refusal("LF-9", "declaring_over")
    if action in _ANSWERS[Phase.DECIDING]:
        return Refusal("LF-41", "no_decision", {"play": WORDS[action]})
    if state.phase in SAY_FIRST:
        return SAY_FIRST[state.phase]
    return _why_not_show(state) if action == plays.SHOW_TIGERS else _why_not_cards(state, action, word)


def _why_not_cards(state: State, action: int, word: str) -> Refusal | None:
    """LF-13, LF-29 and what follows: cards face up or down."""
    down, cards = split(word.strip())
    if missing := bits.without(cards, int(state.hands[state.turn])):
        rule = "LF-13" if state.phase == Phase.LEADING else "LF-29"
        return Refusal(rule, "not_held", {"cards": card_list(missing)})
    if state.phase == Phase.FOLLOWING:
        return _why_not_follow(state, action, down, cards)
    return Refusal("LF-31", "throw_on_lead") if down else _why_not_lead(state, action, cards)


def _why_not_show(state: State) -> Refusal | None:
    """LF-45, LF-16."""
    if state.phase != Phase.LEADING:
        return Refusal("LF-45", "tigers_on_lead")
    if missing := bits.without(FIVE_TIGERS, int(state.hands[state.turn])):
        return Refusal("LF-45", "tigers_not_held", {"cards": card_list(missing)})
    return None if may_use_tigers(state) else Refusal("LF-16", "capped_tigers", plays=_singles_to_lead(state))


def _special_alone(state: State, action: int) -> Refusal | None:
    """LF-15: a set with L, where L is a single only."""
    with_special = plays.SPECIAL_TRIPLES <= action < plays.RUNS
    return Refusal("LF-15", "special_alone") if with_special and not state.special_in_sets else None


def _why_not_lead(state: State, action: int, cards: int) -> Refusal | None:
    """LF-13 to LF-21; cards are in the hand."""
    if bits.size(cards) == 1:
        return _why_not_single(state, bits.lowest(cards))
    if bits.size(cards) == 2:
        return Refusal("LF-13", "two_cards")
    if cards == FIVE_TIGERS and not may_use_tigers(state):
        return Refusal("LF-16", "capped_tigers", plays=_singles_to_lead(state))
    if cards == FIVE_TIGERS:
        return None if state.tigers_lead else Refusal("LF-45", "tigers_no_lead", plays=("tigers",))
    if action == NO_ACTION:
        alone = cards & SPECIAL_CARD and not state.special_in_sets
        return Refusal("LF-15", "special_alone") if alone else Refusal("LF-14", "no_combination")
    if refusal := _special_alone(state, action):
        return refusal
    if is_capped(state) and bits.size(cards) > plays.SHORTEST_RUN:
        legal = (play for play in legal_words(state, WORDS) if "+" in play)
        return Refusal("LF-16", "capped", plays=tuple(play for play in legal if bits.inside(split(play)[1], cards)))
    return None


def _singles_to_lead(state: State) -> tuple[str, ...]:
    """LF-18 to LF-21: the cards that may be led alone."""
    return tuple(CARD_WORDS[card] for card in bits.members_of(single_leads(state, int(state.turn))))


def _why_not_single(state: State, card: int) -> Refusal | None:
    """LF-18 to LF-21."""
    legal = int(single_leads(state, int(state.turn)))
    if bits.has(legal, card):
        return None
    fields, singles = {"card": CARD_WORDS[card]}, _singles_to_lead(state)
    if card == cards.SPECIAL:
        return Refusal("LF-21", "special_lead", fields, singles)
    if bits.has(int(old_in_hand(state, int(state.turn))), card):
        return _why_old(state, card, fields, singles)
    strongest = cards.SUIT_LETTERS[suit_of(bits.lowest(legal))]
    return Refusal("LF-18", "weaker_suit", {**fields, "suit": f"@suits.{strongest}"}, singles)


def _why_old(state: State, card: int, fields: dict[str, str], singles: tuple[str, ...]) -> Refusal:
    """LF-18, LF-22 to LF-26: what has become of the cards above an old one."""
    seat = state.turn
    above = int(bits.above(suit_cards(suit_of(card)), card))
    if bits.has(ALWAYS_OLD, card) or not above:
        return Refusal("LF-18", "always_old_lead" if bits.has(ALWAYS_OLD, card) else "highest_lead", fields, singles)
    own = above & int(state.hands[seat] | state.discards[seat])
    played = above & int(state.faceup)
    groups = {"played": played, "own": own, "excluded": above & ~played & ~own}
    gone = {name: f"`{card_list(cards)}`" if cards else "–" for name, cards in groups.items()}
    return Refusal("LF-18", "old_lead", {**fields, **gone}, singles)


def _why_not_follow(state: State, action: int, down: bool, cards: int) -> Refusal | None:
    """LF-29 to LF-36; cards are in the hand."""
    due = cards_due(state)
    if bits.size(cards) != due:
        return Refusal("LF-29", "wrong_number", {"count": str(due)})
    best = int(state.best)
    begun = int(state.thrown[state.turn, state.number]) if state.to_throw else bits.EMPTY
    if begun and not down:
        return Refusal("LF-31", "throwing_begun")
    if begun:  # a throw goes card by card, ascending
        last = bits.highest(begun)
        return Refusal("LF-31", "throw_ascending", {"card": CARD_WORDS[last]}) if bits.lowest(cards) < last else None
    beats = bool(can_beat(state, int(state.hands[state.turn]), best, due))
    table = {"best": card_list(best)}
    if down:
        return Refusal("LF-30", "must_beat", table, legal_words(state, WORDS)) if beats else None
    if action != NO_ACTION and can_beat(state, cards, best, due):
        return None
    if beats:
        return Refusal("LF-30", "must_beat_with", {**table, "cards": card_list(cards)}, legal_words(state, WORDS))
    return _why_it_does_not_beat(state, action, cards, best)


def _why_it_does_not_beat(state: State, action: int, cards: int, best: int) -> Refusal:
    """LF-31 to LF-36: a player who cannot beat shows cards face up."""
    if action != NO_ACTION and (refusal := _special_alone(state, action)):
        return refusal
    if bits.size(cards) == 1:
        rule, code = ("LF-33", "unbeatable") if best & ALWAYS_OLD else ("LF-32", "single_too_low")
    elif action == NO_ACTION or best == FIVE_TIGERS:
        rule, code = "LF-31", "throw_face_down"
    elif bool(is_run(cards)) != bool(is_run(best)):
        rule, code = "LF-36", "other_kind"
    else:
        rule, code = ("LF-35", "run_too_low") if is_run(best) else ("LF-34", "set_too_low")
    return Refusal(rule, code, {"best": card_list(best), "cards": card_list(cards)}, (DOWN + joined(cards),))
