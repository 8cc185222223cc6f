"""Sap Ng Wu: dealing, laying supreme cards, contests. Each rule is named by its number on the rules page."""

from tefuda.engine.kit import NOBODY, Ints, add_if, bits, clear_deal, implements, inlined, next_seat, rule, verbs
from tefuda.engine.record import Row
from tefuda.games.sap_ng_wu import plays, scoring
from tefuda.games.sap_ng_wu.plays import COMBINATION_FACES, COPIES, FACES, SHAPES, SIZE, SUPREME_LEADS, TWELVE
from tefuda.games.sap_ng_wu.scoring import copies_of, count_quads, hand_size, level, may_stop, score_laid
from tefuda.games.sap_ng_wu.state import LastHolder, Phase, ScoreMode, State, SupremeLead


@implements(verbs.deal, State)
def deal(state: State, deck: Ints) -> None:
    """SN-2, SN-4: the dealer draws first; each draws one card at a time until none are left, but for those aside."""
    clear_deal(state)
    if state.dealer == NOBODY:
        state.dealer = state.chance % state.seats
    seat = bits.wide(state.dealer)
    dealt = hand_size(state) * state.seats
    for card in deck[:dealt]:
        state.hands[seat, card] += 1
        state.held[seat] += 1
        seat = next_seat(state, seat)
    for card in deck[dealt:]:
        state.aside[card] += 1
    ask_next_supreme(state)


@implements(verbs.legal, State)
def legal(state: State, out: Ints) -> int:
    """List what the seat on turn may do."""
    if state.phase == Phase.FOLLOWING:
        return list_follows(state, out)
    if state.phase == Phase.LEADING:
        return list_leads(state, out)
    if state.phase == Phase.SUPREMES:  # SN-5
        out[0] = plays.LAY_NONE
        return list_supremes(state, plays.LAYS, not state.supreme_partial, out, 1)
    if state.phase == Phase.DECIDING:  # SN-22, SN-29
        out[0], out[1] = plays.STOP, plays.ON
        return 2
    return 0


@inlined
def list_supremes(s: State, first: int, whole: bool, out: Ints, n: int) -> int:
    """SN-5, SN-11: at least one 12 and one 24, or only all of them, after the n in ``out``; how many now."""
    twelves, twenty_fours = bits.wide(s.hands[s.turn, TWELVE]), bits.wide(s.hands[s.turn, plays.TWENTY_FOUR])
    for a in range(1, twelves + 1):
        for b in range(1, twenty_fours + 1):
            if not whole or (a == twelves and b == twenty_fours):
                out[n] = first + (a - 1) * COPIES + b - 1
                n += 1
    return n


@inlined
def list_leads(s: State, out: Ints) -> int:
    """SN-11: every single, set, combination and supreme of the hand."""
    hand = s.hands[s.turn]
    n = 0
    for face in range(FACES):
        for cards in range(1, COPIES + 1):
            n = add_if(hand[face] >= cards, plays.set_action(face, cards), out, n)
    for strength in range(plays.STRENGTHS):
        n = list_combinations(hand, strength, out, n)
    return list_supremes(s, SUPREME_LEADS, False, out, n) if may_lead_supreme(s) else n


@inlined
def list_combinations(hand: Row, strength: int, out: Ints, n: int) -> int:
    """SN-11, 3: the combinations of one strength that the hand holds, after the n in ``out``; how many now."""
    civil = bits.wide(hand[COMBINATION_FACES[strength, 0]])
    military_1 = bits.wide(hand[COMBINATION_FACES[strength, 1]])
    military_2 = bits.wide(hand[COMBINATION_FACES[strength, 2]])
    for c in range(1, civil + 1):
        for m1 in range(military_1 + 1):
            for m2 in range(military_2 + 1):
                if m1 + m2 > 0:
                    out[n] = plays.combination_action(strength, c, m1, m2)
                    n += 1
    return n


@rule
def may_lead_supreme(s: State) -> bool:
    """SN-11, 4; supreme_lead = none_laid: not by whoever has laid supreme cards before play."""
    return s.supreme_lead != SupremeLead.NONE_LAID or s.laid[s.turn, TWELVE] == 0


@rule
def latest(s: State) -> int:
    """The latest play of the contest in progress."""
    return bits.wide(s.contest[s.contest_size - 1])


@inlined
def list_follows(s: State, out: Ints) -> int:
    """SN-12 to SN-15, SN-17: everything of the hand that is like the latest play and stronger, or pass."""
    hand, best, n = s.hands[s.turn], latest(s), 0
    if plays.is_set(best):
        face, cards = best // COPIES, best % COPIES + 1
        for stronger in range(plays.STRONGEST[face], face):
            n = add_if(hand[stronger] >= cards, plays.set_action(stronger, cards), out, n)
    else:
        for stronger in range(best + SHAPES, SUPREME_LEADS, SHAPES):
            n = add_if(plays.holds(hand, stronger), stronger, out, n)
    out[n] = plays.PASS
    return n + 1


@rule
def beats(action: int, best: int) -> bool:
    """SN-13 to SN-16: whether a play is like another and stronger."""
    if plays.is_set(best):
        face, cards = best // COPIES, best % COPIES
        return action % COPIES == cards and plays.STRONGEST[face] <= action // COPIES < face
    return (
        best < action < SUPREME_LEADS and (action - plays.COMBINATIONS) % SHAPES == (best - plays.COMBINATIONS) % SHAPES
    )


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """Lay supreme cards, play, pass, stop or go on."""
    if action < plays.LAY_NONE:
        play(state, action)
    elif action == plays.PASS:
        state.passed |= bits.only(state.turn)  # SN-17
        ask_next(state, bits.wide(state.turn))
    elif action == plays.STOP:  # SN-27, SN-31
        state.stopper = state.turn
        state.phase = Phase.OVER
    elif action == plays.ON:
        decline(state)
    else:
        lay(state, action)


@inlined
def move_cards(action: int, source: Row, target: Row) -> None:
    """The cards of an action go from one pile to another, both counts by face."""
    for k in range(plays.MOST_PARTS):
        face, cards = plays.PART_FACE[action, k], plays.PART_CARDS[action, k]
        source[face] -= cards
        target[face] += cards


@rule
def lay(s: State, action: int) -> None:
    """SN-5, SN-9: one player's answer; what follows from it comes at once (SN-8, SN-21)."""
    seat = bits.wide(s.turn)
    move_cards(action, s.hands[seat], s.laid[seat])
    s.held[seat] -= SIZE[action]
    score_laid(s, seat, action)
    s.asked += 1
    if may_stop(s, seat):
        s.phase = Phase.DECIDING
    else:
        ask_next_supreme(s)


@rule
def ask_next_supreme(s: State) -> None:
    """SN-9, SN-10: from the dealer on everybody is asked, then the dealer leads."""
    if s.asked < s.seats:
        s.phase = Phase.SUPREMES
        s.turn = (s.dealer + s.asked) % s.seats
    else:
        lead_next(s, bits.wide(s.dealer))


@rule
def lead_next(s: State, seat: int) -> None:
    """SN-25, SN-26, SN-32: this seat leads, or the next with cards; without any the deal is drawn."""
    holders = 0
    for each in range(s.seats):
        if s.held[each] > 0:
            holders += 1
    if holders == 0 or (holders == 1 and s.last_holder == LastHolder.ENDS):
        s.phase = Phase.OVER
        return
    while s.held[seat] == 0:
        seat = next_seat(s, seat)
    s.turn = seat
    s.phase = Phase.LEADING


@rule
def play(s: State, action: int) -> None:
    """SN-11, SN-12: cards are put down, and the next player is asked."""
    seat = bits.wide(s.turn)
    if s.contest_size > 0:  # SN-20: what is beaten will belong to nobody
        move_cards(latest(s), s.table, s.discards)
    move_cards(action, s.hands[seat], s.table)
    s.held[seat] -= SIZE[action]
    s.contest[s.contest_size] = action
    s.contest_by[s.contest_size] = seat
    s.contest_size += 1
    s.passed = bits.without(bits.wide(s.passed), bits.only(seat))
    s.fu[seat] += scoring.play_fu(s, action) - scoring.winning_fu(s, action)
    if plays.is_supreme_lead(action):  # SN-16
        win_contest(s, seat)
    elif s.score_mode == ScoreMode.SHED and may_stop(s, seat):  # SN-27
        s.phase = Phase.DECIDING
    else:
        ask_next(s, seat)


@rule
def ask_next(s: State, seat: int) -> None:
    """SN-12, SN-17, SN-18: the next player who is to be asked; if nobody is left, the latest play wins."""
    best_seat = bits.wide(s.contest_by[s.contest_size - 1])
    seat = next_seat(s, seat)
    while seat != best_seat:
        if s.held[seat] > 0 and not (s.pass_locks and bits.has(s.passed, seat)):  # SN-17
            s.turn = seat
            s.phase = Phase.FOLLOWING
            return
        seat = next_seat(s, seat)
    win_contest(s, best_seat)


@rule
def win_contest(s: State, seat: int) -> None:
    """SN-19 to SN-23: cards and fu, four of a kind, whether the winner stops, the next lead."""
    action = latest(s)
    move_cards(action, s.table, s.won[seat])
    s.fu[seat] += scoring.winning_fu(s, action)
    count_quads(s, seat, action)
    s.contest[:] = NOBODY
    s.contest_by[:] = s.contest_size = s.passed = 0
    s.contests += 1
    decide_or_lead(s, seat)


@rule
def decide_or_lead(s: State, seat: int) -> None:
    """SN-22: a player who has just won a contest is asked about stopping, if that may be; else the play goes on."""
    s.turn = seat
    if may_stop(s, seat):
        s.phase = Phase.DECIDING
    else:
        lead_next(s, seat)


@rule
def decline(s: State) -> None:
    """SN-29, SN-30: the contest or play goes on; the level is remembered. Before the first lead: SN-9."""
    seat = bits.wide(s.turn)
    s.declined[seat] = level(s, s.fu[seat])
    if s.contest_size > 0:
        ask_next(s, seat)
    elif s.contests == 0:
        ask_next_supreme(s)
    else:
        lead_next(s, seat)


@rule
def unseen(s: State, viewer: int, face: int) -> int:
    """Copies of a face that lie neither open nor beaten nor in the viewer's hand, if that is a player."""
    left = copies_of(s, face) - s.table[face] - s.discards[face]
    for seat in range(s.seats):
        left -= s.won[seat, face] + s.laid[seat, face]
    return left - s.hands[viewer, face] if viewer >= 0 else left
