"""Luk Fu: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping

import numpy as np

from tefuda.engine.kit import NO_ACTION, NOBODY, Ints, bits, clear_deal, deck_of, session_facts, session_fault, verbs
from tefuda.engine.kit.positions import CardReader, Fields, PositionError, check_dealt, whole_number
from tefuda.engine.kit.session import following_of
from tefuda.games.luk_fu import rules
from tefuda.games.luk_fu.cards import CARD_WORDS, HAND, PACK, RANKS, SUIT_LETTERS
from tefuda.games.luk_fu.plays import WINNING_TRICKS, can_beat, old_in_hand
from tefuda.games.luk_fu.rules import ACTIVE, eldest_of, seats_in_turn
from tefuda.games.luk_fu.state import Phase, State
from tefuda.games.luk_fu.words import actions_of, card_list, joined, split

FIELDS = (
    "hands", "dealer", "to_move", "eldest", "declarer", "dealt", "faceup", "thrown", "won", "tricks", "trick", "bounds",
    "opening", "captured", "decide", "sitter_card", "reached",
)  # fmt: skip
FACTS = ("totals", "tricks", "old", "next_leader", "next_dealer", "over")


def position(state: State, fields: Fields) -> None:
    """Set a moment of a deal in a state that has its options; ``PositionError`` for one that cannot be."""
    reader = CardReader(fields, FIELDS, CARD_WORDS, PACK, int(state.seats))
    clear_deal(state)
    _set_seats(state, reader)
    reader.fill(state, "hands", "faceup", "won", "opening", thrown="discards")
    state.faceup |= int(np.bitwise_or.reduce(state.won[:]))
    state.captured[: state.seats] = reader.named_per_seat("captured")
    _set_tricks(state, reader)
    _set_bounds(state, fields.get("bounds", {}), reader)
    if "sitter_card" in fields:
        state.sitter_card[state.sitter] = _sitter_card(state, reader)
    for seat, cards in enumerate(reader.named_per_seat("dealt")):
        state.dealt[seat] = state.hands[seat] | cards
    _check_sitter(state)
    _set_moment(state, reader)


def _set_seats(state: State, reader: CardReader) -> None:
    """LF-7: of dealer and eldest, each follows from the other."""
    dealer = int(eldest_of(state, reader.seat_of("eldest", 0)))  # the dealer sits where eldest sits from there
    state.dealer = reader.seat_of("dealer", dealer)
    if "eldest" in reader.fields and state.dealer != dealer:
        raise PositionError(f"dealer: with eldest {reader.fields['eldest']} seat {dealer} has dealt (LF-7)")
    rules.seat_players(state)
    state.declarer = reader.seat_of("declarer", 0 if state.sitter != 0 else state.eldest)
    if state.declarer == state.sitter:
        raise PositionError(f"declarer: seat {state.declarer} sits out (LF-6)")
    state.answers = seats_in_turn(state, state.eldest).index(int(state.declarer)) + 1


def _check_sitter(state: State) -> None:
    """LF-6."""
    seat = int(state.sitter)
    given = {"hands": state.hands, "thrown": state.discards, "won": state.won, "dealt": state.dealt}
    for field, cards in given.items():
        if seat != NOBODY and cards[seat]:
            raise PositionError(f"{field}: seat {seat} sits out and holds one card only: give it as sitter_card (LF-6)")


def _set_tricks(state: State, reader: CardReader) -> None:
    """LF-38, LF-42: tricks per seat, and who got to six last."""
    given = reader.numbers("tricks", 0, HAND) if "tricks" in reader.fields else map(bits.size, state.won[: state.seats])
    state.tricks[: state.seats] = list(given)
    at_six = [seat for seat in range(state.seats) if state.tricks[seat] >= WINNING_TRICKS]
    reached = reader.fields.get("reached", at_six)
    if not isinstance(reached, list) or sorted(reader.seat(seat, "reached") for seat in reached) != at_six:
        raise PositionError(f"reached: {reached!r} is not an order of the seats that have six tricks: {at_six}")
    if len(at_six) > 1 and "reached" not in reader.fields:
        raise PositionError("reached: two seats have six tricks; say who reached them first and who last (LF-43)")
    state.last_to_six = reached[-1] if reached else NOBODY


def _set_bounds(state: State, bounds: object, reader: CardReader) -> None:
    """LF-25."""
    if not isinstance(bounds, Mapping) or not all(isinstance(suits, Mapping) for suits in bounds.values()):
        raise PositionError(f"bounds: {bounds!r} is not a table such as {{ 1 = {{ K = 8 }} }}")
    for word, suits in bounds.items():
        if not str(word).isdecimal():
            raise PositionError(f"bounds: {word!r} is not a seat")
        seat = reader.seat(int(word), "bounds")
        for letter, rank in suits.items():
            if letter not in tuple(SUIT_LETTERS):
                raise PositionError(f"bounds: {letter!r} is not one of the suits {' '.join(SUIT_LETTERS)}")
            state.bounds[seat, SUIT_LETTERS.index(letter)] = whole_number(rank, "bounds", 1, RANKS, "a rank ")


def _sitter_card(state: State, reader: CardReader) -> int:
    """LF-6: as a set."""
    if state.sitter == NOBODY:
        raise PositionError("sitter_card: nobody sits out with three players (LF-6)")
    return int(bits.only(reader.card(str(reader.fields["sitter_card"]), "sitter_card")))


def _set_moment(state: State, reader: CardReader) -> None:
    """Set whose turn it is, and the trick in progress."""
    plays = reader.seated_plays("trick")
    first = reader.first_to_act(plays, state.eldest)
    if first == state.sitter:
        raise PositionError(f"to_move: seat {first} sits out (LF-6)")
    if state.opening and first != state.eldest:
        raise PositionError(f"opening: eldest, seat {state.eldest}, makes the first lead (LF-12)")
    state.phase = Phase.LEADING
    state.turn = state.leader = state.first_leader = first
    for seat, word in reader.in_turn("trick", plays, state, ACTIVE - 1, "the cards as faceup, won and thrown"):
        _lay(state, seat, word, reader)
    if reader.switch("decide"):
        if plays or state.tricks[first] < WINNING_TRICKS:
            raise PositionError("decide: only a player with six tricks decides, and between tricks (LF-41)")
        state.phase = Phase.DECIDING
    elif not plays and not state.held.any():
        rules.end_deal(state, False)


def _lay(state: State, seat: int, word: str, reader: CardReader) -> None:
    """One play of the trick in progress, whose cards its player is taken to have held beside the hand that is given."""
    down, cards = split(word)
    reader.placed(card_list(cards), f"trick, seat {seat}")
    state.hands[seat] |= cards
    state.held[seat] += bits.size(cards)
    state.dealt[seat] |= cards
    follows = state.phase == Phase.FOLLOWING
    if actions_of(state, word)[0] == NO_ACTION or (follows and bits.size(cards) != state.led_count):
        raise PositionError(f"trick: {word!r} of seat {seat} is no play here (LF-14, LF-29)")
    if follows and not down and not can_beat(state, cards, state.best, state.led_count):
        raise PositionError(f"trick: {word} of seat {seat} does not beat {joined(state.best)} (LF-30)")
    if not down:
        rules.play_cards(state, cards)
        return
    for card in bits.members_of(cards):
        rules.throw_card(state, card)


def arrange(state: State, fields: Fields) -> Ints | None:
    """LF-5, LF-6: the dealer, and the deck that deals these hands, one card at a time from eldest.

    ``PositionError`` for what cannot be dealt."""
    reader = CardReader(fields, ("hands", "dealer", "sitter_card"), CARD_WORDS, PACK, int(state.seats))
    state.dealer = reader.seat_of("dealer", state.dealer)
    if "hands" not in fields:
        if "sitter_card" in fields:
            raise PositionError("sitter_card: give it with the hands")
        return None
    hands = reader.per_seat("hands")
    if state.dealer == NOBODY:
        state.dealer = hands.index(0) if state.seats > ACTIVE and 0 in hands else 0
    rules.seat_players(state)
    given = _sitter_card(state, reader) if "sitter_card" in fields else bits.EMPTY
    check_dealt(hands, HAND, none_to=state.sitter)
    last = bits.without(PACK, sum(hands))
    if given not in (bits.EMPTY, last):
        raise PositionError(f"sitter_card: the hands leave {card_list(last)}")
    order = [bits.members_of(hands[seat]) for seat in seats_in_turn(state, state.eldest)]
    return deck_of(order, 1, bits.members_of(last))


def start_fault(state: State) -> str | None:
    """The fault of a state before dealing, in one line; None if a deal can begin from it."""
    return session_fault(state, "dealer", "LF-3", end_rule="LF-56")


def facts(state: State) -> dict[str, object]:
    """Facts that a scenario may expect: totals and tricks now, the mover's old cards; then who deals the next."""
    found, following = session_facts(state, "dealer", ("next_dealer", "next_leader")), following_of(state)
    if following is not None:
        found["next_leader"] = int(eldest_of(state, following["dealer"]))
    else:
        mover = verbs.mover(state)
        found["old"] = card_list(int(old_in_hand(state, mover))).split()
    return {**found, "tricks": [int(tricks) for tricks in state.tricks[: int(state.seats)]]}
