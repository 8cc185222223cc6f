"""Kakkuri: dealing, what may be done, and what each play does. Each rule is named by its number on the rules page."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.kit.session import NOBODY, next_seat
from tefuda.engine.verbs import implements, rule
from tefuda.games.kakkuri import box, plays, turns
from tefuda.games.kakkuri.cards import CARDS, CLUB_THREE, NO_CARD
from tefuda.games.kakkuri.sequences import list_next_steps
from tefuda.games.kakkuri.state import HAND, MOST_SEATS, Ending, Phase, State
from tefuda.games.kakkuri.turns import has_played, has_utazu, in_turn, may_cede_right, may_drop

_ANSWERS = {
    Phase.CEDING: (plays.CEDE, plays.DEAL),
    Phase.SWAPPING: (plays.SWAP, plays.KEEP),
    Phase.LEAVING: (plays.UTAZU, plays.PASS),
    Phase.EARLY: (plays.DROP, plays.STAY),
    Phase.RETURNING: (plays.STAY, plays.RETURN),
    Phase.CONSENT: (plays.AGREE, plays.REFUSE),
    Phase.CLAIMING: (plays.UTAZU, plays.PASS),
}
ANSWERS = tuple(bits.of(action - plays.STEPS for action in _ANSWERS.get(phase, ())) for phase in Phase)
"""What is asked in each phase may be answered so: sets of what may be said, numbered from 0."""

# Dealing


@implements(verbs.deal, State)
def deal(state: State, deck: Any) -> None:
    """KK-3, KK-6 to KK-8: who deals; from the second deal on the dealer may cede."""
    clear_table(state)
    generator = box.draw_luck(state)
    if state.dealer == NOBODY:
        state.dealer = box.draw_dealer(state, generator)
    if not is_arranged(state):
        box.draw_coming(state, generator)
    state.due = state.turn = state.dealer
    box.stack(state, deck)
    if state.deal_cede and state.deals > 0:
        state.phase = Phase.CEDING
    else:
        deal_hands(state)


@rule
def is_arranged(s: State) -> bool:
    """Whether the shuffle to come has been decided before the deal, as a scenario may."""
    return s.coming[0] != s.coming[1]


@rule
def clear_table(s: State) -> None:
    """Empty everything that belongs to one deal."""
    for seat in range(MOST_SEATS):
        s.hands[seat] = s.unseen[seat] = s.gave_up[seat] = s.surfaced[seat] = bits.EMPTY
        s.held[seat] = s.declined[seat] = 0
        s.gathered[seat] = NOBODY
    for k in range(CARDS):
        s.box[k] = s.table[k] = s.order[k] = NO_CARD
        s.table_by[k] = 0
    s.box_size = s.table_size = s.order_size = s.rebuilds = 0
    s.turned = s.in_box = bits.EMPTY
    s.swapped = s.played = s.sanzoku = s.dropped = s.asked = 0
    s.fresh = bits.span(0, s.seats)
    s.rank = s.forced_out = s.asker = s.right_first = s.winner = NOBODY
    s.field_by = s.lap_by = s.first = s.turn_cards = s.quiet = 0
    s.field_raised = s.ceded = s.first_turn = s.begun = False
    s.result = Ending.NONE_YET


@rule
def cede_deal(s: State) -> None:
    """KK-7: the right-hand neighbour may deal; once it comes back to the seat that was due, that seat must."""
    s.turn = s.dealer = next_seat(s, s.dealer)
    s.ceded = True


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
    box.show_hands(s)
    if s.seats < MOST_SEATS:
        turn_first_card(s)
        return
    for seat in range(s.seats):
        if bits.has(s.hands[seat], CLUB_THREE):
            s.forced_out = s.turn = seat
    if s.utazu_before_c3:  # KK-G18
        s.phase = Phase.LEAVING
    else:
        leave(s)


@rule
def leave(s: State) -> None:
    """KK-14, KK-15: the cards of the holder of C3 are the box; a dealer who leaves is replaced by the next seat."""
    box.force_out(s, s.forced_out)
    s.fresh = bits.without(bits.wide(s.fresh), bits.only(s.forced_out))
    if s.first == s.forced_out:
        s.first = next_seat(s, s.forced_out)
    turn_first_card(s)


@rule
def turn_first_card(s: State) -> None:
    """KK-16: the dealer raises the box for the first time."""
    box.raise_box(s, s.first)
    turns.begin_play(s)


# Whose turn, and what this seat may do


@implements(verbs.mover, State)
def mover(state: State) -> int:
    """KK-29, KK-55 to KK-57."""
    return NOBODY if state.phase == Phase.OVER else state.turn


@implements(verbs.legal, State)
def legal(state: State, out: Any) -> int:
    """What the seat on turn may lay, then what it may say."""
    if in_turn(state):
        n, said = list_next_steps(state, out), sayable_in_turn(state)
    else:
        n, said = 0, answers(state)
    while said != bits.EMPTY:
        out[n] = plays.STEPS + bits.lowest(said)
        said = bits.without_lowest(said)
        n += 1
    return n


@rule
def said_as(action: int) -> int:
    """The set of this one thing that may be said."""
    return bits.only(action - plays.STEPS)


@rule
def sayable_in_turn(s: State) -> int:
    """KK-17, KK-22, KK-27, KK-30, KK-38, KK-43: ending or choosing, dropping, what may be declared."""
    said = said_as(plays.END) if s.phase == Phase.TURN else said_as(plays.RAISE)
    if s.phase == Phase.RIGHT and may_cede_right(s):
        said |= said_as(plays.CEDE)
    if has_played(s, s.turn):
        return said
    if may_drop(s):
        said |= said_as(plays.DROP)
    if has_utazu(s, s.turn):
        said |= said_as(plays.UTAZU)
    if not bits.has(s.sanzoku, s.turn):  # KK-28: any hand may
        said |= said_as(plays.SANZOKU)
    return said


@rule
def answers(s: State) -> int:
    """KK-7, KK-11, KK-55 to KK-57: what may be answered now; a seat without utazu can only say no to it."""
    said = ANSWERS[s.phase]
    if s.phase == Phase.CEDING and must_deal(s):
        said = bits.without(said, said_as(plays.CEDE))
    if not has_utazu(s, s.turn):
        said = bits.without(said, said_as(plays.UTAZU))
    return said


@rule
def must_deal(s: State) -> bool:
    """KK-7, KK-G9: the deal has come back to the seat that was due."""
    return s.ceded and s.turn == s.due


@implements(verbs.listed, State)
def listed(state: State, action: int) -> int:
    """Of equal naturals the lowest; asked for utazu, a player may say no with other words too (KK-55)."""
    if action < 0:
        return action
    if action < plays.STEPS:
        hand = state.hands[state.turn]
        is_held = in_turn(state) and bits.inside(plays.CARDS_OF[action], hand)
        return plays.same_with_lowest(action, hand) if is_held else action
    if (state.phase == Phase.CLAIMING or state.phase == Phase.LEAVING) and action in (plays.STAY, plays.END):
        return plays.PASS
    return action


# Moves


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """Lay cards, end or choose, answer what is asked."""
    if action < plays.STEPS:
        lay(state, action)
    elif action == plays.UTAZU:
        turns.claim_utazu(state)
    elif in_turn(state):
        act_in_turn(state, action)
    elif action == plays.CEDE:
        cede_deal(state)
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
    if action in (plays.END, plays.RAISE, plays.CEDE):
        turns.note_declined(s)
    if action == plays.END:
        turns.end_turn(s)
    elif action == plays.RAISE:
        turns.close_right(s)
        box.raise_box(s, s.turn)
        s.begun, s.phase = True, Phase.TURN
    elif action == plays.CEDE:
        turns.cede_right(s)
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
    elif s.phase == Phase.CLAIMING:
        turns.pass_claim(s)
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
