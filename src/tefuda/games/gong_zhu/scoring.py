"""Gong Zhu: what a deal pays, how totals add up, who leads next, when the game is over."""

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.kit import Bounds, Ints, bits, hand_on, implements, rule, verbs
from tefuda.engine.kit.french import CARDS, rank_of
from tefuda.games.gong_zhu import cards
from tefuda.games.gong_zhu.cards import ALL_HEARTS, FULL_TABLE, HEART_ACE, PIG, POINT_CARDS, TRANSFORMER
from tefuda.games.gong_zhu.state import FiveDeck, HeartValues, PigFlips, State, TeamEnd

PIP_HEARTS = (-2, -3, -10, -5, -6, -7, -8, -9, -10, -20, -30, -40, -50)  # points of the hearts, from H2 up to HA


@rule
def deck_in_use(s: State) -> int:
    """The 52 cards, less two with five players (GZ-2); with fewer than four those of the miniature."""
    if s.seats < FULL_TABLE:
        return bits.wide(cards.MINIATURE_PACKS[s.seats])
    deck = bits.span(0, CARDS)
    if s.seats == 5:
        other = cards.HEART_TWO if s.five_deck == FiveDeck.SEED else cards.DIAMOND_TWO
        deck &= ~(bits.only(cards.CLUB_TWO) | bits.only(other))
    return deck


@rule
def hand_size(s: State) -> int:
    """GZ-2: how many cards are dealt to each."""
    return cards.MINIATURE_HAND if s.seats < FULL_TABLE else bits.size(deck_in_use(s)) // s.seats


def pack(state: State) -> NDArray[np.int64]:
    """The card numbers of the deck in use, ascending."""
    return np.array(bits.members_of(deck_in_use(state)), np.int64)


@rule
def heart_points(s: State, hearts: int) -> int:
    """GZ-17: the sum of the values of these hearts, usually 0 to −200."""
    points = 0
    while hearts != bits.EMPTY:
        rank = rank_of(bits.lowest(hearts))
        points += PIP_HEARTS[rank] if s.heart_values == HeartValues.PIPS else bits.wide(s.hearts[rank])
        hearts = bits.without_lowest(hearts)
    return points


@rule
def doubled(s: State, points: int, card: int) -> int:
    """GZ-6: these points, twice over if the card is exposed."""
    return 2 * points if bits.has(s.exposed, card) else points


@rule
def has_all_hearts(s: State, won: int) -> bool:
    """GZ-19: every heart of the deck in use, in one player's captures."""
    return bits.inside(ALL_HEARTS & deck_in_use(s), won)


@rule
def has_all_cards(s: State, won: int) -> bool:
    """GZ-20, GZ-27: every point card of the deck in use, in one player's captures."""
    return bits.inside(POINT_CARDS & deck_in_use(s), won)


@rule
def hearts_part(s: State, won: int) -> int:
    """GZ-17: hearts with their sign and HA's doubling, before the transformer."""
    points = heart_points(s, won & ALL_HEARTS)
    return doubled(s, -points if has_all_hearts(s, won) else points, HEART_ACE)


@rule
def pig_points(s: State) -> int:
    """GZ-17: what the pig costs; pig_doubled: twice as much."""
    return 2 * s.pig if s.pig_doubled else s.pig


@rule
def pig_part(s: State, won: int) -> int:
    """GZ-17, GZ-20: the pig, plus for the taker of all hearts (pig_flips: of all point cards, or never)."""
    if not bits.has(won, PIG):
        return 0
    if s.pig_flips == PigFlips.ALL_SCORING:
        flips = has_all_cards(s, won)
    else:
        flips = s.pig_flips == PigFlips.ALL_HEARTS and has_all_hearts(s, won)
    return doubled(s, -pig_points(s) if flips else pig_points(s), PIG)


@rule
def sheep_part(s: State, won: int) -> int:
    """GZ-17, GZ-20: the sheep, always plus (sheep_flips: minus for the taker of all hearts)."""
    if not bits.has(won, cards.SHEEP):
        return 0
    flips = s.sheep_flips and has_all_hearts(s, won)
    return doubled(s, -s.sheep if flips else s.sheep, cards.SHEEP)


@rule
def score(s: State, won: int) -> int:
    """GZ-17, GZ-18, GZ-21, GZ-27: one player's own score for these captures."""
    if s.all_cards_1000 and has_all_cards(s, won):
        return s.all_cards
    others = pig_part(s, won) + sheep_part(s, won)
    if not bits.has(won, TRANSFORMER):
        return hearts_part(s, won) + others
    if won & POINT_CARDS == bits.only(TRANSFORMER):
        return doubled(s, s.lone_transformer, TRANSFORMER)
    factor = doubled(s, s.transformer, TRANSFORMER)
    if s.all_hearts_transformer_300 and has_all_hearts(s, won):  # GZ-27
        hearts = doubled(s, s.all_hearts, HEART_ACE)
        return doubled(s, hearts, TRANSFORMER) + factor * others
    points = hearts_part(s, won) + others
    return points if s.transformer_losses_only and points > 0 else factor * points


@rule
def partner(seat: int) -> int:
    """GZ-22: the seat opposite, of four."""
    return seat ^ 2


@implements(verbs.team, State)
def team(state: State, seat: int) -> int:
    """GZ-22: seats 0 and 2 play against 1 and 3."""
    return seat & 1 if state.partnership else seat


@rule
def standings(s: State, out: Ints) -> None:
    """GZ-17, GZ-22: of each seat its own score so far, and its side; ``out`` has the shape (seats, 2)."""
    for seat in range(s.seats):
        out[seat, 0] = score(s, s.won[seat])
        out[seat, 1] = team(s, seat)


@implements(verbs.payoff, State)
def payoff(state: State, out: Ints) -> None:
    """GZ-17, GZ-22: in partnership the team's sum, for both partners."""
    for seat in range(state.seats):
        out[seat] = score(state, state.won[seat])
    if state.partnership:
        for seat in range(2):
            out[seat] += out[partner(seat)]
            out[partner(seat)] = out[seat]


def bounds(state: State) -> Bounds:
    """GZ-17 to GZ-22: everything of value, each exposed, for one seat or team; GZ-7: every card exposed by itself."""
    exposed = 2 if state.exposing else 1
    hearts = max(-int(heart_points(state, ALL_HEARTS)), int(state.all_hearts))
    together = hearts - int(pig_points(state)) + int(state.sheep)
    alone = max(int(state.all_cards), exposed * int(state.lone_transformer))
    most = max(alone, int(state.transformer) * exposed * exposed * together)
    answers = (len(cards.EXPOSABLE) + 1) * state.seats
    return Bounds(least=-most, most=most, actions=int(answers + CARDS), zero_sum=False)


@implements(verbs.next_deal, State)
def next_deal(state: State, following: State) -> None:
    """GZ-4, GZ-24: who leads next (the pig's taker, if it has one), what each has taken, whether the game is over."""
    hand_on(state, following)
    for seat in range(state.seats):
        following.own_totals[seat] += score(state, state.won[seat])
        if bits.has(state.won[seat], PIG):
            following.leads_first = seat
    following.finished = is_finished(following)


@rule
def is_finished(s: State) -> bool:
    """GZ-24, GZ-26: somebody is down the target (end_on_plus: or up), or the last of so many deals has been played."""
    if s.session_deals > 0:
        return s.deals >= s.session_deals
    for seat in range(s.seats):
        points = s.own_totals[seat] if s.team_end == TeamEnd.ANY_INDIVIDUAL else s.totals[seat]
        if points <= -s.target or (s.end_on_plus and points >= s.target):
            return True
    return False
