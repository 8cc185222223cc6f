"""Luk Fu: who has won, what a deal pays, who deals next, when the session is over."""

from tefuda.engine.kit import NOBODY, Bounds, Ints, bits, hand_on, implements, next_seat, rule, verbs
from tefuda.games.luk_fu.cards import FIVE_TIGERS, HAND, ONE, RANK_CARDS, RED_CARDS, SPECIAL_CARD, rank_of
from tefuda.games.luk_fu.plays import has_long_combination
from tefuda.games.luk_fu.rules import ACTIVE
from tefuda.games.luk_fu.state import DealerStaysOn, RedScope, SitterBonusMode, State


@rule
def multiplier(s: State, tricks: int) -> int:
    """LF-48."""
    if not s.multiplier_10_12 or tricks < 10:
        return 1
    return s.twelve_tricks if tricks == HAND else s.ten_tricks


@rule
def red_cards(s: State, winner: int) -> int:
    """LF-49: the red cards that pay a chip each, if the table plays so."""
    if not s.red_bonus:
        return bits.EMPTY
    cards = s.won[winner]
    if s.red_scope == RedScope.CAPTURED:
        cards |= s.captured[winner]
    return cards & RED_CARDS


@rule
def doubles(s: State, winner: int) -> bool:
    """LF-49 with all_reds_double: all twelve tricks, and every red card pays."""
    return s.all_reds_double and s.tricks[winner] == HAND and red_cards(s, winner) == RED_CARDS


@rule
def price(s: State, winner: int) -> int:
    """LF-46: one share, X."""
    tricks = bits.wide(s.tricks[winner])
    share = (tricks - s.par) * multiplier(s, tricks) + s.red_card * bits.size(red_cards(s, winner))
    return 2 * share if doubles(s, winner) else share


@rule
def sitters(s: State) -> int:
    """LF-50: the sitter's card, turned up or not, as a set; empty with three players."""
    return s.turned_up if s.turned_up != bits.EMPTY or s.sitter == NOBODY else s.sitter_card[s.sitter]


@rule
def matching_cards(s: State, winner: int) -> int:
    """LF-50: the winner's own winning cards of the sitter's rank; L is of the ones' rank."""
    card = sitters(s)
    if card == bits.EMPTY:
        return bits.EMPTY
    rank = rank_of(bits.lowest(card))
    return s.won[winner] & (RANK_CARDS[rank] | (SPECIAL_CARD if rank == ONE else bits.EMPTY))


@rule
def sitter_price(s: State, winner: int) -> int:
    """LF-50: what goes to the sitter with each share, Y."""
    if not s.sitter_bonus:
        return 0
    count = bits.size(matching_cards(s, winner))
    return s.same_rank * (count if s.sitter_bonus_mode == SitterBonusMode.PER_CARD else min(count, 1))


@rule
def passed_improperly(s: State, winner: int) -> bool:
    """LF-51: eldest has won after passing with a quad or a sequence of four or more."""
    return s.pass_penalty and winner == s.eldest and winner != s.declarer and has_long_combination(s, s.dealt[winner])


@rule
def shares_due(s: State, winner: int, seat: int) -> int:
    """LF-47: for how many losers this seat, one of them, pays: all, as a losing declarer, or one, or none."""
    if winner == s.declarer:
        return 1
    return ACTIVE - 1 if seat == s.declarer else 0


@rule
def shares_paid(s: State, winner: int, seat: int) -> int:
    """LF-47, LF-51: how many shares this loser pays the winner."""
    return min(shares_due(s, winner, seat), 1 if passed_improperly(s, winner) else ACTIVE - 1)


@implements(verbs.payoff, State)
def payoff(state: State, out: Ints) -> None:
    """LF-47, LF-52; nothing in a draw (LF-44) or a deal thrown in (LF-10).

    Who got to six tricks last has won (LF-41 to LF-43, LF-45)."""
    out[: state.seats] = 0
    winner = bits.wide(state.last_to_six)
    if winner == NOBODY:
        return
    x, y = price(state, winner), sitter_price(state, winner)
    for seat in range(state.seats):
        if seat != winner and seat != state.sitter:
            to_winner, to_sitter = shares_paid(state, winner, seat) * x, shares_due(state, winner, seat) * y
            out[seat] = -(to_winner + to_sitter)
            out[winner] += to_winner
            if state.sitter != NOBODY:
                out[state.sitter] += to_sitter


def bounds(state: State) -> Bounds:
    """LF-46 to LF-50: all tricks, red cards and cards of the sitter's rank; LF-31: every card thrown by itself."""
    times = max(int(state.ten_tricks), int(state.twelve_tricks))
    x = (HAND - int(state.par)) * times + int(state.red_card) * bits.size(RED_CARDS)
    x *= 2 if state.all_reds_double else 1
    y = int(state.same_rank) * bits.size(FIVE_TIGERS)
    said = ACTIVE + 2 * HAND  # who declares; after a trick, whether to stop, and the five tigers
    return Bounds(least=-2 * (x + y), most=2 * x, actions=ACTIVE * HAND + said, zero_sum=True)


@rule
def dealer_stays(s: State) -> bool:
    """LF-53 to LF-55: whether the same dealer deals again."""
    if s.last_to_six == NOBODY:
        return s.draw_keeps_dealer and s.declarer == s.eldest
    return s.last_to_six == s.eldest and (s.seats == ACTIVE or s.dealer_stays_on == DealerStaysOn.ELDEST)


@implements(verbs.next_deal, State)
def next_deal(state: State, following: State) -> None:
    """LF-53 to LF-56: totals, the next dealer, whether the session is over."""
    hand_on(state, following)
    if not dealer_stays(state):
        following.dealer = next_seat(state, state.dealer)
    following.finished = following.deals >= state.session_deals
