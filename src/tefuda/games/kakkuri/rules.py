"""Kakkuri: dealing, what may be done, and what each play does. Each rule is named by its number on the rules page."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements, rule
from tefuda.games.kakkuri.box import (
    deal_out,
    draw_coming,
    drawn_dealer,
    force_out,
    look_at_hands,
    luck,
    next_seat,
    put_on_table,
    raise_box,
    stack,
)
from tefuda.games.kakkuri.plays import (
    AGREE,
    CARDS_OF,
    CEDE,
    DEAL,
    DROP,
    END,
    KEEP,
    PASS,
    RAISE,
    RANK_OF,
    REFUSE,
    RETURN,
    SANZOKU,
    SIZE_OF,
    STAY,
    STEPS,
    SWAP,
    UTAZU,
    same_with_lowest,
)
from tefuda.games.kakkuri.sequences import list_next_steps
from tefuda.games.kakkuri.state import (
    CARDS,
    CEDING,
    CLAIMING,
    CLUB_THREE,
    CONSENT,
    EARLY,
    GURI,
    HAND,
    LEAVING,
    MOST_SEATS,
    NO_CARD,
    NO_RESULT,
    NOBODY,
    OUT,
    OVER,
    RETURNING,
    RIGHT,
    STATE,
    SWAPPING,
    TURN,
)
from tefuda.games.kakkuri.turns import (
    ask_consent,
    ask_next_early,
    begin_play,
    cede_right,
    claim_utazu,
    close_right,
    drop,
    end_asking,
    end_turn,
    finish,
    go_on,
    has_played,
    has_utazu,
    may_cede_right,
    may_drop,
    note_declined,
    pass_claim,
)

MOST_PLAYERS = 8

# Dealing


@implements(verbs.deal, STATE)
def deal(state: Any, deck: Any) -> None:
    """KK-3, KK-6 to KK-8: who deals; from the second deal he may cede."""
    s = state
    clear_table(s)
    generator = luck(s)
    if s.dealer == NOBODY:
        s.dealer = drawn_dealer(s, generator)
    if not is_arranged(s):
        draw_coming(s, generator)
    s.due = s.turn = s.dealer
    stack(s, deck)
    if s.deal_cede == 1 and s.deals > 0:
        s.phase = CEDING
    else:
        deal_hands(s)


@rule
def is_arranged(s: Any) -> bool:
    """Whether the shuffle to come has been decided before the deal, as a scenario may."""
    return s.coming[0] != s.coming[1]


@rule
def clear_table(s: Any) -> None:
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
    s.field_by = s.field_raised = s.lap_by = s.ceded = s.first = 0
    s.first_turn = s.begun = s.turn_cards = s.quiet = 0
    s.result = NO_RESULT


@rule
def cede_deal(s: Any) -> None:
    """KK-7: the right-hand neighbour may deal; when it comes back to the one who was due, he must."""
    s.turn = s.dealer = next_seat(s, s.dealer)
    s.ceded = 1


@rule
def deal_hands(s: Any) -> None:
    """KK-9 to KK-12: cards are dealt; with fuwaru nobody looks before everybody has been asked to exchange."""
    s.ceded = 0
    s.first = s.dealer
    deal_out(s)
    if s.fuwaru == 1:
        s.phase, s.turn = SWAPPING, next_seat(s, s.dealer)
    else:
        look(s)


@rule
def answer_fuwaru(s: Any, action: int) -> None:
    """KK-11, KK-12: whole hands are exchanged with the dealer's, unseen; then the next is asked."""
    if action == SWAP:
        s.swapped |= bits.only(s.turn)
        hand = s.unseen[s.turn]
        s.unseen[s.turn] = s.unseen[s.dealer]
        s.unseen[s.dealer] = hand
    s.turn = next_seat(s, s.turn)
    if s.turn == s.dealer:
        look(s)


@rule
def look(s: Any) -> None:
    """KK-13 to KK-16: everybody looks; of eight, the holder of C3 must leave."""
    look_at_hands(s)
    if s.seats < MOST_PLAYERS:
        turn_first_card(s)
        return
    for seat in range(s.seats):
        if bits.has(s.hands[seat], CLUB_THREE):
            s.forced_out = s.turn = seat
    if s.utazu_before_c3 == 1:  # KK-G18
        s.phase = LEAVING
    else:
        leave(s)


@rule
def leave(s: Any) -> None:
    """KK-14, KK-15: his cards are the box; if he has dealt, his right-hand neighbour is dealer for this deal."""
    force_out(s, s.forced_out)
    s.fresh = bits.without(bits.wide(s.fresh), bits.only(s.forced_out))
    if s.first == s.forced_out:
        s.first = next_seat(s, s.forced_out)
    turn_first_card(s)


@rule
def turn_first_card(s: Any) -> None:
    """KK-16: the dealer raises the box for the first time."""
    raise_box(s, s.first)
    begin_play(s)


# Whose turn, and what he may do


@implements(verbs.mover, STATE)
def mover(state: Any) -> int:
    """KK-29, KK-55 to KK-57."""
    return -1 if state.phase == OVER else state.turn


@implements(verbs.legal, STATE)
def legal(state: Any, out: Any) -> int:
    """What the seat on turn may lay, do or answer."""
    s = state
    if s.phase == TURN or s.phase == RIGHT:
        return list_turn(s, out)
    if s.phase == CEDING:
        return list_ceding(s, out)
    if s.phase == CLAIMING or s.phase == LEAVING:
        return list_claim(s, out)
    if s.phase == SWAPPING:
        out[0], out[1] = SWAP, KEEP
    elif s.phase == EARLY:
        out[0], out[1] = DROP, STAY
    elif s.phase == RETURNING:
        out[0], out[1] = STAY, RETURN
    elif s.phase == CONSENT:
        out[0], out[1] = AGREE, REFUSE
    else:
        return 0
    return 2


@rule
def list_turn(s: Any, out: Any) -> int:
    """KK-17, KK-22, KK-27, KK-30, KK-38, KK-43: steps, ending or choosing, dropping, what may be declared."""
    n = list_next_steps(s, out)
    if s.phase == TURN:
        out[n] = END
        n += 1
    else:
        out[n] = RAISE
        n += 1
        if may_cede_right(s):
            out[n] = CEDE
            n += 1
    if has_played(s, s.turn):
        return n
    if may_drop(s):
        out[n] = DROP
        n += 1
    if has_utazu(s, s.turn):
        out[n] = UTAZU
        n += 1
    if not bits.has(s.sanzoku, s.turn):  # KK-28: any hand may
        out[n] = SANZOKU
        n += 1
    return n


@rule
def list_ceding(s: Any, out: Any) -> int:
    """KK-7."""
    n = 0
    if not must_deal(s):
        out[n] = CEDE
        n += 1
    out[n] = DEAL
    return n + 1


@rule
def must_deal(s: Any) -> bool:
    """KK-7, KK-G9: the deal has come back to the one who was due."""
    return s.ceded == 1 and s.turn == s.due


@rule
def list_claim(s: Any, out: Any) -> int:
    """KK-55: who has no utazu can only say no."""
    n = 0
    if has_utazu(s, s.turn):
        out[n] = UTAZU
        n += 1
    out[n] = PASS
    return n + 1


@implements(verbs.listed, STATE)
def listed(state: Any, action: int) -> int:
    """Of equal naturals the lowest; asked for utazu, a player may say no with other words too (KK-55)."""
    s = state
    if action < 0:
        return action
    if action < STEPS:
        is_held = s.phase in (TURN, RIGHT) and bits.inside(CARDS_OF[action], s.hands[s.turn])
        return same_with_lowest(action, s.hands[s.turn]) if is_held else action
    if (s.phase == CLAIMING or s.phase == LEAVING) and action in (STAY, END):
        return PASS
    return action


# Moves


@implements(verbs.apply, STATE)
def apply(state: Any, action: int) -> None:
    """Lay cards, end or choose, answer what is asked."""
    s = state
    if action < STEPS:
        lay(s, action)
    elif action == UTAZU:
        claim_utazu(s)
    elif s.phase == TURN or s.phase == RIGHT:
        act_in_turn(s, action)
    elif s.phase == CEDING or s.phase == SWAPPING or s.phase == LEAVING:
        act_before_play(s, action)
    else:
        answer(s, action)


@rule
def lay(s: Any, action: int) -> None:
    """KK-30 to KK-42, KK-48, KK-51: one step; who has no card left has gone out, with all six in one turn by guri."""
    seat = bits.wide(s.turn)
    cards = CARDS_OF[action]
    s.hands[seat] = bits.without(s.hands[seat], cards)
    s.held[seat] -= SIZE_OF[action]
    s.turn_cards += SIZE_OF[action]
    while cards != bits.EMPTY:
        put_on_table(s, bits.lowest(cards), seat)
        cards = bits.without_lowest(cards)
    s.rank = RANK_OF[action]
    s.field_by = s.lap_by = seat
    s.played |= bits.only(seat)
    s.field_raised = s.asked = s.quiet = 0
    close_right(s)
    s.begun, s.phase = 1, TURN
    if s.held[seat] == 0:
        finish(s, seat, GURI if s.turn_cards == HAND else OUT)


@rule
def act_in_turn(s: Any, action: int) -> None:
    """KK-18, KK-26, KK-39, KK-43."""
    if action in (END, RAISE, CEDE):
        note_declined(s)
    if action == END:
        end_turn(s)
    elif action == RAISE:
        close_right(s)
        raise_box(s, s.turn)
        s.begun, s.phase = 1, TURN
    elif action == CEDE:
        cede_right(s)
    elif action == SANZOKU:
        s.sanzoku |= bits.only(s.turn)
        s.begun = 1
    else:
        drop(s)


@rule
def act_before_play(s: Any, action: int) -> None:
    """KK-7, KK-11, KK-14."""
    if action == CEDE:
        cede_deal(s)
    elif action == DEAL:
        deal_hands(s)
    elif s.phase == SWAPPING:
        answer_fuwaru(s, action)
    else:
        leave(s)


@rule
def answer(s: Any, action: int) -> None:
    """KK-55 to KK-57."""
    if s.phase == CLAIMING:
        pass_claim(s)
    elif action == DROP:
        drop(s)
    elif s.phase == EARLY:
        ask_next_early(s)
    elif action == RETURN:
        s.asker = s.turn
        ask_consent(s, s.turn)
    elif action == AGREE:
        ask_consent(s, s.turn)
    elif action == REFUSE:
        end_asking(s)
    else:
        go_on(s, s.turn)
