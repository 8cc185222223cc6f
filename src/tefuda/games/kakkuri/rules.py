"""Kakkuri: dealing, what may be done, and what each play does. Each rule is named by its number on the rules page."""

from tefuda.engine.kit import NOBODY, Ints, add_if, bits, clear_deal, implements, inlined, next_seat, rule, verbs
from tefuda.games.kakkuri import box, plays, turns
from tefuda.games.kakkuri.plays import CARDS, CLUB_THREE, KING
from tefuda.games.kakkuri.state import HAND, MOST_SEATS, Ending, Phase, State
from tefuda.games.kakkuri.turns import has_played, has_utazu, in_turn, list_next_steps, may_cede_right, may_drop


@implements(verbs.deal, State)
def deal(state: State, deck: Ints) -> None:
    """KK-3, KK-6 to KK-8: who deals; from the second deal on the dealer may cede."""
    clear_table(state)
    generator = box.draw_luck(state)
    if state.dealer == NOBODY:
        state.dealer = box.draw_dealer(state, generator)
    if state.coming[0] == state.coming[1]:  # a scenario may have decided the shuffle to come
        box.draw_coming(state, generator)
    state.due = state.turn = state.dealer
    state.box[:] = deck[::-1]  # KK-8: the first card of the deck on top
    state.box_size = CARDS
    if state.deal_cede and state.deals > 0:
        state.phase = Phase.CEDING
    else:
        deal_hands(state)


@rule
def clear_table(s: State) -> None:
    """Empty everything that belongs to one deal, but for the shuffle to come."""
    coming = s.coming.copy()
    clear_deal(s)
    s.coming[:] = coming
    s.fresh = bits.span(0, s.seats)


@rule
def deal_hands(s: State) -> None:
    """KK-9 to KK-12: cards are dealt; with fuwaru nobody looks before everybody has been asked to exchange."""
    s.ceded = False
    s.first = s.dealer
    box.deal_out(s)
    if s.fuwaru:
        s.phase, s.turn = Phase.SWAPPING, next_seat(s, s.dealer)
    else:
        look(s)


@rule
def answer_fuwaru(s: State, action: int) -> None:
    """KK-11, KK-12: whole hands are exchanged with the dealer's, unseen; then the next is asked."""
    if action == plays.SWAP:
        s.swapped |= bits.only(s.turn)
        hand = s.unseen[s.turn]
        s.unseen[s.turn] = s.unseen[s.dealer]
        s.unseen[s.dealer] = hand
    s.turn = next_seat(s, s.turn)
    if s.turn == s.dealer:
        look(s)


@rule
def look(s: State) -> None:
    """KK-13 to KK-16: everybody looks; of eight, the holder of C3 must leave."""
    for seat in range(MOST_SEATS):
        s.hands[seat] = s.unseen[seat]
        s.unseen[seat] = bits.EMPTY
    if s.seats < MOST_SEATS:
        turn_first_card(s)
        return
    for seat in range(s.seats):
        if bits.has(s.hands[seat], CLUB_THREE):
            s.forced_out = s.turn = seat
    if s.utazu_before_c3:  # KK-14
        s.phase = Phase.LEAVING
    else:
        leave(s)


@rule
def leave(s: State) -> None:
    """KK-14, KK-15: the cards of the holder of C3 are the box; a dealer who leaves is replaced by the next seat."""
    box.shuffle_into_box(s, box.give_up_hand(s, s.forced_out, 0))
    s.in_box = s.surfaced[s.forced_out] = bits.only(CLUB_THREE)  # all know one of the cards
    box.draw_coming(s, box.draw_luck(s))
    s.fresh = bits.without(bits.wide(s.fresh), bits.only(s.forced_out))
    if s.first == s.forced_out:
        s.first = next_seat(s, s.forced_out)
    turn_first_card(s)


@rule
def turn_first_card(s: State) -> None:
    """KK-16: the dealer raises the box for the first time."""
    box.raise_box(s, s.first)
    turns.begin_play(s)


@implements(verbs.legal, State)
def legal(state: State, out: Ints) -> int:
    """List what the seat on turn may lay, do or answer."""
    if in_turn(state):
        return list_turn(state, out)
    if state.phase == Phase.CEDING:  # KK-7
        return add_if(True, plays.DEAL, out, add_if(not must_deal(state), plays.CEDE, out, 0))
    if state.phase == Phase.CLAIMING or state.phase == Phase.LEAVING:  # KK-55: without utazu one can only say no
        return add_if(True, plays.PASS, out, add_if(has_utazu(state, state.turn), plays.UTAZU, out, 0))
    if state.phase == Phase.SWAPPING:
        out[0], out[1] = plays.SWAP, plays.KEEP
    elif state.phase == Phase.EARLY:
        out[0], out[1] = plays.DROP, plays.STAY
    elif state.phase == Phase.RETURNING:
        out[0], out[1] = plays.STAY, plays.RETURN
    elif state.phase == Phase.CONSENT:
        out[0], out[1] = plays.AGREE, plays.REFUSE
    else:
        return 0
    return 2


@inlined
def list_turn(s: State, out: Ints) -> int:
    """KK-17, KK-22, KK-27, KK-30, KK-38, KK-43: steps, ending or choosing, dropping, what may be declared."""
    n, right = list_next_steps(s, out), s.phase == Phase.RIGHT
    n = add_if(True, plays.RAISE if right else plays.END, out, n)
    n = add_if(right and may_cede_right(s), plays.CEDE, out, n)
    if has_played(s, s.turn):
        return n
    n = add_if(may_drop(s), plays.DROP, out, n)
    n = add_if(has_utazu(s, s.turn), plays.UTAZU, out, n)
    return add_if(not bits.has(s.sanzoku, s.turn), plays.SANZOKU, out, n)  # KK-28: any hand may


@rule
def must_deal(s: State) -> bool:
    """KK-7: the deal has come back to the seat that was due."""
    return s.ceded and s.turn == s.due


@implements(verbs.listed, State)
def listed(state: State, action: int) -> int:
    """The lowest of equal naturals; asked for utazu, a player may say no with other words too (KK-55)."""
    if action < 0:
        return action
    if action < plays.STEPS:
        hand = state.hands[state.turn]
        is_held = in_turn(state) and bits.inside(plays.CARDS_OF[action], hand)
        return plays.same_with_lowest(action, hand) if is_held else action
    if (state.phase == Phase.CLAIMING or state.phase == Phase.LEAVING) and action in (plays.STAY, plays.END):
        return plays.PASS
    return action


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """Lay cards, end or choose, answer what is asked."""
    if action < plays.STEPS:
        lay(state, action)
    elif action == plays.UTAZU:  # KK-22, KK-23: the claimer wins, also when another had gone out
        state.winner, state.result, state.phase = state.turn, Ending.UTAZU, Phase.OVER
    elif in_turn(state):
        act_in_turn(state, action)
    elif action == plays.CEDE:  # KK-7: the right-hand neighbour may deal; the seat that was due must in the end
        state.turn = state.dealer = next_seat(state, state.dealer)
        state.ceded = True
    elif action == plays.DEAL:
        deal_hands(state)
    else:
        answer(state, action)


@rule
def lay(s: State, action: int) -> None:
    """KK-30 to KK-42, KK-48, KK-51: one step; a hand without cards is out, with all six in one turn by guri."""
    seat = bits.wide(s.turn)
    cards = plays.CARDS_OF[action]
    s.hands[seat] = bits.without(s.hands[seat], cards)
    s.held[seat] -= plays.SIZE_OF[action]
    s.turn_cards += plays.SIZE_OF[action]
    while cards != bits.EMPTY:
        box.put_on_table(s, bits.lowest(cards), seat)
        cards = bits.without_lowest(cards)
    s.rank = plays.RANK_OF[action]
    s.field_by = s.lap_by = seat
    s.played |= bits.only(seat)
    s.field_raised = False
    s.asked = s.quiet = 0
    turns.close_right(s)
    s.begun, s.phase = True, Phase.TURN
    if s.held[seat] == 0:
        turns.finish(s, seat, Ending.GURI if s.turn_cards == HAND else Ending.OUT)


@rule
def act_in_turn(s: State, action: int) -> None:
    """KK-18, KK-26, KK-39, KK-43."""
    stops = action in (plays.END, plays.RAISE, plays.CEDE)
    if stops and s.rank != KING and turns.may_continue(s) and not bits.has(s.sanzoku, s.turn):  # a K is kept for later
        s.declined[s.turn] |= turns.ranks_above(s.rank)
    if action == plays.END:  # KK-39
        if s.turn_cards > 0 or not turns.count_quiet_turn(s):
            turns.pass_turn(s, s.turn)
    elif action == plays.RAISE:
        turns.close_right(s)
        box.raise_box(s, s.turn)
        s.begun, s.phase = True, Phase.TURN
    elif action == plays.CEDE:
        s.ceded = True
        if not turns.count_quiet_turn(s):
            turns.give_right(s, turns.next_active(s, s.turn))
    elif action == plays.SANZOKU:
        s.sanzoku |= bits.only(s.turn)
        s.begun = True
    else:
        turns.drop(s)


@rule
def answer(s: State, action: int) -> None:
    """KK-11, KK-14, KK-55 to KK-57."""
    if s.phase == Phase.SWAPPING:
        answer_fuwaru(s, action)
    elif s.phase == Phase.LEAVING:
        leave(s)
    elif s.phase == Phase.CLAIMING and s.turn == s.winner:  # KK-55
        s.phase = Phase.OVER
    elif s.phase == Phase.CLAIMING:
        turns.ask_next_claim(s, s.turn)
    elif action == plays.DROP:
        turns.drop(s)
    elif s.phase == Phase.EARLY:
        turns.ask_next_early(s)
    elif action == plays.RETURN:
        s.asker = s.turn
        turns.ask_consent(s, s.turn)
    elif action == plays.AGREE:
        turns.ask_consent(s, s.turn)
    elif action == plays.REFUSE:
        turns.end_asking(s)
    else:
        turns.go_on(s, s.turn)
