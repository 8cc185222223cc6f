"""Kakkuri: what a good player would teach a beginner on the first evening.

The lessons, in the order of the functions below. Claim utazu whenever you may. Count in how many goes your hand would
run out: ranks that follow each other are one go, a king joins two of them, a wild fills a gap. Of all that you could
lay now, lay what leaves the fewest goes, and nothing that leaves more than before: so kings and wilds are kept until
they free the rest. When six cards would run out in one go, wait for it: guri pays double. Declare sanzoku when pairs
bring the hand to fewer goes. With the right to the box, go on if it helps, else raise it yourself: the new card is
yours first. Staying in costs no more than dropping unless somebody makes guri, so drop only the worst of hands; as soon
as you are asked, for guri may come before your turn. Nobody who is still in gains by letting another come back.
Exchanging hands unseen changes nothing.

Only the own hand and what lies open are read, so that a view is enough."""

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.kit import Ints, Rng, bits, implements, rule, verbs
from tefuda.games.kakkuri import plays, turns
from tefuda.games.kakkuri.box import face_up
from tefuda.games.kakkuri.plays import CLUB_ACE, DIAMOND_TWO, JACK, KING, RANKS, SUITS, TWO, WILDS, naturals
from tefuda.games.kakkuri.state import HAND, Phase, State
from tefuda.games.kakkuri.turns import may_continue, ranks_above, ranks_after, way_to_play

HOPELESS = 6.2  # goes from which on a hand is dropped
LOW_START = 0.25  # how much harder it is to begin with an ace than with a jack, in goes: play goes upward
KING_JOINS, WILD_SAVES = 1.0, 1.0  # goes that a king saves beside others, and a wild
LAST_GO = 0.4  # what any hand still needs
PER_CARD = 0.04  # what a card more in hand costs, in goes
GURI_HOPE = 0.8  # what it is worth to keep six cards that would run out in one go
_DEEPEST = HAND + 1
MOST_STEPS = 128


@implements(verbs.advise, State)
def advise(state: State, rng: Rng) -> int:
    """The answer, or the first step of the best way to lay cards now."""
    if state.phase == Phase.CEDING:
        return plays.DEAL
    if state.phase == Phase.SWAPPING:
        return plays.KEEP
    if state.phase == Phase.LEAVING or state.phase == Phase.CLAIMING:
        return plays.UTAZU if turns.has_utazu(state, state.turn) else plays.PASS
    if state.phase == Phase.EARLY:
        return plays.DROP if is_hopeless(state) else plays.STAY
    if state.phase == Phase.RETURNING:
        return plays.STAY if is_hopeless(state) else plays.RETURN
    if state.phase == Phase.CONSENT:
        return plays.AGREE if bits.has(state.dropped, state.turn) else plays.REFUSE
    return advise_turn(state)


@rule
def advise_turn(s: State) -> int:
    """Declare what wins or helps; then lay, or stop, or raise the box."""
    if not turns.has_played(s, s.turn):
        if turns.has_utazu(s, s.turn):
            return plays.UTAZU
        if turns.may_drop(s) and is_hopeless(s):
            return plays.DROP
        if pairs_are_better(s):
            return plays.SANZOKU
    step = best_step(s)
    if step >= 0:
        return step
    return plays.RAISE if s.phase == Phase.RIGHT else plays.END


@rule
def is_hopeless(s: State) -> bool:
    """True if the hand needs so many goes that it is better to lose one counter for sure."""
    return count_goes(s.hands[s.turn], False) >= HOPELESS


@rule
def pairs_are_better(s: State) -> bool:
    """True if the hand comes out in twos, and in fewer goes than one by one."""
    hand = s.hands[s.turn]
    if bits.has(s.sanzoku, s.turn) or not comes_out_in_twos(hand):
        return False
    return count_goes(hand, True) < count_goes(hand, False)


@rule
def comes_out_in_twos(hand: int) -> bool:
    """True if every card can be laid in a pair; wilds pair with odd cards, or with each other."""
    odd = 0
    for rank in range(RANKS):
        odd += bits.size(naturals(hand, rank)) & 1
    wilds = bits.size(hand & WILDS)
    return odd == wilds or (odd == 0 and wilds == 2)


@rule
def count_goes(hand: int, in_twos: bool) -> float:
    """About how many times one must be able to lay before these cards are gone."""
    if hand == bits.EMPTY:
        return 0.0
    needed, before = 0.0, 0
    for rank in range(KING):
        columns = count_columns(hand, rank, in_twos)
        if columns > before:
            needed += (columns - before) * (1.0 + LOW_START * (JACK - rank) / JACK)
        before = columns
    if count_columns(hand, KING, in_twos) > 0:
        needed += (0.0 if before > 0 else 1.0) - KING_JOINS
    wilds = bits.size(hand & WILDS)
    if not in_twos:
        needed -= WILD_SAVES * wilds
    return max(LAST_GO, needed) + PER_CARD * bits.size(hand)


@rule
def count_columns(hand: int, rank: int, in_twos: bool) -> int:
    """In how many goes the cards of a rank would be laid: three at once, aces and twos one after another."""
    count = bits.size(naturals(hand, rank))
    if count == 0:
        return 0
    if rank <= TWO or rank == KING:
        return 1
    if in_twos:
        return (count + 1) // 2
    return 1 if count == 1 or count == 3 else 2


@rule
def best_step(s: State) -> int:
    """The first step of the run that leaves the fewest goes; −1 if it is better to lay nothing now."""
    hand, way = s.hands[s.turn], way_to_play(s, s.turn)
    least = count_goes(hand, way >= plays.IN_TWOS)
    if hopes_for_guri(s, least):
        least -= GURI_HOPE
    return search_runs(hand, ranks_after(s, s.turn) if may_continue(s) else bits.EMPTY, way, least)[0]


@rule
def search_runs(hand: int, ranks: int, way: int, least: float) -> tuple[int, float]:
    """The first step of the run, begun at one of these ranks, that leaves fewer goes than ``least`` and the fewest (−1
    if there is none), and how many; a run that lays all cards leaves 0."""
    hands = np.empty(_DEEPEST + 1, np.int64)
    steps = np.empty((_DEEPEST, MOST_STEPS), np.int64)
    left = np.zeros(_DEEPEST, np.int64)
    hands[0], best, depth = hand, -1, 0
    left[0] = plays.list_steps(hand, ranks, way, steps[0])
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        step = steps[depth, left[depth]]
        hands[depth + 1] = bits.without(hands[depth], plays.CARDS_OF[step])
        if hands[depth + 1] == bits.EMPTY:
            return steps[0, left[0]], 0.0
        needed = count_goes(hands[depth + 1], way >= plays.IN_TWOS)
        if needed < least:
            best, least = steps[0, left[0]], needed
        depth += 1
        left[depth] = plays.list_steps(hands[depth], ranks_on_own(plays.RANK_OF[step]), way, steps[depth])
    return best, least


@rule
def ranks_on_own(rank: int) -> int:
    """KK-33, KK-36: the ranks that may be laid on a step of one's own."""
    return bits.span(0, RANKS) if rank == KING else ranks_above(rank)


@rule
def hopes_for_guri(s: State, goes: float) -> bool:
    """True if all six cards are still there, and might go in one turn; ``goes`` as ``count_goes`` counts them."""
    return s.held[s.turn] == HAND and goes < 1.0 + GURI_HOPE


# What a network is told of a play, beside the play that the rules of thumb advise. Suits matter little here, and how
# many goes a hand still needs matters much; it would have to find out both. Goes are told in fifths.


FOLLOWING = 4  # seats after the mover's of which it is told how many cards they hold
LONG_QUIET = 7  # turns in a row without a card from which on they are not counted
KINDS = plays.SANBON + plays.SANZOKU - plays.END + 1
"""Kinds of plays: steps of one, two or three cards, then what may be said."""

OF_A_PLAY = (
    ("kind", KINDS), ("rank", RANKS), ("wilds", 1), ("goes", 1), ("least", 1), ("left", 1), ("out", 1), ("unseen", 1),
    ("followers", 1),
)  # fmt: skip
"""Told of the advised play and of the one to be rated: what it lays, the goes that the hand needs then and the fewest
once its owner has laid on, the cards left; of the next rank the cards unseen and the others who may have one."""

FEATURES = (
    ("phase", 3),
    ("place", 1),
    ("active", 1),
    ("dropped", 1),
    ("fresh", 1),
    ("box", 1),
    ("quiet", 1),
    ("laid", 1),
    ("raised, own, lap, first, begun, played, sanzoku", 7),
    ("held", 1 + FOLLOWING),
    ("declined", FOLLOWING),
    ("field", RANKS),
    ("hand", RANKS),
    ("wilds", 2),
    ("unseen", RANKS),
    ("goes", 1),
    *((f"advised: {name}", size) for name, size in OF_A_PLAY),
    *((f"play: {name}", size) for name, size in OF_A_PLAY),
    ("play less advised: goes, least", 2),
    ("play is advised", 1),
    ("unseen wilds", 2),
    ("declined ranks", FOLLOWING * RANKS),
)
"""Names and sizes, in this order."""

_RANK, _WILDS = KINDS, KINDS + RANKS
_GOES, _LEAST, _LEFT, _OUT, _UNSEEN, _FOLLOWERS = range(_WILDS + 1, _WILDS + 7)
_TOLD = _FOLLOWERS + 1  # where things stand in what is told of a play, and how much that is
_SAID = plays.END - plays.SANBON  # kind of an action that lays no cards: the action less this


Told = NDArray[np.int8]  # what a network is told, which is written here


@implements(verbs.features, State)
def features(state: State, advised: int, action: int, out: Told) -> bool:
    """Tell of dropping early, and of what is laid or said on one's turn; elsewhere the rules of thumb know."""
    if state.phase != Phase.EARLY and not turns.in_turn(state):
        return False
    out[:] = 0
    unseen = count_unseen(state, np.zeros(RANKS, np.int64))
    at = tell_table(state, out)
    at = tell_cards(state, unseen, out, at)
    tell_play(state, advised, unseen, out, at)
    other, last = at + _TOLD, at + 2 * _TOLD
    tell_play(state, action, unseen, out, other)
    out[last] = out[other + _GOES] - out[at + _GOES]
    out[last + 1] = out[other + _LEAST] - out[at + _LEAST]
    out[last + 2] = action == advised
    tell_others(state, out, last + 3)
    return True


@rule
def tell_table(s: State, out: Told) -> int:
    """Tell how far the deal has come, and of the others; where in ``out`` it ends."""
    seat = s.turn
    out[s.phase - Phase.EARLY] = 1
    out[3] = (seat - s.first) % s.seats
    out[4] = turns.active_players(s)
    out[5] = bits.size(s.dropped)
    out[6] = bits.size(s.fresh)
    out[7] = s.box_size // 4
    out[8] = min(s.quiet, LONG_QUIET)
    out[9] = s.turn_cards
    out[10], out[11], out[12] = s.field_raised, s.field_by == seat, s.lap_by == seat
    out[13], out[14] = s.first_turn, s.begun
    out[15], out[16] = turns.has_played(s, seat), bits.has(s.sanzoku, seat)
    out[17] = s.held[seat]
    for k in range(min(FOLLOWING, s.seats - 1)):
        other = (seat + k + 1) % s.seats
        if turns.is_active(s, other):
            out[18 + k] = s.held[other]
            out[18 + FOLLOWING + k] = bits.size(s.declined[other])
    return 18 + 2 * FOLLOWING


@rule
def tell_cards(s: State, unseen: Ints, out: Told, at: int) -> int:
    """The field card, the own hand, and how many cards of each rank others may hold."""
    hand = s.hands[s.turn]
    if s.rank >= 0:
        out[at + s.rank] = 1
    at += RANKS
    for rank in range(RANKS):
        out[at + rank] = bits.size(naturals(hand, rank))
    at += RANKS
    out[at], out[at + 1] = bits.has(hand, CLUB_ACE), bits.has(hand, DIAMOND_TWO)
    at += 2
    for rank in range(RANKS):
        out[at + rank] = unseen[rank]
    at += RANKS
    out[at] = fifths(count_goes(hand, way_to_play(s, s.turn) >= plays.IN_TWOS))
    return at + 1


@rule
def tell_play(s: State, action: int, unseen: Ints, out: Told, at: int) -> None:
    """Tell what becomes of the hand and of the field card; what could be laid on at once, and by others."""
    hand, rank, way = s.hands[s.turn], bits.wide(s.rank), way_to_play(s, s.turn)
    goes = count_goes(hand, way >= plays.IN_TWOS)
    least = goes
    if action < plays.STEPS:
        out[at + plays.SIZE_OF[action] - 1] = 1
        rank = plays.RANK_OF[action]
        out[at + _RANK + rank] = 1
        out[at + _WILDS] = bits.size(plays.CARDS_OF[action] & WILDS)
        hand = bits.without(hand, plays.CARDS_OF[action])
        goes = count_goes(hand, way >= plays.IN_TWOS)
        least = search_runs(hand, ranks_on_own(rank), way, goes)[1]  # once its owner has laid on in the same turn
    else:
        out[at + action - _SAID] = 1
    out[at + _GOES], out[at + _LEAST] = fifths(goes), fifths(least)
    out[at + _LEFT] = bits.size(hand)
    out[at + _OUT] = hand == bits.EMPTY
    if 0 <= rank < KING:
        out[at + _UNSEEN] = unseen[rank + 1]
        out[at + _FOLLOWERS] = count_followers(s, rank + 1)


@rule
def tell_others(s: State, out: Told, at: int) -> None:
    """Tell which wilds have not been seen, and of those who follow the ranks at which each has stopped."""
    seen = seen_cards(s)
    out[at], out[at + 1] = not bits.has(seen, CLUB_ACE), not bits.has(seen, DIAMOND_TWO)
    for k in range(min(FOLLOWING, s.seats - 1)):
        other = (s.turn + k + 1) % s.seats
        for rank in range(RANKS):
            out[at + 2 + RANKS * k + rank] = turns.is_active(s, other) and bits.has(s.declined[other], rank)


@rule
def fifths(goes: float) -> int:
    """Goes in fifths, as a small whole number."""
    return int(5 * goes + 0.5)


@rule
def count_unseen(s: State, out: Ints) -> Ints:
    """For each rank, the number of cards that are neither in the own hand nor have come to the table."""
    seen = seen_cards(s)
    for rank in range(RANKS):
        out[rank] = SUITS - bits.size(bits.section(seen, SUITS * rank, SUITS))
    return out


@rule
def seen_cards(s: State) -> int:
    """The own hand, and what has come to the table, also if it went back into the box (KK-44)."""
    return s.hands[s.turn] | s.in_box | face_up(s)


@rule
def count_followers(s: State, rank: int) -> int:
    """Number of others who are in the deal and have never left a card of this rank unlaid."""
    count = 0
    for other in range(s.seats):
        if other != s.turn and turns.is_active(s, other) and not bits.has(s.declined[other], rank):
            count += 1
    return count
