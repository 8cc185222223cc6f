"""Ma Diao: dealing, declaring, refusing, playing. Each rule is named by its number on the rules page."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements, rule
from tefuda.games.ma_diao.hands import is_extraordinary, may_refuse
from tefuda.games.ma_diao.state import (
    BOTTOM,
    CARDS,
    DEALING_VALUE,
    DECLARE,
    DECLARING,
    FACE_DOWN,
    FACE_UP,
    FEMALE_STRIKERS,
    FIGHT,
    HAND,
    HUNDRED,
    HUNDRED_CARD,
    LEADS_DEALER,
    NOT_PLAYED,
    OVER,
    PLAYING,
    REFUSE,
    REFUSING,
    SAYS_DECLARE,
    SAYS_SILENT,
    SEATS,
    SILENT,
    STATE,
    SUIT_CARDS,
    SUIT_OF,
    THROW,
    UNANSWERED,
    WHOLE_TABLE_TRICKS,
)

NOBODY = -1


@rule
def suit_cards(card: int) -> int:
    """All cards of this card's suit."""
    return bits.wide(SUIT_CARDS[SUIT_OF[card]])


@rule
def next_seat(seat: int) -> int:
    """MD-1: counter-clockwise."""
    return (seat + 1) % SEATS


# Dealing


@implements(verbs.deal, STATE)
def deal(state: Any, deck: Any) -> None:
    """MD-4, MD-6 to MD-9: packets of four, twice round; what is left over is the stock."""
    s = state
    clear_table(s)
    if s.dealer == NOBODY:
        s.dealer = s.chance % SEATS
    s.turn = s.dealer
    s.first_dealt = first_dealt(bits.wide(s.dealer), deck[CARDS - 1])
    for k in range(SEATS):
        seat = (s.first_dealt + k) % SEATS
        for i in range(4 * k, 4 * k + 4):
            s.hands[seat] |= bits.only(deck[i]) | bits.only(deck[16 + i])
        s.dealt[seat] = s.hands[seat]
        s.held[seat] = HAND
    lay_out_stock(s, deck)


@rule
def first_dealt(dealer: int, bottom: int) -> int:
    """MD-7: who is dealt to first, by the number on the bottom card."""
    return (dealer + DEALING_VALUE[bottom] + 1) % SEATS


@rule
def lay_out_stock(s: Any, deck: Any) -> None:
    """MD-9: the face card, the accuser under it, and six that nobody sees (five: top_of_rest shows another card)."""
    for i in range(SEATS * HAND, CARDS):
        s.stock |= bits.only(deck[i])
    last = CARDS - 1
    s.face = deck[last] if s.face_card == BOTTOM else deck[SEATS * HAND]
    s.accuser_down = bits.only(deck[last - 1] if s.face_card == BOTTOM else deck[SEATS * HAND + 1])
    s.stock = bits.without(s.stock, bits.only(s.face) | s.accuser_down)
    if s.face_card != BOTTOM:
        s.bottom = deck[last]
        s.stock = bits.without(s.stock, bits.only(s.bottom))


@rule
def clear_table(s: Any) -> None:
    """Empty everything that belongs to one deal."""
    for seat in range(SEATS):
        s.hands[seat] = s.dealt[seat] = s.laid_open[seat] = s.won[seat] = bits.EMPTY
        s.held[seat] = 0
        s.pending[seat] = UNANSWERED
        for k in range(HAND):
            s.rows[seat, k] = NOBODY
            s.orientation[seat, k] = NOT_PLAYED
            s.thrown[seat, k] = bits.EMPTY
    for k in range(HAND):
        s.leaders[k] = NOBODY
    s.phase = DECLARING
    s.accuser_down = s.stock = bits.EMPTY
    s.answers = s.declared = s.number = s.placed = s.best_seat = 0
    s.refuser = s.face = s.bottom = s.accuser_card = s.best_card = s.first_seven = NOBODY


# Whose turn, and what he may do


@implements(verbs.mover, STATE)
def mover(state: Any) -> int:
    """MD-16, MD-19, MD-21, MD-22, MD-24."""
    return NOBODY if state.phase == OVER else state.turn


@implements(verbs.legal, STATE)
def legal(state: Any, out: Any) -> int:
    """MD-16 and MD-19 before play; then MD-23 to the lead, MD-24 to MD-26 after it."""
    s = state
    if s.phase == PLAYING:
        hand = s.hands[s.turn]
        if s.placed == 0:
            return bits.list_into(hand, out)
        return list_throws(may_throw(s, hand), out, bits.list_into(may_beat(s, hand), out))
    if s.phase == DECLARING:
        return list_declarations(s, out)
    if s.phase == REFUSING:
        out[0], out[1] = FIGHT, REFUSE
        return 2 if may_refuse(s, s.hands[s.turn]) else 1
    return 0


@rule
def list_declarations(s: Any, out: Any) -> int:
    """MD-16: who has no extraordinary hand can only keep silent; extraordinary_mandatory: who has one cannot."""
    if not is_extraordinary(s, s.hands[s.turn]):
        out[0] = SILENT
        return 1
    if s.extraordinary_mandatory == 1:
        out[0] = DECLARE
        return 1
    out[0], out[1] = SILENT, DECLARE
    return 2


@rule
def list_throws(cards: int, out: Any, n: int) -> int:
    """Write the throws of these cards after the first ``n`` actions; how many there are then."""
    while cards != bits.EMPTY:
        out[n] = THROW + bits.lowest(cards)
        cards = bits.without_lowest(cards)
        n += 1
    return n


@rule
def may_beat(s: Any, hand: int) -> int:
    """MD-24: the cards of the led suit that are stronger than every card played face up so far."""
    return bits.above(hand & suit_cards(s.best_card), s.best_card)


@rule
def may_throw(s: Any, hand: int) -> int:
    """MD-24, MD-25: any card; must_follow (MD-26): one of the led suit as long as he holds any."""
    if s.must_follow == 1:
        of_suit = hand & suit_cards(s.best_card)
        return of_suit if of_suit != bits.EMPTY else hand
    return hand


# Moves


@implements(verbs.apply, STATE)
def apply(state: Any, action: int) -> None:
    """Play or throw a card, or answer."""
    if action < SILENT:
        play_card(state, action)
    elif action <= DECLARE:
        answer_declaring(state, action)
    else:
        answer_refusing(state, action)


@implements(verbs.disguise, STATE)
def disguise(state: Any, action: int) -> int:
    """MD-16: of declarations only that an answer was given; MD-24: a card face down looks like any other."""
    if action == DECLARE:
        return SILENT
    return THROW if THROW <= action < THROW + CARDS else action


@rule
def answer_declaring(s: Any, action: int) -> None:
    """MD-16: answers are shown when all four are in; MD-10, MD-14: a declaration ends the deal."""
    s.pending[s.turn] = SAYS_DECLARE if action == DECLARE else SAYS_SILENT
    s.turn = next_seat(s.turn)
    s.answers += 1
    if s.answers < SEATS:
        return
    s.answers = 0
    for seat in range(SEATS):
        if s.pending[seat] == SAYS_DECLARE:
            s.declared |= 1 << seat
        s.pending[seat] = UNANSWERED
    s.phase = REFUSING  # MD-17
    if s.declared != 0:
        show_declared_hands(s)
        s.phase = OVER


@rule
def show_declared_hands(s: Any) -> None:
    """MD-10, MD-12: declarers show their hands, and who owes less because of the Hundred shows that."""
    for seat in range(SEATS):
        s.laid_open[seat] = s.hands[seat] if bits.has(s.declared, seat) else s.hands[seat] & HUNDRED_CARD


@rule
def answer_refusing(s: Any, action: int) -> None:
    """MD-19: the first refusal ends the deal; when nobody refuses, play begins."""
    if action == REFUSE:
        s.refuser = s.turn
        s.laid_open[s.turn] = s.hands[s.turn]
        s.phase = OVER
        return
    s.turn = next_seat(s.turn)
    s.answers += 1
    if s.answers == SEATS:
        s.answers = 0
        s.phase = PLAYING
        s.turn = first_leader(s)


@rule
def first_leader(s: Any) -> int:
    """MD-21: the player who was dealt to first; first_leader=dealer: the dealer."""
    if s.leads_first != NOBODY:
        return bits.wide(s.leads_first)
    return bits.wide(s.dealer if s.first_leader == LEADS_DEALER else s.first_dealt)


@rule
def play_card(s: Any, action: int) -> None:
    """MD-23, MD-24: one card to the trick, face up or face down, and the trick's end with the last one."""
    seat, down = s.turn, action >= THROW
    card = action - THROW if down else action
    s.hands[seat] = bits.without(s.hands[seat], bits.only(card))
    s.held[seat] -= 1
    if s.placed == 0:
        s.leaders[s.number] = seat
    if down:
        s.orientation[seat, s.number] = FACE_DOWN
        s.thrown[seat, s.number] = bits.only(card)
    else:
        s.orientation[seat, s.number] = FACE_UP
        s.rows[seat, s.number] = card
        s.best_card, s.best_seat = card, seat
    s.placed += 1
    if s.placed == SEATS:
        take_trick(s)
    else:
        s.turn = next_seat(seat)


@rule
def take_trick(s: Any) -> None:
    """MD-22, MD-27: the last card played face up wins, and its player leads; after the last trick the deal is over."""
    s.won[s.best_seat] |= bits.only(s.best_card)
    s.turn = s.best_seat
    s.best_card, s.best_seat = NOBODY, 0
    s.placed = 0
    s.number += 1
    note_first_seven(s)
    if s.stop_after_seven == 1 and s.first_seven != NOBODY and s.number == WHOLE_TABLE_TRICKS:
        grant_last_trick(s)
    left = 0
    for seat in range(SEATS):
        left += s.held[seat]
    if left == 0 or s.number == HAND:
        end_play(s)


@rule
def note_first_seven(s: Any) -> None:
    """MD-41: whether one player has won all of the first seven tricks."""
    if s.number == WHOLE_TABLE_TRICKS:
        for seat in range(SEATS):
            if bits.size(s.won[seat]) == WHOLE_TABLE_TRICKS:
                s.first_seven = seat


@rule
def grant_last_trick(s: Any) -> None:
    """stop_after_seven: the last card of who has won seven tricks counts as on the table; the others keep theirs."""
    seat = s.first_seven
    if s.held[seat] != 1:  # a position with cards missing
        return
    card = bits.lowest(s.hands[seat])
    s.rows[seat, s.number] = card
    s.orientation[seat, s.number] = FACE_UP
    s.leaders[s.number] = seat
    s.won[seat] |= bits.only(card)
    s.hands[seat] = bits.EMPTY
    s.held[seat] = 0
    s.number += 1


# The end


@rule
def end_play(s: Any) -> None:
    """MD-45: the accuser is shown. What a score depends on is turned up, and with reveal_after all that was thrown."""
    s.phase = OVER
    if s.accuser == 1 and s.accuser_down != bits.EMPTY:
        s.accuser_card = bits.lowest(s.accuser_down)
        s.accuser_down = bits.EMPTY
    for seat in range(SEATS):
        claimed = claims(s, seat)
        s.laid_open[seat] = s.hands[seat] & claimed
        for k in range(HAND):
            if s.reveal_after == 1 or s.thrown[seat, k] & claimed:
                turn_up(s, seat, k)


@rule
def turn_up(s: Any, seat: int, k: int) -> None:
    """Show the card that this player threw in this trick, if any."""
    if s.thrown[seat, k] != bits.EMPTY:
        s.rows[seat, k] = bits.lowest(s.thrown[seat, k])
        s.thrown[seat, k] = bits.EMPTY


@rule
def claims(s: Any, seat: int) -> int:
    """The cards that this player has to show to be paid: the Hundred, and strikers beside a dead one on the table.

    MD-33 to MD-35: every Hundred that was dealt scores. MD-34 needs that one of the pair is on the table: if it is the
    Hundred, the strikers are shown: all of them, so that which are shown tells nothing of the others.
    """
    if not bits.has(s.dealt[seat], HUNDRED):
        return bits.EMPTY
    strikers = bits.EMPTY
    if bits.has(s.won[seat], HUNDRED) and bits.size(s.won[seat]) == 1:
        strikers = s.dealt[seat] & FEMALE_STRIKERS
    return bits.wide(HUNDRED_CARD) | strikers


@rule
def cards_seen(s: Any, seat: int) -> int:
    """All cards of this player that everybody has seen in this deal."""
    cards = s.won[seat] | s.laid_open[seat]
    for k in range(HAND):
        if s.rows[seat, k] != NOBODY:
            cards |= bits.only(s.rows[seat, k])
    return cards
