"""Sap Ng Wu: dealing, laying supreme cards, contests. Each rule is named by its number on the rules page."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements, rule
from tefuda.games.sap_ng_wu.plays import (
    COMBINATIONS,
    LAY_NONE,
    LAYS,
    ON,
    PART_CARDS,
    PART_COUNT,
    PART_FACE,
    PASS,
    SHAPES,
    SIZE,
    STOP,
    STRENGTHS,
    SUPREME_LEADS,
    combination_action,
    holds,
    is_set,
    is_supreme_lead,
    set_action,
    supreme_selection,
)
from tefuda.games.sap_ng_wu.scoring import level, may_stop, score_laid, score_play, score_win
from tefuda.games.sap_ng_wu.state import (
    COMBINATION_FACES,
    COPIES,
    DECIDING,
    ENDS,
    FACES,
    FOLLOWING,
    LEADING,
    LEADS_NONE_LAID,
    MOST_PLAYS,
    MOST_SEATS,
    OVER,
    STATE,
    STRONGEST,
    SUPREMES,
    TWELVE,
    TWENTY_FOUR,
)

NOBODY = -1


@rule
def next_seat(s: Any, seat: int) -> int:
    """Counter-clockwise: the right-hand neighbour."""
    return seat + 1 if seat + 1 < s.seats else 0


# Dealing


@implements(verbs.deal, STATE)
def deal(state: Any, deck: Any) -> None:
    """SN-2, SN-4: the dealer draws first; each draws one card at a time until none are left."""
    s = state
    clear_table(s)
    if s.dealer == NOBODY:
        s.dealer = s.chance % s.seats
    seat = bits.wide(s.dealer)
    for card in deck:
        s.hands[seat, card] += 1
        s.held[seat] += 1
        seat = next_seat(s, seat)
    ask_next_supreme(s)


@rule
def clear_table(s: Any) -> None:
    """Empty everything that belongs to one deal."""
    for seat in range(MOST_SEATS):
        for face in range(FACES):
            s.hands[seat, face] = s.laid[seat, face] = s.won[seat, face] = 0
        s.held[seat] = s.fu[seat] = s.declined[seat] = s.quads[seat] = 0
    for face in range(FACES):
        s.table[face] = s.discards[face] = 0
    s.asked = s.contests = 0
    s.contest_size = MOST_PLAYS
    clear_contest(s)
    s.stopper = NOBODY


@rule
def clear_contest(s: Any) -> None:
    """Forget the plays of the contest in progress; its cards are dealt with elsewhere."""
    for place in range(s.contest_size):
        s.contest[place] = NOBODY
        s.contest_by[place] = 0
    s.contest_size = s.passed = 0


# Whose turn, and what he may do


@implements(verbs.mover, STATE)
def mover(state: Any) -> int:
    """SN-9, SN-12, SN-22, SN-25."""
    return -1 if state.phase == OVER else state.turn


@implements(verbs.legal, STATE)
def legal(state: Any, out: Any) -> int:
    """What the seat on turn may do."""
    s = state
    if s.phase == FOLLOWING:
        return list_follows(s, out)
    if s.phase == LEADING:
        return list_leads(s, out)
    if s.phase == SUPREMES:
        return list_lays(s, out)
    if s.phase == DECIDING:  # SN-22, SN-29
        out[0], out[1] = STOP, ON
        return 2
    return 0


@rule
def list_lays(s: Any, out: Any) -> int:
    """SN-5: at least one 12 and one 24, or nothing; without supreme_partial all or nothing."""
    hand = s.hands[s.turn]
    out[0] = LAY_NONE
    n = 1
    for a in range(1, hand[TWELVE] + 1):
        for b in range(1, hand[TWENTY_FOUR] + 1):
            if s.supreme_partial == 1 or (a == hand[TWELVE] and b == hand[TWENTY_FOUR]):
                out[n] = LAYS + supreme_selection(a, b)
                n += 1
    return n


@rule
def list_leads(s: Any, out: Any) -> int:
    """SN-11: every single, set, combination and supreme of the hand."""
    hand = s.hands[s.turn]
    n = 0
    for face in range(FACES):
        for k in range(hand[face]):
            out[n] = face * COPIES + k
            n += 1
    for strength in range(STRENGTHS):
        n = list_combinations(hand, strength, out, n)
    if may_lead_supreme(s):
        for a in range(1, hand[TWELVE] + 1):
            for b in range(1, hand[TWENTY_FOUR] + 1):
                out[n] = SUPREME_LEADS + supreme_selection(a, b)
                n += 1
    return n


@rule
def list_combinations(hand: Any, strength: int, out: Any, n: int) -> int:
    """SN-11, 3: the combinations of one strength that the hand holds, after the n in ``out``; how many now."""
    civil = bits.wide(hand[COMBINATION_FACES[strength, 0]])
    military_1 = bits.wide(hand[COMBINATION_FACES[strength, 1]])
    military_2 = bits.wide(hand[COMBINATION_FACES[strength, 2]])
    for c in range(1, civil + 1):
        for m1 in range(military_1 + 1):
            for m2 in range(military_2 + 1):
                if m1 + m2 > 0:
                    out[n] = combination_action(strength, c, m1, m2)
                    n += 1
    return n


@rule
def may_lead_supreme(s: Any) -> bool:
    """SN-11, 4; supreme_lead = none_laid: not by whoever has laid supreme cards before play."""
    return s.supreme_lead != LEADS_NONE_LAID or s.laid[s.turn, TWELVE] == 0


@rule
def latest(s: Any) -> int:
    """The latest play of the contest in progress."""
    return bits.wide(s.contest[s.contest_size - 1])


@rule
def list_follows(s: Any, out: Any) -> int:
    """SN-12 to SN-15, SN-17: everything of the hand that is like the latest play and stronger, or pass."""
    hand = s.hands[s.turn]
    best = latest(s)
    n = 0
    if is_set(best):
        face, cards = best // COPIES, best % COPIES + 1
        for stronger in range(STRONGEST[face], face):
            if hand[stronger] >= cards:
                out[n] = set_action(stronger, cards)
                n += 1
    else:
        stronger = best + SHAPES
        while stronger < SUPREME_LEADS:
            if holds(hand, stronger):
                out[n] = stronger
                n += 1
            stronger += SHAPES
    out[n] = PASS
    return n + 1


@rule
def beats(action: int, best: int) -> bool:
    """SN-13 to SN-16: whether a play is like another and stronger."""
    if is_set(best):
        face, cards = best // COPIES, best % COPIES
        return action % COPIES == cards and STRONGEST[face] <= action // COPIES < face
    return best < action < SUPREME_LEADS and (action - COMBINATIONS) % SHAPES == (best - COMBINATIONS) % SHAPES


# Moves


@implements(verbs.apply, STATE)
def apply(state: Any, action: int) -> None:
    """Lay supreme cards, play, pass, stop or go on."""
    s = state
    if action < LAY_NONE:
        play(s, action)
    elif action == PASS:
        pass_on(s)
    elif action == STOP:
        stop(s)
    elif action == ON:
        decline(s)
    else:
        lay(s, action)


@rule
def lay(s: Any, action: int) -> None:
    """SN-5, SN-9: one player's answer; what follows from it comes at once (SN-8, SN-21)."""
    seat = bits.wide(s.turn)
    take_from_hand(s, seat, action)
    for k in range(PART_COUNT[action]):
        s.laid[seat, PART_FACE[action, k]] += PART_CARDS[action, k]
    score_laid(s, seat, action)
    s.asked += 1
    if may_stop(s, seat):
        s.phase = DECIDING
    else:
        ask_next_supreme(s)


@rule
def ask_next_supreme(s: Any) -> None:
    """SN-9, SN-10: from the dealer on everybody is asked, then the dealer leads."""
    if s.asked < s.seats:
        s.phase = SUPREMES
        s.turn = (s.dealer + s.asked) % s.seats
    else:
        lead_next(s, bits.wide(s.dealer))


@rule
def lead_next(s: Any, seat: int) -> None:
    """SN-25, SN-26, SN-32: this seat leads, or the next with cards; without any the deal is drawn."""
    holders = 0
    for each in range(s.seats):
        if s.held[each] > 0:
            holders += 1
    if holders == 0 or (holders == 1 and s.last_holder == ENDS):
        s.phase = OVER
        return
    while s.held[seat] == 0:
        seat = next_seat(s, seat)
    s.turn = seat
    s.phase = LEADING


@rule
def take_from_hand(s: Any, seat: int, action: int) -> None:
    """The cards of an action leave the hand."""
    for k in range(PART_COUNT[action]):
        s.hands[seat, PART_FACE[action, k]] -= PART_CARDS[action, k]
    s.held[seat] -= SIZE[action]


@rule
def play(s: Any, action: int) -> None:
    """SN-11, SN-12: cards are put down, and the next player is asked."""
    seat = bits.wide(s.turn)
    if s.contest_size > 0:
        discard_latest(s)
    take_from_hand(s, seat, action)
    for k in range(PART_COUNT[action]):
        s.table[PART_FACE[action, k]] += PART_CARDS[action, k]
    s.contest[s.contest_size] = action
    s.contest_by[s.contest_size] = seat
    s.contest_size += 1
    s.passed = bits.without(bits.wide(s.passed), bits.only(seat))
    score_play(s, seat, action)
    if is_supreme_lead(action):  # SN-16
        win_contest(s, seat)
    else:
        ask_next(s, seat)


@rule
def discard_latest(s: Any) -> None:
    """SN-20: what is beaten will belong to nobody."""
    action = latest(s)
    for k in range(PART_COUNT[action]):
        s.table[PART_FACE[action, k]] -= PART_CARDS[action, k]
        s.discards[PART_FACE[action, k]] += PART_CARDS[action, k]


@rule
def pass_on(s: Any) -> None:
    """SN-17."""
    s.passed |= bits.only(s.turn)
    ask_next(s, bits.wide(s.turn))


@rule
def ask_next(s: Any, seat: int) -> None:
    """SN-12, SN-17, SN-18: the next player who is to be asked; if nobody is left, the latest play wins."""
    best_seat = bits.wide(s.contest_by[s.contest_size - 1])
    seat = next_seat(s, seat)
    while seat != best_seat:
        if s.held[seat] > 0 and not is_locked(s, seat):
            s.turn = seat
            s.phase = FOLLOWING
            return
        seat = next_seat(s, seat)
    win_contest(s, best_seat)


@rule
def is_locked(s: Any, seat: int) -> bool:
    """SN-17 with pass_locks: this seat has passed and is out of the contest."""
    return s.pass_locks == 1 and bits.has(s.passed, seat)


@rule
def win_contest(s: Any, seat: int) -> None:
    """SN-19 to SN-23: cards and fu, four of a kind, whether he stops, the next lead."""
    action = latest(s)
    for k in range(PART_COUNT[action]):
        s.table[PART_FACE[action, k]] -= PART_CARDS[action, k]
        s.won[seat, PART_FACE[action, k]] += PART_CARDS[action, k]
    score_win(s, seat, action)
    clear_contest(s)
    s.contests += 1
    decide_or_lead(s, seat)


@rule
def decide_or_lead(s: Any, seat: int) -> None:
    """SN-22: a player who has just won a contest is asked whether he stops, if he may; else the play goes on."""
    s.turn = seat
    if may_stop(s, seat):
        s.phase = DECIDING
    else:
        lead_next(s, seat)


@rule
def stop(s: Any) -> None:
    """SN-27, SN-31: the deal is over."""
    s.stopper = s.turn
    s.phase = OVER


@rule
def decline(s: Any) -> None:
    """SN-29, SN-30: he goes on; the level is remembered. Before the first lead the next player is asked (SN-9)."""
    seat = bits.wide(s.turn)
    s.declined[seat] = level(s.fu[seat])
    if s.contests == 0:
        ask_next_supreme(s)
    else:
        lead_next(s, seat)
