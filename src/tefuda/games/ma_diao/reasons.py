"""Ma Diao: why a play is refused. It asks the rules what may be played, and says why not this."""

from tefuda.engine import bits
from tefuda.engine.description import Refusal
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.kit.words import out_of_turn
from tefuda.games.ma_diao.cards import CARD_WORDS, SUIT_LETTERS, SUIT_OF, suit_cards
from tefuda.games.ma_diao.hands import is_extraordinary, may_refuse
from tefuda.games.ma_diao.notation import DOWN, NOTATION
from tefuda.games.ma_diao.plays import DECLARE, REFUSE, SILENT, THROW
from tefuda.games.ma_diao.rules import may_beat, may_throw
from tefuda.games.ma_diao.state import Phase, State


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may.

    Raises:
        NotationError: the word is no play of this game.
    """
    action = NOTATION.actions(state, word)[0]
    if state.phase == Phase.OVER:
        return _why_over(state)
    if refusal := out_of_turn(state, seat, _turn_rule(state)):
        return refusal
    if action < SILENT:
        return _why_not_card(state, action)
    return _why_not_declaring(state, action) if action <= DECLARE else _why_not_refusing(state, action)


def _why_over(state: State) -> Refusal:
    """MD-22; or MD-10, MD-17 before play."""
    if state.declared:
        return Refusal("MD-10", "deal_declared")
    return Refusal("MD-22", "deal_over") if state.refuser == NOBODY else Refusal("MD-17", "deal_refused")


def _turn_rule(state: State) -> str:
    """The rule that says whose turn it is."""
    if state.phase != Phase.PLAYING:
        return "MD-16" if state.phase == Phase.DECLARING else "MD-19"
    if state.placed:
        return "MD-24"
    return "MD-22" if state.number else "MD-21"


# Before play


def _why_not_declaring(state: State, action: int) -> Refusal | None:
    """MD-10, MD-16."""
    if state.phase != Phase.DECLARING:
        return Refusal("MD-16", "declaring_over")
    extraordinary = is_extraordinary(state, state.hands[state.turn])
    if action == DECLARE:
        return None if extraordinary else Refusal("MD-10", "no_extraordinary")
    return Refusal("MD-16", "must_declare") if extraordinary and state.extraordinary_mandatory else None


def _why_not_refusing(state: State, action: int) -> Refusal | None:
    """MD-17, MD-19."""
    if state.phase == Phase.DECLARING:
        return Refusal("MD-17", "refusing_later")
    if state.phase == Phase.PLAYING:
        return Refusal("MD-19", "refusing_over")
    refused = action == REFUSE and not may_refuse(state, state.hands[state.turn])
    return Refusal("MD-17", "no_refusal_hand") if refused else None


# Cards


def _why_not_card(state: State, action: int) -> Refusal | None:
    """MD-23 to MD-26."""
    if state.phase != Phase.PLAYING:
        return Refusal("MD-16", "declare_first") if state.phase == Phase.DECLARING else Refusal("MD-19", "refuse_first")
    down, card = action >= THROW, action % THROW
    leads, fields = state.placed == 0, {"card": CARD_WORDS[card]}
    if not bits.has(state.hands[state.turn], card):
        return Refusal("MD-23", "not_held_lead", fields) if leads else Refusal("MD-24", "not_held_follow", fields)
    if leads:
        return Refusal("MD-23", "throw_on_lead", fields) if down else None
    return _why_not_throw(state, card) if down else _why_not_beat(state, card)


def _why_not_throw(state: State, card: int) -> Refusal | None:
    """MD-26; the card is held."""
    if bits.has(may_throw(state, state.hands[state.turn]), card):
        return None
    return Refusal("MD-26", "must_follow", {"card": CARD_WORDS[card], "led": _led(state), "plays": _plays(state)})


def _why_not_beat(state: State, card: int) -> Refusal | None:
    """MD-24; the card is held."""
    hand = state.hands[state.turn]
    if bits.has(may_beat(state, hand), card):
        return None
    fields = {"card": CARD_WORDS[card], "throw": DOWN + CARD_WORDS[card]}
    if bits.has(suit_cards(state.best_card), card):
        return Refusal("MD-24", "too_weak", {**fields, "best": CARD_WORDS[state.best_card]})
    fields["led"] = _led(state)
    if not bits.has(may_throw(state, hand), card):  # MD-26: thrown it would be refused as well
        return Refusal("MD-24", "other_suit_must_follow", {**fields, "plays": _plays(state)})
    return Refusal("MD-24", "other_suit", fields)


def _plays(state: State) -> str:
    """MD-26: what a player with cards of the led suit may play, as it is typed."""
    hand = state.hands[state.turn]
    throws = [DOWN + CARD_WORDS[card] for card in bits.members_of(may_throw(state, hand))]
    return " ".join([CARD_WORDS[card] for card in bits.members_of(may_beat(state, hand))] + throws)


def _led(state: State) -> str:
    return f"@suits.{SUIT_LETTERS[SUIT_OF[state.best_card]]}"
