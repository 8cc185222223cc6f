"""Luk Fu: dealing, declaring, leading, following, stopping. Each rule is named by its number on the rules page."""

from tefuda.engine.kit import NOBODY, Ints, add_if, bits, clear_deal, implements, next_seat, rule, verbs
from tefuda.games.luk_fu import plays
from tefuda.games.luk_fu.cards import ALWAYS_OLD, FIVE_TIGERS, HAND, RANKS, SUITS, rank_of, suit_of
from tefuda.games.luk_fu.plays import ALL_RANKS, THROW, WINNING_TRICKS, SuitBounds, is_throw, list_sets, single_leads
from tefuda.games.luk_fu.state import Phase, State, StopTiming

ACTIVE = 3  # LF-1: players in a deal
TIGERS_TRICKS = (WINNING_TRICKS, 8)  #: LF-45: by the values of ``tigers_value``, what showing the five tigers counts


@rule
def next_active(s: State, seat: int) -> int:
    """LF-2, LF-8: counter-clockwise, the sitter skipped."""
    following = next_seat(s, seat)
    return next_seat(s, following) if following == s.sitter else following


def seats_in_turn(state: State, first: int) -> list[int]:
    """LF-8: the active seats in the order in which they act, from the first on."""
    order = [int(first)]
    while len(order) < ACTIVE:
        order.append(int(next_active(state, order[-1])))
    return order


@implements(verbs.deal, State)
def deal(state: State, deck: Ints) -> None:
    """LF-3, LF-5 to LF-7: cards singly to the active players; the last one lies apart or is the sitter's."""
    s = state
    clear_deal(s)
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
def eldest_of(s: State, dealer: int) -> int:
    """LF-7: the dealer's own seat with three players, the seat opposite with four."""
    return bits.wide(dealer) if s.seats == ACTIVE else (dealer + 2) % s.seats


@rule
def seat_players(s: State) -> None:
    """LF-6, LF-7: with three the dealer is eldest; with four the dealer sits out, and the player opposite is eldest."""
    s.sitter = NOBODY if s.seats == ACTIVE else s.dealer
    s.eldest = eldest_of(s, s.dealer)
    s.turn = s.leader = s.first_leader = s.eldest


@implements(verbs.legal, State)
def legal(state: State, out: Ints) -> int:
    """List what may be declared, led, played, thrown or decided."""
    if state.phase == Phase.FOLLOWING:
        return list_follows(state, out)
    if state.phase == Phase.LEADING:
        return list_leads(state, out)
    if state.phase == Phase.DECLARING:
        out[0], out[1] = plays.PLAY, plays.PASS
        return 2
    if state.phase == Phase.DECIDING:
        out[0], out[1] = plays.STOP, plays.ON
        return 2
    return 0


@rule
def is_capped(s: State) -> bool:
    """LF-16: whether this is the first lead of an eldest who passed: no more than three cards."""
    return s.opening and s.declarer != s.eldest


@rule
def may_use_tigers(s: State) -> bool:
    """LF-16, LF-45: whether the five tigers may be shown or led now; tigers_at_first_lead: on a capped lead too."""
    return s.tigers_at_first_lead or not is_capped(s)


@rule
def list_leads(s: State, out: Ints) -> int:
    """LF-13 to LF-21, LF-45."""
    hand = s.hands[s.turn]
    capped = is_capped(s)
    n = bits.list_into(single_leads(s, s.turn), out)
    n = list_sets(hand, ALL_RANKS, plays.TRIPLE, out, n)
    if not capped:
        n = list_sets(hand, ALL_RANKS, plays.QUAD, out, n)
    if s.special_in_sets:
        n = plays.list_inside(plays.SPECIAL_TRIPLES, plays.SPECIAL_QUADS if capped else plays.RUNS, hand, out, n)
    n = plays.list_runs(hand, plays.SHORTEST_RUN if capped else RANKS, out, n)
    tigers = bits.inside(FIVE_TIGERS, hand) and may_use_tigers(s)
    n = add_if(tigers and s.tigers_lead, plays.LEAD_TIGERS, out, n)
    return add_if(tigers, plays.SHOW_TIGERS, out, n)


@rule
def list_follows(s: State, out: Ints) -> int:
    """LF-30, LF-31: what beats; if nothing does, the cards to throw."""
    hand = s.hands[s.turn]
    if s.to_throw == 0:
        n = plays.list_beating(s, hand, s.best, s.led_count, out)
        if n > 0:
            return n
    n = bits.list_into(throwable(s, hand), out)
    for k in range(n):
        out[k] += THROW
    return n


@rule
def throwable(s: State, hand: int) -> int:
    """LF-31: the cards that may be thrown next: they go one by one, ascending, and enough must be left above."""
    begun = s.thrown[s.turn, s.number]
    cards = hand if begun == bits.EMPTY else bits.above(hand, bits.highest(begun))
    left = bits.wide(s.to_throw if s.to_throw > 0 else s.led_count)
    for _ in range(left - 1):
        cards = bits.without_highest(cards)
    return cards


@implements(verbs.disguise, State)
def disguise(state: State, action: int) -> int:
    """LF-31: a card thrown face down looks like any other."""
    return THROW if is_throw(action) else action


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """Throw a card, play cards, declare, decide."""
    if is_throw(action):
        throw_card(state, action - THROW)
    elif action <= plays.LEAD_TIGERS:
        play_cards(state, plays.CARDS_OF[action])
    elif action == plays.SHOW_TIGERS:
        show_tigers(state)
    elif action in (plays.PLAY, plays.PASS):
        declare(state, action)
    elif action == plays.STOP:
        end_deal(state, True)
    else:
        state.phase, state.turn = Phase.LEADING, state.leader


@rule
def declare(s: State, action: int) -> None:
    """LF-9 to LF-12: the first to say play is declarer; eldest leads; three passes end the deal."""
    s.answers += 1
    if action == plays.PLAY:
        s.declarer = s.turn
        s.phase, s.turn = Phase.LEADING, s.eldest
    elif s.answers == ACTIVE:
        s.phase = Phase.OVER
    else:
        s.turn = next_active(s, s.turn)


@rule
def play_cards(s: State, cards: int) -> None:
    """LF-13, LF-30, LF-37: a lead, or cards that beat the best on the table."""
    seat = s.turn
    count = bits.size(cards)
    lay_face_up(s, seat, cards, count)
    s.best, s.best_seat = cards, seat
    if s.phase == Phase.LEADING:
        s.phase, s.led_count, s.opening = Phase.FOLLOWING, count, False
        s.turn = next_active(s, seat)
    else:
        end_turn(s)


@rule
def lay_face_up(s: State, seat: int, cards: int, count: int) -> None:
    """From the hand to the table, for all to see."""
    s.hands[seat] = bits.without(s.hands[seat], cards)
    s.held[seat] -= count
    s.played[seat, s.number] = cards
    s.faceup |= cards


@rule
def throw_card(s: State, card: int) -> None:
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
def note_bound(bounds: SuitBounds, seat: int, best: int, size: int) -> None:
    """LF-25: who does not beat a single that can be beaten holds nothing higher of its suit."""
    if size == 1 and best & ALWAYS_OLD == bits.EMPTY:
        card = bits.lowest(best)
        suit = suit_of(card)
        bounds[seat, suit] = min(bits.wide(bounds[seat, suit]), rank_of(card) + 1)


@rule
def end_turn(s: State) -> None:
    """LF-29: the next player follows; after the last the trick is over."""
    s.placed += 1
    if s.placed == ACTIVE - 1:
        take_trick(s)
    else:
        s.turn = next_active(s, s.turn)


@rule
def take_trick(s: State) -> None:
    """LF-38 to LF-43: the best combination wins as many tricks as it has cards."""
    winner = bits.wide(s.best_seat)
    capture(s, winner, s.number)
    s.won[winner] |= s.best
    if s.tricks[winner] < WINNING_TRICKS and s.tricks[winner] + s.led_count >= WINNING_TRICKS:
        s.last_to_six = winner
    s.tricks[winner] += s.led_count
    s.number += 1
    s.best = bits.EMPTY
    s.led_count = s.placed = s.best_seat = 0
    s.leader = s.turn = winner
    if s.held[winner] == 0:
        end_deal(s, False)
    else:
        ask_to_stop(s, winner)


@rule
def capture(s: State, winner: int, number: int) -> None:
    """LF-39: the cards that the others have played to this trick are the winner's."""
    for seat in range(s.seats):
        if seat != winner:
            s.captured[winner] |= s.played[seat, number] | s.thrown[seat, number]


@rule
def ask_to_stop(s: State, winner: int) -> None:
    """LF-41: a player with six tricks who has just won one; with any_trick also after losing one."""
    s.phase = Phase.LEADING
    if s.tricks[winner] >= WINNING_TRICKS:
        s.phase = Phase.DECIDING
    elif s.stop_timing == StopTiming.ANY_TRICK and s.last_to_six != NOBODY:
        s.phase, s.turn = Phase.DECIDING, s.last_to_six


@rule
def show_tigers(s: State) -> None:
    """LF-45: the five tigers end play; they count six (eight) tricks, twelve in all at most, and win."""
    seat = bits.wide(s.turn)
    lay_face_up(s, seat, FIVE_TIGERS, SUITS + 1)
    s.won[seat] |= FIVE_TIGERS  # LF-45: they count as cards that have won
    s.tricks[seat] = min(HAND, s.tricks[seat] + TIGERS_TRICKS[s.tigers_value])
    s.last_to_six = seat
    s.opening = False
    end_deal(s, True)


@rule
def end_deal(s: State, stopped: bool) -> None:
    """LF-41, LF-43, LF-50: play is over; if somebody has won, the sitter turns up the card."""
    s.phase, s.stopped = Phase.OVER, stopped
    if s.sitter != NOBODY and s.last_to_six != NOBODY:
        s.turned_up = s.sitter_card[s.sitter]
        s.sitter_card[s.sitter] = bits.EMPTY
