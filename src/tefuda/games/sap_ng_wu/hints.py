"""Sap Ng Wu: what a good club player would teach a beginner on the first evening.

Only the own hand, what lies open and what has been beaten are read, so that a view is enough. Chances are estimated
from the cards still out, as if each lay with any other player in proportion to their hand.

The lessons, in the order of the functions below: lay supreme cards, they are certain fu; stop, unless plays that nobody
can beat carry you to a higher level without risk; with enough of those to reach a payment, lead them one after another;
otherwise lead much that is seldom beaten, combinations and sets of cards that would be weak alone; keep pairs, sets
and combinations together and single high cards for regaining the lead; contest when it brings fu, or keeps them from
somebody who is about to stop. Early in the deal contest with middle pairs and other weak sets too: later they win
nothing, and now stronger ones must come out against them, or nobody has any, least of all those who have passed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.kit import Ints, Rng, bits, implements, rule, verbs
from tefuda.engine.record import Row
from tefuda.games.sap_ng_wu import plays
from tefuda.games.sap_ng_wu.plays import COPIES, FACES, PART_COUNT, PART_FACE, SIZE, TWELVE, TWENTY_FOUR
from tefuda.games.sap_ng_wu.rules import latest, legal, may_lead_supreme, unseen
from tefuda.games.sap_ng_wu.scoring import level, play_fu, winning_fu
from tefuda.games.sap_ng_wu.state import Phase, ScoreMode, State

CONTESTS_WITH = 0.8  # how often somebody who could beat a play does so
RETURNS = 0.2  # how often somebody who has passed holds what beats, by what their number of cards would suggest
TEMPO = 0.8  # what the lead is worth, in fu
EARLY_LEAD, EARLY_CARD = 2.0, 0.2
"""Beyond that with all cards in hand, less with fewer: what it is worth to keep the lead, and each card of a set or
combination with which one contests, in fu."""

DANGER = 2.5  # what it is worth, in fu, to keep a contest from somebody whom it would bring to a payment
WORTH_OF_SURE, WORTH_OF_ANY = 0.85, 0.1
"""Worth of a card in hand: a part of the chance that its best play wins, and a little for every card."""


Chances = NDArray[np.float64]


class Reading(NamedTuple):
    """Everything that the mover reads off the table once, before weighing plays."""

    me: int
    hand: Row  # counts by face
    odds: Chances  # [seat, face, k]: the chance that this other player holds k copies of the face or more
    worth: Chances  # of each face's cards if they stay in hand, in fu


@implements(verbs.advise, State)
def advise(state: State, rng: Rng) -> int:
    """The best-weighed play, the first of equals."""
    out = np.empty(plays.ACTIONS, np.int64)
    n = legal(state, out)
    if n == 1:
        return out[0]
    if state.phase == Phase.SUPREMES:
        return out[n - 1]  # all of them: fu for certain
    me = bits.wide(state.turn)
    hand = state.hands[me]
    odds = read_odds(state, me)
    if state.phase == Phase.DECIDING:
        # on, if plays that cannot be beaten, led one after another, reach a higher level: nobody else gets a chance
        higher = level(state, state.fu[me] + sure_fu(state, hand, odds)) > level(state, state.fu[me])
        return plays.ON if state.held[me] > 0 and higher else plays.STOP
    worth = read_worth(state, hand, odds)
    discount_passed(state, odds)
    return weighed(state, Reading(me, hand, odds, worth), out, n)


@rule
def sure_fu(s: State, hand: Row, odds: Chances) -> int:
    """Fu of the plays that nobody can beat, supremes and combinations first, no card counted twice."""
    rest = hand.copy()
    total = 0
    if rest[TWELVE] > 0 and rest[TWENTY_FOUR] > 0 and may_lead_supreme(s):
        total += rest[TWELVE] + rest[TWENTY_FOUR]
        rest[TWELVE] = rest[TWENTY_FOUR] = 0
    for strength in range(plays.STRENGTHS):
        action = largest_combination(rest, strength)
        if action >= 0 and chance_to_win(s, odds, action) == 1.0:
            total += SIZE[action]
            for k in range(PART_COUNT[action]):
                rest[PART_FACE[action, k]] = 0
    for face in range(FACES):
        for cards in range(rest[face], 0, -1):
            if chance_to_win(s, odds, plays.set_action(face, cards)) == 1.0:
                total += cards
                break
    return total


@rule
def largest_combination(hand: Row, strength: int) -> int:
    """The combination of this strength with all the cards that the hand has for it; −1 if there is none."""
    c = bits.wide(hand[plays.COMBINATION_FACES[strength, 0]])
    m1 = bits.wide(hand[plays.COMBINATION_FACES[strength, 1]])
    m2 = bits.wide(hand[plays.COMBINATION_FACES[strength, 2]])
    return plays.combination_action(strength, c, m1, m2) if c > 0 and m1 + m2 > 0 else -1


@rule
def read_odds(s: State, me: int) -> Chances:
    """The chance that each other player holds so many copies of each face."""
    odds = np.zeros((len(s.hands), FACES, COPIES + 1))
    left = np.empty(FACES, np.int64)
    for face in range(FACES):
        left[face] = unseen(s, me, face)
    for seat in range(s.seats):
        if seat != me and s.held[seat] > 0:
            share = s.held[seat] / left.sum()
            for face in range(FACES):
                write_tail(odds[seat, face], left[face], share)
    return odds


@rule
def write_tail(tail: Chances, copies: int, share: float) -> None:
    """``tail[k]``: the chance that a player has k or more of these copies, each with probability ``share``."""
    tail[0] = 1.0
    exactly = (1.0 - share) ** copies
    rest = 1.0
    for k in range(1, copies + 1):
        rest -= exactly
        tail[k] = max(rest, 0.0) if share < 1.0 else 1.0
        exactly *= (copies - k + 1) / k * share / (1.0 - share) if share < 1.0 else 0.0


@rule
def discount_passed(s: State, odds: Chances) -> None:
    """SN-17: those who have passed in this contest may come back, but most had nothing that beats."""
    for seat in range(s.seats):
        if bits.has(bits.wide(s.passed), seat):
            odds[seat, :, 1:] *= RETURNS


@rule
def chance_to_win(s: State, odds: Chances, action: int) -> float:
    """The chance that nobody beats this play; 1 only if nobody can."""
    if plays.is_supreme_lead(action):
        return 1.0
    chance = 1.0
    if plays.is_set(action):
        face, cards = action // COPIES, action % COPIES + 1
        for stronger in range(plays.STRONGEST[face], face):
            for seat in range(s.seats):
                chance *= 1.0 - CONTESTS_WITH * odds[seat, stronger, cards]
        return chance
    for stronger in range(action + plays.SHAPES, plays.SUPREME_LEADS, plays.SHAPES):
        for seat in range(s.seats):
            held = 1.0
            for k in range(PART_COUNT[stronger]):
                held *= odds[seat, PART_FACE[stronger, k], plays.PART_CARDS[stronger, k]]
            chance *= 1.0 - CONTESTS_WITH * held
    return chance


@rule
def read_worth(s: State, hand: Row, odds: Chances) -> Chances:
    """Worth in hand of a card of each face: by the best set or combination that it belongs to."""
    worth = np.zeros(FACES)
    for face in range(FACES):
        if hand[face] > 0:
            together = chance_to_win(s, odds, plays.set_action(face, bits.wide(hand[face])))
            worth[face] = max(together, chance_to_win(s, odds, plays.set_action(face, 1)))
    for strength in range(plays.STRENGTHS):
        action = largest_combination(hand, strength)
        if action >= 0:
            chance = chance_to_win(s, odds, action)
            for k in range(PART_COUNT[action]):
                worth[PART_FACE[action, k]] = max(worth[PART_FACE[action, k]], chance)
    if hand[TWELVE] > 0 and hand[TWENTY_FOUR] > 0 and may_lead_supreme(s):
        worth[TWELVE] = worth[TWENTY_FOUR] = 1.0
    for face in range(FACES):
        worth[face] = WORTH_OF_ANY + WORTH_OF_SURE * worth[face]
    return worth


@rule
def weighed(s: State, r: Reading, out: Ints, n: int) -> int:
    """The best of the legal plays; passing is worth nothing and costs nothing."""
    running = s.phase != Phase.FOLLOWING and level(s, s.fu[r.me] + sure_fu(s, r.hand, r.odds)) > s.declined[r.me]
    best, best_worth = -1, 0.0
    for i in range(n):
        worth = 0.0
        if out[i] != plays.PASS:
            chance = chance_to_win(s, r.odds, out[i])
            if not running:
                worth = play_worth(s, r, out[i], chance)
            else:  # with enough unbeatable plays for a payment those only, the largest first
                worth = float(SIZE[out[i]]) if chance == 1.0 else chance - 1.0
        if best < 0 or worth > best_worth:
            best, best_worth = out[i], worth
    return best


@rule
def play_worth(s: State, r: Reading, action: int, chance: float) -> float:
    """Fu expected from a play, the lead included, less what its cards are worth in hand."""
    fu = float(play_fu(s, action))
    worth = chance * TEMPO + (chance * fu if s.score_mode == ScoreMode.LAST_PLAY else fu)
    for k in range(PART_COUNT[action]):
        worth -= plays.PART_CARDS[action, k] * r.worth[PART_FACE[action, k]]
    early = s.held[r.me] * s.seats / plays.CARDS
    if s.phase != Phase.FOLLOWING:
        worth += chance * EARLY_LEAD * early
    else:
        if SIZE[action] > 1:
            worth += EARLY_CARD * SIZE[action] * early
        # that the player of the latest play does not win is worth much if it would bring a payment
        rival = bits.wide(s.contest_by[s.contest_size - 1])
        payment = level(s, s.fu[rival] + winning_fu(s, latest(s)))
        worth += chance * (DANGER * payment if payment > s.declined[rival] else 0.0)
    return worth
