"""Sap Ng Wu: positions as scenario files write them, and what such files may expect of a state."""

import numpy as np

from tefuda.engine.kit import NO_ACTION, NOBODY, Ints, clear_deal, deck_of, received_by, session_facts, session_fault
from tefuda.engine.kit.positions import CopyReader, Fields, PositionError, check_dealt, check_in_turn
from tefuda.games.sap_ng_wu import rules, scoring
from tefuda.games.sap_ng_wu.plays import CARD_WORDS, COPIES, FACES, LAY_NONE, PARTS, PASS, SUPREME, TWELVE, card_list
from tefuda.games.sap_ng_wu.state import Phase, QuadRule, State
from tefuda.games.sap_ng_wu.words import NOTATION

FIELDS = ("hands", "dealer", "to_move", "won", "supreme", "declined", "contest", "decide", "phase")
FACTS = ("over", "next_dealer", "next_leader", "fu", "totals")

Plays = list[tuple[int, str]]


def position(state: State, fields: Fields) -> None:
    """Set a moment of a deal in a state that has its options; ``PositionError`` for one that cannot be."""
    reader = CopyReader(fields, FIELDS, CARD_WORDS, scoring.pack(state), int(state.seats))
    clear_deal(state)
    reader.fill(state, "hands", "won", supreme="laid")
    _score_piles(state)
    state.declined[: state.seats] = reader.numbers("declined", 0, int(state.highest_level), "a level ")
    state.dealer = reader.seat_of("dealer", 0)
    decide, plays = reader.switch("decide"), reader.seated_plays("contest")
    begin = reader.word("phase", {"play": _begin_play, "supreme": _begin_supremes})
    begin(state, reader, decide, plays)


def _score_piles(state: State) -> None:
    """The fu that cards won and laid are worth (SN-6, SN-7, SN-19) and the fours of a kind paid for (SN-21)."""
    for seat in range(state.seats):
        laid, cards = state.laid[seat][:], int(state.laid[seat].sum())
        supremes = laid[list(SUPREME)]
        if supremes.sum() != cards or (cards and not supremes.all()):
            raise PositionError(f"supreme, seat {seat}: {card_list(laid)} is not a 12 and a 24 at least (SN-5)")
        eight = cards == 2 * COPIES
        state.fu[seat] = state.won[seat].sum() + (state.eight_laid if eight else cards)
        # SN-21; with one_play nothing shows that four of a kind came as a set.
        if state.quad_bonus and state.quad_rule != QuadRule.ONE_PLAY:
            unpaid = 2 if eight and not state.supreme8_quad_bonus else 0
            state.quads[seat] = (state.won[seat][:] + laid == COPIES).sum() - unpaid


def _begin_supremes(state: State, reader: CopyReader, decide: bool, plays: Plays) -> None:
    """SN-9: the mover is asked, or has just laid cards with which it may stop."""
    if plays or state.won.any():
        raise PositionError("phase: nothing has been played before the supreme cards are laid")
    mover = reader.seat_of("to_move", state.dealer)
    if "dealer" not in reader.fields:
        # who has laid cards has been asked before the mover; the dealer is the first of them, or the mover
        before = ((mover + k) % int(state.seats) for k in range(1, state.seats))
        state.dealer = next((seat for seat in before if state.laid[seat, TWELVE]), mover)
    state.asked = (mover - state.dealer) % state.seats
    for seat in range(state.seats):
        if state.laid[seat, TWELVE] and (seat - state.dealer) % state.seats >= state.asked + decide:
            raise PositionError(f"supreme, seat {seat}: not asked yet when seat {mover} is")
    rules.ask_next_supreme(state)
    if decide:
        state.asked += 1
        if not scoring.may_stop(state, mover):
            raise PositionError(f"decide: seat {mover} may not stop now (SN-8, SN-27, SN-30)")
        state.phase = Phase.DECIDING


def _begin_play(state: State, reader: CopyReader, decide: bool, plays: Plays) -> None:
    """SN-10, SN-22: somebody leads, decides, or a contest is in progress."""
    state.asked = state.seats
    state.contests = 1
    first = reader.first_to_act(plays, state.dealer)
    if plays and decide:
        raise PositionError("decide: nobody decides while a contest is in progress")
    if decide:
        rules.decide_or_lead(state, first)
    elif plays:
        _play_contest(state, reader, plays)
        reader.check_turn(state.turn, "contest")
    else:
        rules.lead_next(state, first)
        if "to_move" in reader.fields and state.held.any() and not state.held[first]:
            raise PositionError(f"to_move: seat {first} has no cards to lead (SN-25)")


def _play_contest(state: State, reader: CopyReader, plays: Plays) -> None:
    """The plays so far; their cards were held beside the hands that are given."""
    actions = [(seat, word, NOTATION.actions(state, word)[0]) for seat, word in plays]
    for seat, word, action in actions:
        if action == NO_ACTION or LAY_NONE <= action != PASS:
            raise PositionError(f"contest, seat {seat}: {word} is no play of a contest")
        counts = np.zeros(FACES, np.int64)
        for face, cards in PARTS[action]:
            counts[face] = cards
        reader.take(counts, f"contest, seat {seat}")
        state.hands[seat][:] += counts.astype(np.int8)
        state.held[seat] += counts.sum()
    rules.lead_next(state, plays[0][0])
    for seat, word, action in actions:
        if action == PASS and not state.held[seat]:
            continue  # SN-18: this counts as passing, whether it is written or not
        _check_play(state, seat, word, action)
        rules.apply(state, action)
    if state.contest_size == 0:
        raise PositionError("contest: it is over; give the winner's cards as won")


def _check_play(state: State, seat: int, word: str, action: int) -> None:
    check_in_turn(seat, state.turn, "contest", word)
    follows = state.phase == Phase.FOLLOWING
    if not follows and action == PASS:
        raise PositionError(f"contest: seat {seat} leads and cannot pass (SN-10)")
    if follows and action != PASS and not rules.beats(action, rules.latest(state)):
        best = NOTATION.words[rules.latest(state)]
        raise PositionError(f"contest: seat {seat}'s {word} does not beat {best}")


def arrange(state: State, fields: Fields) -> Ints | None:
    """SN-4: the deck that deals these hands, the dealer drawing first; in the miniature the others come last.

    ``PositionError`` for what cannot be dealt."""
    seats = int(state.seats)
    reader = CopyReader(fields, ("hands", "dealer"), CARD_WORDS, scoring.pack(state), seats)
    state.dealer = reader.seat_of("dealer", state.dealer)
    if "hands" not in fields:
        return None
    counts = reader.per_seat("hands")
    check_dealt(counts, int(scoring.hand_size(state)))
    dealer = int(state.dealer) if state.dealer >= 0 else int(state.chance) % seats
    hands = [np.repeat(np.arange(FACES), each).tolist() for each in (*counts, reader.left)]
    return deck_of([*hands[dealer:seats], *hands[:dealer]], 1, hands[seats])


def start_fault(state: State) -> str | None:
    """The fault of a state before dealing, in one line; None if a deal can begin from it."""
    if state.dealer == NOBODY and state.deals > 0:
        return "dealer: in every deal but the first it is known (SN-3)"
    return session_fault(state, "dealer", "SN-3", end_rule="SN-34", counters_rule="SN-33")


def facts(state: State) -> dict[str, object]:
    """Facts that a scenario may expect: fu and counters now; then who deals and leads next and whether it ends."""
    seats = int(state.seats)
    totals = [int(total) for total in state.totals[:seats] + received_by(state)]
    found = {**session_facts(state, "dealer"), "fu": [int(fu) for fu in state.fu[:seats]], "totals": totals}
    return {name: found[name] for name in FACTS if name in found}
