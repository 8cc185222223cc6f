"""Sap Ng Wu: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.kit.positions import CopyReader, PositionError, whole_number
from tefuda.engine.notation import NO_ACTION
from tefuda.games.sap_ng_wu import scoring
from tefuda.games.sap_ng_wu.notation import NOTATION, card_list
from tefuda.games.sap_ng_wu.plays import LAY_NONE, PARTS, PASS
from tefuda.games.sap_ng_wu.rules import (
    ask_next_supreme,
    beats,
    clear_table,
    decide_or_lead,
    lead_next,
    pass_on,
    play,
)
from tefuda.games.sap_ng_wu.state import (
    CARD_WORDS,
    CARDS,
    COPIES,
    DECIDING,
    FACES,
    FOLLOWING,
    ONE_PLAY,
    STATE,
    SUPREME,
    TWELVE,
)

FIELDS = ("hands", "dealer", "to_move", "won", "supreme", "declined", "contest", "decide", "phase")
FACTS = ("fu", "totals", "next_dealer", "next_leader", "over")


def position(state: Any, fields: Mapping[str, Any]) -> None:
    """Set a moment of a deal in a state that has its options.

    Raises:
        PositionError: an unknown field, card or seat, one copy of a card too many, a contest that cannot be.
    """
    reader = _reader(state)
    reader.known_fields(fields, FIELDS)
    clear_table(state)
    for seat, counts in enumerate(reader.per_seat(fields, "hands")):
        state.hands[seat], state.held[seat] = counts, counts.sum()
    _set_piles(state, fields, reader)
    for seat, declined in enumerate(reader.numbers(fields, "declined")):
        if not 0 <= declined <= scoring.MOST_LEVEL:
            raise PositionError(f"declined: {declined} is not a level from 0 to {scoring.MOST_LEVEL}")
        state.declined[seat] = declined
    state.dealer = reader.seat(fields.get("dealer", 0), "dealer")
    decide = fields.get("decide", False)
    if not isinstance(decide, bool):
        raise PositionError(f"decide: {decide!r} is neither true nor false")
    plays = reader.seated_plays(fields, "contest")
    phase = fields.get("phase", "play")
    if phase == "supreme":
        _begin_supremes(state, fields, reader, decide, bool(plays))
    elif phase == "play":
        _begin_play(state, fields, reader, decide, plays)
    else:
        raise PositionError(f"phase: {phase!r} is neither 'play' nor 'supreme'")


def _reader(state: Any) -> CopyReader:
    return CopyReader(CARD_WORDS, scoring.pack(state), int(state.seats))


def _set_piles(state: Any, fields: Mapping[str, Any], reader: CopyReader) -> None:
    """Cards won and laid, the fu that they are worth (SN-6, SN-7, SN-19) and the fours of a kind paid for (SN-21)."""
    for seat, counts in enumerate(reader.per_seat(fields, "won")):
        state.won[seat] = counts
        state.fu[seat] = counts.sum()
    for seat, counts in enumerate(reader.per_seat(fields, "supreme")):
        cards = int(counts.sum())
        if counts[list(SUPREME)].sum() != cards or (cards and not counts[list(SUPREME)].all()):
            raise PositionError(f"supreme, seat {seat}: {card_list(counts)} is not a 12 and a 24 at least (SN-5)")
        state.laid[seat] = counts
        state.fu[seat] += scoring.EIGHT_FU if cards == 2 * COPIES else cards
        state.quads[seat] = _quads_paid(state, seat)


def _quads_paid(state: Any, seat: int) -> int:
    """SN-21: what his cards have been paid for; with one_play nothing shows that they came as a set."""
    if not state.quad_bonus or state.quad_rule == ONE_PLAY:
        return 0
    quads = int((state.won[seat] + state.laid[seat] == COPIES).sum())
    eight = state.laid[seat].sum() == 2 * COPIES
    return quads - 2 if eight and not state.supreme8_quad_bonus else quads


def _begin_supremes(
    state: Any, fields: Mapping[str, Any], reader: CopyReader, decide: bool, played: bool
) -> None:  # fmt: skip
    """SN-9: the mover is asked, or has just laid cards with which he may stop."""
    if played or state.won.any():
        raise PositionError("phase: nothing has been played before the supreme cards are laid")
    mover = reader.seat(fields.get("to_move", int(state.dealer)), "to_move")
    if "dealer" not in fields:
        state.dealer = _first_asked(state, mover)
    state.asked = (mover - state.dealer) % state.seats
    for seat in range(state.seats):
        if state.laid[seat, TWELVE] and (seat - state.dealer) % state.seats >= state.asked + decide:
            raise PositionError(f"supreme, seat {seat}: not asked yet when seat {mover} is")
    ask_next_supreme(state)
    if decide:
        state.asked += 1
        if not scoring.may_stop(state, mover):
            raise PositionError(f"decide: seat {mover} may not stop now (SN-8, SN-27, SN-30)")
        state.phase = DECIDING


def _first_asked(state: Any, mover: int) -> int:
    """SN-9: whoever has laid cards has been asked before the mover; the dealer is the first of them, or the mover."""
    for before in range(int(state.seats) - 1, 0, -1):
        seat = (mover - before) % int(state.seats)
        if state.laid[seat, TWELVE]:
            return seat
    return mover


def _begin_play(
    state: Any, fields: Mapping[str, Any], reader: CopyReader, decide: bool, plays: list[tuple[int, str]]
) -> None:  # fmt: skip
    state.asked = state.seats
    state.contests = 1
    first = plays[0][0] if plays else reader.seat(fields.get("to_move", int(state.dealer)), "to_move")
    if plays and decide:
        raise PositionError("decide: nobody decides while a contest is in progress")
    if decide:
        decide_or_lead(state, first)
    elif plays:
        _play_contest(state, reader, plays)
        if "to_move" in fields and whole_number(fields["to_move"], "to_move") != state.turn:
            raise PositionError(f"to_move: {fields['to_move']} contradicts the contest, after which {state.turn} acts")
    else:
        lead_next(state, first)
        if "to_move" in fields and state.held.any() and not state.held[first]:
            raise PositionError(f"to_move: seat {first} has no cards to lead (SN-25)")


def _play_contest(state: Any, reader: CopyReader, plays: list[tuple[int, str]]) -> None:
    """The plays so far; their cards were held beside the hands that are given."""
    actions = [(seat, word, NOTATION.actions(state, word)[0]) for seat, word in plays]
    for seat, word, action in actions:
        if action == NO_ACTION or LAY_NONE <= action != PASS:
            raise PositionError(f"contest, seat {seat}: {word} is no play of a contest")
        counts = reader.take(_counts(action), f"contest, seat {seat}")
        state.hands[seat] += counts.astype(np.int8)
        state.held[seat] += counts.sum()
    lead_next(state, plays[0][0])
    for seat, word, action in actions:
        if action == PASS and not state.held[seat]:
            continue  # SN-18: he counts as passing, whether it is written or not
        _check_play(state, seat, word, action)
        if action == PASS:
            pass_on(state)
        else:
            play(state, action)
    if state.contest_size == 0:
        raise PositionError("contest: it is over; give the winner's cards as won")


def _check_play(state: Any, seat: int, word: str, action: int) -> None:
    if seat != state.turn:
        raise PositionError(f"contest: seat {seat} plays {word} out of turn; it is seat {int(state.turn)}'s")
    if state.phase != FOLLOWING and action == PASS:
        raise PositionError(f"contest: seat {seat} leads and cannot pass (SN-10)")
    if state.phase == FOLLOWING and action != PASS:
        best = int(state.contest[state.contest_size - 1])
        if not beats(action, best):
            raise PositionError(f"contest: seat {seat}'s {word} does not beat {NOTATION.words[best]}")


def _counts(action: int) -> NDArray[np.int64]:
    counts = np.zeros(FACES, np.int64)
    for face, cards in PARTS[action]:
        counts[face] += cards
    return counts


def arrange(state: Any, fields: Mapping[str, Any]) -> NDArray[np.int64] | None:
    """SN-4: the deck that deals these hands, the dealer drawing first.

    Raises:
        PositionError: an unknown field, hands that are not the whole pack in equal parts.
    """
    reader, seats = _reader(state), int(state.seats)
    reader.known_fields(fields, ("hands", "dealer"))
    if "dealer" in fields:
        state.dealer = reader.seat(fields["dealer"], "dealer")
    if "hands" not in fields:
        return None
    hands = [np.repeat(np.arange(FACES), counts) for counts in reader.per_seat(fields, "hands")]
    for seat, cards in enumerate(hands):
        if len(cards) != CARDS // seats:
            raise PositionError(f"hands, seat {seat}: {len(cards)} cards instead of {CARDS // seats}")
    dealer = int(state.dealer) if state.dealer >= 0 else int(state.chance) % seats
    return np.array(hands[dealer:] + hands[:dealer], np.int64).T.ravel()


def start_fault(state: Any) -> str | None:
    """What is wrong with a state before dealing, in one line; None if a deal can begin from it."""
    if not -1 <= state.dealer < state.seats:
        return f"dealer: there is no seat {state.dealer}"
    if state.dealer < 0 and state.deals > 0:
        return "dealer: in every deal but the first it is known (SN-3)"
    if not 0 <= state.deals < state.session_deals or state.finished:
        return "deals, finished: no deal follows this one (SN-34)"
    total = int(state.totals[: int(state.seats)].sum())
    if total != int(state.start_counters) * int(state.seats):
        return f"totals: {total} counters in all, {int(state.start_counters) * int(state.seats)} at the start (SN-33)"
    return None


def facts(state: Any) -> dict[str, Any]:
    """What a scenario may expect: fu and counters now; after the deal, who deals and leads next and whether it ends."""
    seats = int(state.seats)
    paid = np.zeros(seats, np.int64)
    verbs.payoff(state, paid)
    found: dict[str, Any] = {"over": False}
    if verbs.mover(state) < 0:
        following = np.zeros(1, STATE)
        verbs.next_deal(state, following[0])
        found["next_dealer"] = found["next_leader"] = int(following[0].dealer)
        found["over"] = bool(following[0].finished)
    found["fu"] = [int(fu) for fu in state.fu[:seats]]
    found["totals"] = [int(total + counters) for total, counters in zip(state.totals, paid, strict=False)]
    return found
