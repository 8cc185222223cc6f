"""Ma Diao: why a play is refused. It asks the rules what may be played, and says why not this."""

from dataclasses import replace

from tefuda.engine.kit import NO_ACTION, NOBODY, Refusal, bits, legal_words, out_of_turn
from tefuda.games.ma_diao import cards
from tefuda.games.ma_diao.cards import CARD_WORDS, DECLARE, REFUSE, SILENT, SUIT_OF, THROW, is_extraordinary
from tefuda.games.ma_diao.rules import may_beat, may_throw
from tefuda.games.ma_diao.state import Phase, State
from tefuda.games.ma_diao.words import DOWN, NOTATION


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may; ``NotationError`` for what is no play."""
    action = NOTATION.actions(state, word)[0]
    if state.phase == Phase.OVER:
        if state.declared:
            return Refusal("MD-10", "deal_declared")
        return Refusal("MD-22", "deal_over") if state.refuser == NOBODY else Refusal("MD-17", "deal_refused")
    if refusal := out_of_turn(state, seat, _turn_rule(state)):
        return refusal
    if action < SILENT:
        why = _why_not_card(state, action)
    else:
        why = _why_not_declaring(state, action) if action <= DECLARE else _why_not_refusing(state, action)
    return replace(why, plays=legal_words(state, NOTATION.words)) if why and not why.plays else why


def _turn_rule(state: State) -> str:
    """The rule that says whose turn it is."""
    if state.phase != Phase.PLAYING:
        return "MD-16" if state.phase == Phase.DECLARING else "MD-19"
    if state.placed:
        return "MD-24"
    return "MD-22" if state.number else "MD-21"


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
    if action != REFUSE or cards.may_refuse(state, state.hands[state.turn]):
        return None
    return Refusal("MD-17", "no_other_refusal_hand" if state.refusal_hands else "no_refusal_hand")


def _why_not_card(state: State, action: int) -> Refusal | None:
    """MD-23 to MD-26."""
    if state.phase != Phase.PLAYING:
        return Refusal("MD-16", "declare_first") if state.phase == Phase.DECLARING else Refusal("MD-19", "refuse_first")
    leads = state.placed == 0
    if action == NO_ACTION:
        return Refusal("MD-23" if leads else "MD-24", "one_card")
    down, card = action >= THROW, action % THROW
    fields = {"card": CARD_WORDS[card]}
    if not bits.has(state.hands[state.turn], card):
        return Refusal("MD-23", "not_held_lead", fields) if leads else Refusal("MD-24", "not_held_follow", fields)
    if leads:
        return Refusal("MD-23", "throw_on_lead", fields, (CARD_WORDS[card],)) if down else None
    if not down:
        return _why_not_beat(state, card)
    if bits.has(may_throw(state, state.hands[state.turn]), card):
        return None
    return Refusal("MD-26", "must_follow", {"card": CARD_WORDS[card], "led": _led(state)})


def _why_not_beat(state: State, card: int) -> Refusal | None:
    """MD-24; the card is held."""
    hand = state.hands[state.turn]
    if bits.has(may_beat(state, hand), card):
        return None
    fields, throw = {"card": CARD_WORDS[card]}, (DOWN + CARD_WORDS[card],)
    if bits.has(cards.suit_cards(state.best_card), card):
        code = "too_weak_cash" if SUIT_OF[card] == cards.CASH else "too_weak"
        return Refusal("MD-24", code, {**fields, "best": CARD_WORDS[state.best_card]}, throw)
    fields["led"] = _led(state)
    if not bits.has(may_throw(state, hand), card):  # MD-26: thrown it would be refused as well
        return Refusal("MD-24", "other_suit_must_follow", fields)
    return Refusal("MD-24", "other_suit", fields, throw)


def _led(state: State) -> str:
    return f"@suits.{cards.SUIT_LETTERS[SUIT_OF[state.best_card]]}"
