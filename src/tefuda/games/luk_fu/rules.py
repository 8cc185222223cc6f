"""Luk Fu: dealing, declaring, leading, following, stopping. Each rule is named by its number on the rules page."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements, rule
from tefuda.games.luk_fu.combinations import (
    list_beating,
    list_quads,
    list_runs,
    list_special_sets,
    list_triples,
    rank_of,
    suit_of,
)
from tefuda.games.luk_fu.old_cards import SIX, single_leads
from tefuda.games.luk_fu.state import (
    ALWAYS_OLD,
    ANY_TRICK,
    CARDS_OF,
    DECIDING,
    DECLARING,
    EIGHT_TRICKS,
    FIVE_TIGERS,
    FOLLOWING,
    HAND,
    LEAD_TIGERS,
    LEADING,
    MOST_SEATS,
    ON,
    OVER,
    PASS,
    PLAY,
    RANKS,
    SHORTEST_RUN,
    SHOW_TIGERS,
    STATE,
    STOP,
    SUITS,
    THROW,
)

NOBODY = -1
ACTIVE = 3
"""LF-1: players in a deal."""


@rule
def next_active(s: Any, seat: int) -> int:
    """LF-2, LF-8: counter-clockwise, the sitter skipped."""
    following = seat + 1 if seat + 1 < s.seats else 0
    if following == s.sitter:
        following = following + 1 if following + 1 < s.seats else 0
    return following


# Dealing


@implements(verbs.deal, STATE)
def deal(state: Any, deck: Any) -> None:
    """LF-3, LF-5 to LF-7: cards singly to the active players; the last one lies apart or is the sitter's."""
    s = state
    clear_table(s)
    if s.dealer == NOBODY:
        s.dealer = s.chance % s.seats
    seat_players(s)
    seat = bits.wide(s.eldest)
    for k in range(ACTIVE * HAND):
        s.hands[seat] |= bits.only(deck[k])
        seat = next_active(s, seat)
    for _ in range(ACTIVE):
        s.dealt[seat] = s.hands[seat]
        s.held[seat] = HAND
        seat = next_active(s, seat)
    last = bits.only(deck[ACTIVE * HAND])
    if s.sitter == NOBODY:
        s.dead = last
    else:
        s.sitter_card[s.sitter] = last


@rule
def seat_players(s: Any) -> None:
    """LF-6, LF-7: with three the dealer is eldest; with four he sits out, and the player opposite is."""
    s.sitter = NOBODY if s.seats == ACTIVE else s.dealer
    s.eldest = s.dealer if s.seats == ACTIVE else (s.dealer + 2) % s.seats
    s.turn = s.leader = s.first_leader = s.eldest


@rule
def clear_table(s: Any) -> None:
    """Empty everything that belongs to one deal."""
    for seat in range(MOST_SEATS):
        s.hands[seat] = s.dealt[seat] = s.sitter_card[seat] = s.discards[seat] = bits.EMPTY
        s.won[seat] = s.captured[seat] = bits.EMPTY
        s.held[seat] = s.tricks[seat] = 0
        for suit in range(SUITS):
            s.bounds[seat, suit] = RANKS
        for number in range(HAND):
            s.played[seat, number] = s.thrown[seat, number] = bits.EMPTY
    s.turned_up = s.dead = s.faceup = s.best = bits.EMPTY
    s.phase = DECLARING
    s.answers = s.number = s.led_count = s.best_seat = s.placed = s.to_throw = s.stopped = 0
    s.opening = 1
    s.declarer = s.last_to_six = NOBODY


# Whose turn, and what he may do


@implements(verbs.mover, STATE)
def mover(state: Any) -> int:
    """LF-9, LF-12, LF-29, LF-41."""
    return -1 if state.phase == OVER else state.turn


@implements(verbs.legal, STATE)
def legal(state: Any, out: Any) -> int:
    """What may be declared, led, played, thrown or decided."""
    if state.phase == FOLLOWING:
        return list_follows(state, out)
    if state.phase == LEADING:
        return list_leads(state, out)
    if state.phase == DECLARING:
        out[0], out[1] = PLAY, PASS
        return 2
    if state.phase == DECIDING:
        out[0], out[1] = STOP, ON
        return 2
    return 0


@rule
def is_capped(s: Any) -> bool:
    """LF-16: whether this is the first lead of an eldest who passed: no more than three cards."""
    return s.opening == 1 and s.declarer != s.eldest


@rule
def list_leads(s: Any, out: Any) -> int:
    """LF-13 to LF-21, LF-45."""
    hand = s.hands[s.turn]
    capped = is_capped(s)
    n = bits.list_into(single_leads(s, s.turn), out)
    every_rank = bits.span(0, RANKS)
    n = list_triples(hand, every_rank, out, n)
    if not capped:
        n = list_quads(hand, every_rank, out, n)
    n = list_special_sets(s, hand, 3, out, n)
    if not capped:
        n = list_special_sets(s, hand, 4, out, n)
    n = list_runs(hand, SHORTEST_RUN if capped else RANKS, out, n)
    return n if capped else list_tigers(s, hand, out, n)


@rule
def list_tigers(s: Any, hand: int, out: Any, n: int) -> int:
    """LF-45: add what may be done with the five tigers."""
    if bits.inside(FIVE_TIGERS, hand):
        if s.tigers_lead == 1:
            out[n] = LEAD_TIGERS
            n += 1
        out[n] = SHOW_TIGERS
        n += 1
    return n


@rule
def list_follows(s: Any, out: Any) -> int:
    """LF-30, LF-31: what beats; if nothing does, the cards to throw."""
    hand = s.hands[s.turn]
    if s.to_throw == 0:
        n = list_beating(s, hand, s.best, s.led_count, out)
        if n > 0:
            return n
    n = bits.list_into(throwable(s, hand), out)
    for k in range(n):
        out[k] += THROW
    return n


@rule
def throwable(s: Any, hand: int) -> int:
    """LF-31: the cards that may be thrown next: they go one by one, ascending, and enough must be left above."""
    begun = s.thrown[s.turn, s.number]
    cards = hand if begun == bits.EMPTY else bits.above(hand, bits.highest(begun))
    left = bits.wide(s.to_throw if s.to_throw > 0 else s.led_count)
    for _ in range(left - 1):
        cards = bits.without_highest(cards)
    return cards


# Moves


@implements(verbs.disguise, STATE)
def disguise(state: Any, action: int) -> int:
    """LF-31: a card thrown face down looks like any other."""
    return THROW if THROW <= action < THROW + THROW else action


@implements(verbs.apply, STATE)
def apply(state: Any, action: int) -> None:
    """Throw a card, play cards, declare, decide."""
    if action < THROW or THROW + THROW <= action <= LEAD_TIGERS:
        play_cards(state, CARDS_OF[action])
    elif action < THROW + THROW:
        throw_card(state, action - THROW)
    elif action == SHOW_TIGERS:
        show_tigers(state)
    elif action in (PLAY, PASS):
        declare(state, action)
    elif action == STOP:
        end_deal(state, 1)
    else:
        state.phase, state.turn = LEADING, state.leader


@rule
def declare(s: Any, action: int) -> None:
    """LF-9 to LF-12: the first to say play is declarer; eldest leads; three passes end the deal."""
    s.answers += 1
    if action == PLAY:
        s.declarer = s.turn
        s.phase, s.turn = LEADING, s.eldest
    elif s.answers == ACTIVE:
        s.phase = OVER
    else:
        s.turn = next_active(s, s.turn)


@rule
def play_cards(s: Any, cards: int) -> None:
    """LF-13, LF-30, LF-37: a lead, or cards that beat the best on the table."""
    seat = s.turn
    count = bits.size(cards)
    lay_face_up(s, seat, cards, count)
    s.best, s.best_seat = cards, seat
    if s.phase == LEADING:
        s.phase, s.led_count, s.opening = FOLLOWING, count, 0
        s.turn = next_active(s, seat)
    else:
        end_turn(s)


@rule
def lay_face_up(s: Any, seat: int, cards: int, count: int) -> None:
    """From the hand to the table, for all to see."""
    s.hands[seat] = bits.without(s.hands[seat], cards)
    s.held[seat] -= count
    s.played[seat, s.number] = cards
    s.faceup |= cards


@rule
def throw_card(s: Any, card: int) -> None:
    """LF-31: one card face down; the play is complete with as many as were led."""
    seat = s.turn
    thrown = bits.only(card)
    if s.to_throw == 0:
        s.to_throw = s.led_count
        note_bound(s.bounds, seat, s.best, s.led_count)
    s.hands[seat] = bits.without(s.hands[seat], thrown)
    s.held[seat] -= 1
    s.thrown[seat, s.number] |= thrown
    s.discards[seat] |= thrown
    s.to_throw -= 1
    if s.to_throw == 0:
        end_turn(s)


@rule
def note_bound(bounds: Any, seat: int, best: int, size: int) -> None:
    """LF-25: who does not beat a single that can be beaten holds nothing higher of its suit."""
    if size == 1 and best & ALWAYS_OLD == bits.EMPTY:
        card = bits.lowest(best)
        suit = suit_of(card)
        bounds[seat, suit] = min(bits.wide(bounds[seat, suit]), rank_of(card) + 1)


@rule
def end_turn(s: Any) -> None:
    """LF-29: the next player follows; after the last the trick is over."""
    s.placed += 1
    if s.placed == ACTIVE - 1:
        take_trick(s)
    else:
        s.turn = next_active(s, s.turn)


@rule
def take_trick(s: Any) -> None:
    """LF-38 to LF-43: the best combination wins as many tricks as it has cards."""
    winner = bits.wide(s.best_seat)
    for seat in range(s.seats):
        if seat != winner:
            s.captured[winner] |= s.played[seat, s.number] | s.thrown[seat, s.number]
    s.won[winner] |= s.best
    credit(s, winner, s.led_count)
    s.number += 1
    s.best = bits.EMPTY
    s.led_count = s.placed = s.best_seat = 0
    s.leader = s.turn = winner
    if s.held[winner] == 0:
        end_deal(s, 0)
    else:
        ask_to_stop(s, winner)


@rule
def credit(s: Any, seat: int, count: int) -> None:
    """LF-38, LF-42: more tricks for a player; who gets to six last is remembered."""
    if s.tricks[seat] < SIX and s.tricks[seat] + count >= SIX:
        s.last_to_six = seat
    s.tricks[seat] += count


@rule
def ask_to_stop(s: Any, winner: int) -> None:
    """LF-41: a player with six tricks who has just won one; with any_trick also after one he lost."""
    s.phase = LEADING
    if s.tricks[winner] >= SIX:
        s.phase = DECIDING
    elif s.stop_timing == ANY_TRICK and s.last_to_six != NOBODY:
        s.phase, s.turn = DECIDING, s.last_to_six


@rule
def show_tigers(s: Any) -> None:
    """LF-45: the five tigers end play; they count six (eight) tricks, twelve in all at most, and win."""
    seat = bits.wide(s.turn)
    lay_face_up(s, seat, FIVE_TIGERS, SUITS + 1)
    s.won[seat] |= FIVE_TIGERS  # LF-45a
    tricks = s.tricks[seat] + (8 if s.tigers_value == EIGHT_TRICKS else SIX)
    s.tricks[seat] = min(HAND, tricks)
    s.last_to_six = seat
    s.opening = 0
    end_deal(s, 1)


@rule
def end_deal(s: Any, stopped: int) -> None:
    """LF-41, LF-43, LF-50: play is over; if somebody has won, the sitter turns up his card."""
    s.phase, s.stopped = OVER, stopped
    if s.sitter != NOBODY and s.last_to_six != NOBODY:
        s.turned_up = s.sitter_card[s.sitter]
        s.sitter_card[s.sitter] = bits.EMPTY
