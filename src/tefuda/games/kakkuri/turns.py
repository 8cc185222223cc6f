"""Kakkuri: what may be laid, whose turn it is, the right to raise, who drops out and returns, how a deal ends."""

from tefuda.engine.kit import NOBODY, Ints, bits, inlined, next_seat, rule
from tefuda.games.kakkuri import plays, state
from tefuda.games.kakkuri.box import is_to_gather
from tefuda.games.kakkuri.plays import ACE, KING, RANKS, TWO, UTAZU_CARDS
from tefuda.games.kakkuri.state import EarlyDrop, Ending, KingFreedom, Phase, RaisedKing, ReturnConsent, State


@rule
def has_freedom(s: State, seat: int) -> bool:
    """KK-33, KK-37: whether this seat may lay anything on the K that is the field card."""
    if s.field_raised and s.k_upcard != RaisedKing.TURNER:
        return s.k_upcard == RaisedKing.ANYONE
    return s.field_by == seat or s.k_free == KingFreedom.ANYONE


@rule
def ranks_after(s: State, seat: int) -> int:
    """KK-31, KK-34 to KK-37: the set of ranks that this seat may lay now."""
    if s.rank == KING:
        if has_freedom(s, seat):
            return bits.span(0, RANKS)
        return bits.only(ACE) if s.k_free == KingFreedom.WRAP_TO_ACE else bits.EMPTY
    return ranks_above(s.rank)


@rule
def ranks_above(rank: int) -> int:
    """KK-31, KK-34: the set of ranks that anybody may lay on a rank below K."""
    return bits.span(rank, 2) if rank <= TWO else bits.only(rank + 1)


@rule
def may_continue(s: State) -> bool:
    """KK-43: whether the seat on turn may lay cards on the field card; ceded_may_continue."""
    return s.phase != Phase.RIGHT or s.ceded_may_continue or s.turn == s.right_first


@rule
def way_to_play(s: State, seat: int) -> int:
    """KK-26, KK-32, KK-41: singles and sanbon, or after declaring sanzoku pairs only; with wilds or not."""
    if bits.has(s.sanzoku, seat):
        return plays.IN_TWOS if s.sanzoku_wild else plays.IN_TWOS_NO_WILDS
    return plays.FREELY if s.sanbon_wild else plays.NO_WILDS


@inlined
def list_next_steps(s: State, out: Ints) -> int:
    """KK-30 to KK-42: the steps of the seat on turn, ascending, one of those that differ in equal cards only."""
    if not may_continue(s):
        return 0
    return plays.list_steps(s.hands[s.turn], ranks_after(s, s.turn), way_to_play(s, s.turn), out)


@rule
def in_turn(s: State) -> bool:
    """True if the seat on turn has its turn, or the right to raise; otherwise it is asked something."""
    return s.phase == Phase.TURN or s.phase == Phase.RIGHT


@rule
def is_active(s: State, seat: int) -> bool:
    """KK-18, KK-21: neither dropped nor forced out."""
    return seat != s.forced_out and not bits.has(s.dropped, seat)


@rule
def active_players(s: State) -> int:
    """Number of players in the deal."""
    return s.seats - bits.size(s.dropped) - (0 if s.forced_out == NOBODY else 1)


@rule
def next_active(s: State, seat: int) -> int:
    """KK-29: the next player to the right who is in the deal; the same if there is no other."""
    seat = next_seat(s, seat)
    while not is_active(s, seat):
        seat = next_seat(s, seat)
    return seat


@rule
def has_played(s: State, seat: int) -> bool:
    """KK-24: whether this seat has laid a card in this deal."""
    return bits.has(s.played, seat)


@rule
def open_turn(s: State, seat: int, phase: Phase) -> None:
    """KK-29, KK-43: a turn begins, or the choice of who holds the right to raise."""
    s.phase, s.turn = phase, seat
    s.first_turn = bits.has(s.fresh, seat)
    s.fresh = bits.without(bits.wide(s.fresh), bits.only(seat))
    s.begun = False
    s.turn_cards = 0


@rule
def go_on(s: State, seat: int) -> None:
    """KK-29, KK-43, KK-57: play comes to this seat: it may return, has its turn, or the lap is closed."""
    while True:
        may_return = is_to_gather(s, seat) and s.return_consent != ReturnConsent.NEVER
        if may_return and not bits.has(s.asked, seat):  # KK-20: once in a lap
            s.asked |= bits.only(seat)
            s.phase, s.turn = Phase.RETURNING, seat
            return
        if seat == s.lap_by:
            give_right(s, seat if is_active(s, seat) else next_active(s, seat))
            return
        if is_active(s, seat):
            open_turn(s, seat, Phase.TURN)
            return
        seat = next_seat(s, seat)


@rule
def give_right(s: State, seat: int) -> None:
    """KK-43: this player holds the right to raise; if it was not open, this player is the first to hold it."""
    if s.right_first == NOBODY:
        s.right_first, s.ceded = seat, False
    open_turn(s, seat, Phase.RIGHT)


@rule
def close_right(s: State) -> None:
    """KK-43: the right has been used."""
    s.right_first, s.ceded = NOBODY, False


@rule
def may_cede_right(s: State) -> bool:
    """KK-43, KK-46: to a neighbour, if there is one; not when all have ceded."""
    return active_players(s) > 1 and not (s.ceded and s.turn == s.right_first)


@rule
def pass_turn(s: State, seat: int) -> None:
    """KK-29, KK-56: after this seat's turn; with any_time those whose first turn has not come may drop before it."""
    if s.early_drop >= EarlyDrop.AFTER_TURNS and active_players(s) > 1:
        s.interrupted, s.turn = seat, seat
        ask_next_early(s)
    else:
        go_on(s, next_seat(s, seat))


@rule
def count_quiet_turn(s: State) -> bool:
    """KK-54: one more turn without a card; whether it makes the deal void."""
    s.quiet += 1
    if s.quiet < s.stalemate_turns:
        return False
    s.winner, s.result, s.phase = NOBODY, Ending.VOID, Phase.OVER
    return True


@rule
def begin_play(s: State) -> None:
    """KK-17, KK-56: who may drop before the first turn; the dealer is asked in a round only, else on that turn."""
    s.turn = s.first
    if s.early_drop == EarlyDrop.ROUND:
        s.phase = Phase.EARLY
    elif s.early_drop == EarlyDrop.ANY_TIME:
        ask_next_early(s)
    else:
        open_first_turn(s)


@rule
def ask_next_early(s: State) -> None:
    """KK-56: the next seat whose first turn has not come is asked, as long as there are others in the deal."""
    begun_by = s.first if s.interrupted == NOBODY else bits.wide(s.interrupted)
    seat = next_seat(s, s.turn)
    while seat != begun_by and not (is_active(s, seat) and bits.has(s.fresh, seat)):
        seat = next_seat(s, seat)
    if seat != begun_by and active_players(s) > 1:
        s.phase, s.turn = Phase.EARLY, seat
    elif s.interrupted == NOBODY:
        open_first_turn(s)
    else:
        s.interrupted = NOBODY
        go_on(s, next_seat(s, begun_by))


@rule
def open_first_turn(s: State) -> None:
    """KK-19, KK-29: the dealer's, or after the dealer has dropped that of the next."""
    if is_active(s, s.first):
        open_turn(s, s.first, Phase.TURN)
    else:
        go_on(s, next_seat(s, s.first))


@rule
def may_drop(s: State) -> bool:
    """KK-17, KK-49, KK-56: at the start of one's first turn; with first_card of any before one's first card."""
    if s.begun or active_players(s) == 1:
        return False
    return s.first_turn or (s.drop_until == state.DropUntil.FIRST_CARD and not has_played(s, s.turn))


@rule
def drop(s: State) -> None:
    """KK-18: the seat on turn leaves the deal, and play goes on."""
    seat, phase = bits.wide(s.turn), bits.wide(s.phase)
    if leave_deal(s, seat):
        return
    if phase == Phase.EARLY:
        ask_next_early(s)
    elif not count_quiet_turn(s):
        pass_over(s, seat, phase)


@rule
def leave_deal(s: State, seat: int) -> bool:
    """KK-18, KK-49: out of the deal; whether that ends it, since a last survivor wins at once if the table plays so.

    KK-57: nobody is asked to return in the lap in which they have dropped."""
    s.dropped |= bits.only(seat)
    if s.phase != Phase.EARLY or s.early_drop == EarlyDrop.ANY_TIME:
        s.asked |= bits.only(seat)
    if active_players(s) > 1 or s.last_survivor != state.LastSurvivor.WINS_AT_ONCE:
        return False
    s.interrupted = s.asker = NOBODY
    finish(s, next_active(s, seat), Ending.SURVIVOR)
    return True


@rule
def may_drop_unasked(s: State, seat: int) -> bool:
    """KK-17, KK-56: with any_time at any moment until one's own first turn, in the middle of another's turn too."""
    is_open = s.early_drop == EarlyDrop.ANY_TIME and s.phase >= Phase.EARLY and s.phase < Phase.CLAIMING
    return is_open and seat != s.turn and bits.has(s.fresh, seat) and is_active(s, seat) and active_players(s) > 1


@rule
def pass_over(s: State, seat: int, phase: int) -> None:
    """KK-29, KK-43: a seat that drops gives way to the next; the right to raise goes on to the right."""
    if phase == Phase.TURN:
        pass_turn(s, seat)
        return
    if s.right_first == seat:
        close_right(s)
    give_right(s, next_active(s, seat))


@rule
def ask_consent(s: State, seat: int) -> None:
    """KK-20, KK-57: the next after this seat who has to agree; if nobody is left, the asker is back in the deal."""
    while True:
        seat = next_seat(s, seat)
        if seat == s.asker:
            s.dropped = bits.without(bits.wide(s.dropped), bits.only(seat))
            end_asking(s)
            return
        if is_active(s, seat) or (seat != s.forced_out and s.return_consent != ReturnConsent.ACTIVE_OTHERS):
            s.phase, s.turn = Phase.CONSENT, seat
            return


@rule
def end_asking(s: State) -> None:
    """KK-57: the asker is in or out, and play is at that seat."""
    seat = bits.wide(s.asker)
    s.asker = NOBODY
    go_on(s, seat)


@rule
def finish(s: State, winner: int, result: Ending) -> None:
    """KK-48, KK-49: somebody has won, unless an utazu is claimed."""
    s.winner, s.result = winner, result
    ask_next_claim(s, winner)


@rule
def ask_next_claim(s: State, seat: int) -> None:
    """KK-55: from the winner's right round to the winner, everybody who may have an utazu is asked."""
    while True:
        seat = next_seat(s, seat)
        if may_claim_at_end(s, seat):
            s.phase, s.turn = Phase.CLAIMING, seat
            return
        if seat == s.winner:
            s.phase = Phase.OVER
            return


@rule
def may_claim_at_end(s: State, seat: int) -> bool:
    """KK-23, KK-24, KK-55: a seat that has cards and has laid none; a dropped one only if the table plays so."""
    if has_played(s, seat):
        return False
    return is_active(s, seat) or (s.utazu_by_dropped and is_to_gather(s, seat))


@rule
def has_utazu(s: State, seat: int) -> bool:
    """KK-22: the three aces other than CA; no wild stands in."""
    return bits.inside(UTAZU_CARDS, s.hands[seat])
