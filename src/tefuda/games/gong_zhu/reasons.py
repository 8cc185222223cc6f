"""Gong Zhu: why a play is refused. It asks the rules which cards may be played, and says why not this one."""

from dataclasses import replace

from tefuda.engine.kit import NO_ACTION, Refusal, bits, legal_words, out_of_turn
from tefuda.engine.kit.french import HEARTS, SUIT_LETTERS, card_list, suit_of
from tefuda.engine.kit.tricks import following
from tefuda.games.gong_zhu.cards import ALL_HEARTS, CARD_WORDS, EXPOSABLE
from tefuda.games.gong_zhu.rules import FIRST_LEADERS, hearts_open, may_expose, may_lead, must_lead_two
from tefuda.games.gong_zhu.state import ALWAYS_OPEN, EXPOSE, EXPOSURES, Phase, State
from tefuda.games.gong_zhu.words import NOTATION

_EXPOSABLE_WORDS = tuple(CARD_WORDS[card] for card in EXPOSABLE)


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may; ``NotationError`` for what is no play."""
    action = NOTATION.actions(state, word)[0]
    if state.phase == Phase.OVER:
        return Refusal("GZ-16", "deal_over")
    if refusal := out_of_turn(state, seat, _turn_rule(state)):
        return refusal
    word = NOTATION.normal(word)
    legal = legal_words(state, NOTATION.words)
    if ":" in word:
        why = _why_not_expose(state, action, word)
    elif state.phase == Phase.EXPOSING:
        why = Refusal("GZ-7", "exposing_first", {"play": word})
    elif action == NO_ACTION:
        why = Refusal("GZ-12" if state.trick_size else "GZ-13", "one_card")
    elif not bits.has(state.hands[seat], action):
        rule, code = ("GZ-12", "not_held_follow") if state.trick_size else ("GZ-13", "not_held_lead")
        why = Refusal(rule, code, {"card": CARD_WORDS[action]})
    else:
        why = _why_not_play(state, action) if CARD_WORDS[action] not in legal else None
    return why and replace(why, plays=legal)


def _turn_rule(state: State) -> str:
    """The rule that says whose turn it is."""
    if state.phase == Phase.EXPOSING:
        return "GZ-7"
    if state.trick_size:
        return "GZ-12"
    if state.tricks:
        return "GZ-14"
    return "GZ-4" if state.deals else "GZ-3"


def _why_not_expose(state: State, action: int, word: str) -> Refusal | None:
    """GZ-5, GZ-7."""
    if not state.exposing:
        return Refusal("GZ-5", "exposing_off")
    if opened := ALWAYS_OPEN[state.always_open]:
        return Refusal("GZ-5", "always_open", {"cards": card_list(opened)})
    if state.phase != Phase.EXPOSING:
        return Refusal("GZ-7", "exposing_over")
    if action == NO_ACTION:
        named = word.partition(":")[2].split("+")
        others = [card for card in named if card not in _EXPOSABLE_WORDS]
        return Refusal("GZ-5", "never_exposed", {"cards": " ".join(others)}) if others else Refusal("GZ-5", "twice")
    cards = int(EXPOSURES[action - EXPOSE])
    if missing := bits.without(cards, state.hands[state.turn]):
        return Refusal("GZ-5", "expose_not_held", {"cards": card_list(missing)})
    again = bits.without(cards, may_expose(state, state.turn))
    return Refusal("GZ-5", "already_exposed", {"cards": card_list(again)}) if again else None


def _why_not_play(state: State, card: int) -> Refusal:
    """GZ-3, GZ-8, GZ-9, GZ-12, GZ-13: a card that is held."""
    suit = suit_of(state.trick[0]) if state.trick_size else suit_of(card)
    fields = {"card": CARD_WORDS[card], "suit": f"@suits.{SUIT_LETTERS[suit]}"}
    if state.trick_size:
        led = bits.has(following(state, state.hands[state.turn]), card)
        return Refusal("GZ-8", "exposed_first_lead", fields) if led else Refusal("GZ-12", "must_follow", fields)
    if must_lead_two(state, state.hands[state.turn]):
        two = CARD_WORDS[FIRST_LEADERS[state.first_leader]]
        return Refusal("GZ-3", "must_lead_two", {"card": CARD_WORDS[card], "two": two})
    closed = state.hearts_broken and suit == HEARTS and not hearts_open(state)
    if closed and not may_lead(state, state.hands[state.turn]) & ALL_HEARTS:
        return Refusal("GZ-13", "hearts_closed", {"card": CARD_WORDS[card]})
    return Refusal("GZ-9", "exposed_lead", fields)
