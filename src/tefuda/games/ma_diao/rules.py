"""Ma Diao: dealing, declaring, refusing, playing. Each rule is named by its number on the rules page."""

from tefuda.engine.kit import NOBODY, Ints, add_if, bits, clear_deal, deal_packets, implements, next_seat, rule, verbs
from tefuda.games.ma_diao import cards
from tefuda.games.ma_diao.cards import CARDS, DECLARE, FIGHT, HUNDRED_CARD, REFUSE, SILENT, THROW, suit_cards
from tefuda.games.ma_diao.state import HAND, SEATS, WHOLE_TABLE, Answer, FaceCard, OpeningLead, Phase, Side, State

PACKET = 4  # MD-8: cards that are dealt at once


@implements(verbs.deal, State)
def deal(state: State, deck: Ints) -> None:
    """MD-4, MD-6 to MD-9: packets of four, twice round; what is left over is the stock."""
    clear_deal(state)
    if state.dealer == NOBODY:
        state.dealer = state.chance % SEATS
    state.turn = state.dealer
    state.first_dealt = first_dealt(bits.wide(state.dealer), deck[CARDS - 1])
    deal_packets(state, deck[: SEATS * HAND], bits.wide(state.first_dealt), PACKET)
    for seat in range(SEATS):
        state.dealt[seat] = state.hands[seat]
    lay_out_stock(state, deck)


@rule
def first_dealt(dealer: int, bottom: int) -> int:
    """MD-7: who is dealt to first, by the number on the bottom card."""
    return (dealer + cards.DEALING_VALUE[bottom] + 1) % SEATS


@rule
def lay_out_stock(s: State, deck: Ints) -> None:
    """MD-9: the face card, the accuser under it, and six that nobody sees (five: top_of_rest shows another card)."""
    first, last = SEATS * HAND, CARDS - 1
    if s.face_card == FaceCard.BOTTOM:
        s.face, accuser = deck[last], deck[last - 1]
    else:
        s.face, accuser, s.bottom = deck[first], deck[first + 1], deck[last]
    s.accuser_down = bits.only(accuser)
    for i in range(first, CARDS):
        if deck[i] != s.face and deck[i] != accuser and deck[i] != s.bottom:
            s.stock |= bits.only(deck[i])


@implements(verbs.legal, State)
def legal(state: State, out: Ints) -> int:
    """MD-16 and MD-19 before play; then MD-23 to the lead, MD-24 to MD-26 after it."""
    hand = state.hands[state.turn]
    if state.phase == Phase.PLAYING:
        if state.placed == 0:
            return bits.list_into(hand, out)
        return list_throws(may_throw(state, hand), out, bits.list_into(may_beat(state, hand), out))
    if state.phase == Phase.DECLARING:  # extraordinary_mandatory: with an extraordinary hand one declares
        extraordinary = cards.is_extraordinary(state, hand)
        n = add_if(not (extraordinary and state.extraordinary_mandatory), SILENT, out, 0)
        return add_if(extraordinary, DECLARE, out, n)
    if state.phase == Phase.REFUSING:
        out[0], out[1] = FIGHT, REFUSE
        return 2 if cards.may_refuse(state, hand) else 1
    return 0


@rule
def list_throws(cards: int, out: Ints, n: int) -> int:
    """Write the throws of these cards after the first ``n`` actions; how many there are then."""
    while cards != bits.EMPTY:
        out[n] = THROW + bits.lowest(cards)
        cards = bits.without_lowest(cards)
        n += 1
    return n


@rule
def may_beat(s: State, hand: int) -> int:
    """MD-24: the cards of the led suit that are stronger than every card played face up so far."""
    return bits.above(hand & suit_cards(s.best_card), s.best_card)


@rule
def may_throw(s: State, hand: int) -> int:
    """MD-24, MD-25: any card; must_follow (MD-26): one of the led suit as long as there is any."""
    of_suit = hand & suit_cards(s.best_card)
    return of_suit if s.must_follow and of_suit != bits.EMPTY else hand


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """Play or throw a card, or answer."""
    if action < SILENT:
        play_card(state, action)
    elif action <= DECLARE:
        answer_declaring(state, action)
    else:
        answer_refusing(state, action)


@implements(verbs.disguise, State)
def disguise(state: State, action: int) -> int:
    """MD-16: of declarations only that an answer was given; MD-24: a card face down looks like any other."""
    if action == DECLARE:
        return SILENT
    return THROW if THROW <= action < THROW + CARDS else action


@rule
def answer_declaring(s: State, action: int) -> None:
    """MD-16: answers are shown when all four are in; MD-10, MD-14: a declaration ends the deal."""
    s.pending[s.turn] = Answer.DECLARE if action == DECLARE else Answer.SILENT
    s.turn = next_seat(s, s.turn)
    s.answers += 1
    if s.answers < SEATS:
        return
    s.answers = 0
    for seat in range(SEATS):
        if s.pending[seat] == Answer.DECLARE:
            s.declared |= 1 << seat
        s.pending[seat] = Answer.NONE_YET
    s.phase = Phase.REFUSING  # MD-17
    if s.declared != 0:
        s.phase = Phase.OVER
        for seat in range(SEATS):  # MD-10; MD-12: a player who owes less because of the Hundred shows that
            s.laid_open[seat] = s.hands[seat] if bits.has(s.declared, seat) else s.hands[seat] & HUNDRED_CARD


@rule
def answer_refusing(s: State, action: int) -> None:
    """MD-19: the first refusal ends the deal; when nobody refuses, play begins."""
    if action == REFUSE:
        s.refuser = s.turn
        s.laid_open[s.turn] = s.hands[s.turn]
        s.phase = Phase.OVER
        return
    s.turn = next_seat(s, s.turn)
    s.answers += 1
    if s.answers == SEATS:
        s.answers = 0
        s.phase = Phase.PLAYING
        s.turn = first_leader(s)


@rule
def first_leader(s: State) -> int:
    """MD-21: the player who was dealt to first; first_leader=dealer: the dealer."""
    if s.leads_first != NOBODY:
        return bits.wide(s.leads_first)
    return bits.wide(s.dealer if s.first_leader == OpeningLead.DEALER else s.first_dealt)


@rule
def play_card(s: State, action: int) -> None:
    """MD-23, MD-24: one card to the trick, face up or face down, and the trick's end with the last one."""
    seat, down = s.turn, action >= THROW
    card = action - THROW if down else action
    s.hands[seat] = bits.without(s.hands[seat], bits.only(card))
    s.held[seat] -= 1
    if s.placed == 0:
        s.leaders[s.number] = seat
    if down:
        s.orientation[seat, s.number] = Side.FACE_DOWN
        s.thrown[seat, s.number] = bits.only(card)
    else:
        s.orientation[seat, s.number] = Side.FACE_UP
        s.rows[seat, s.number] = card
        s.best_card, s.best_seat = card, seat
    s.placed += 1
    if s.placed == SEATS:
        take_trick(s)
    else:
        s.turn = next_seat(s, seat)


@rule
def take_trick(s: State) -> None:
    """MD-22, MD-27: the last card played face up wins, and its player leads; after the last trick the deal is over."""
    s.won[s.best_seat] |= bits.only(s.best_card)
    s.turn = s.best_seat
    s.best_card, s.best_seat = NOBODY, 0
    s.placed = 0
    s.number += 1
    note_first_seven(s)
    end_if_played_out(s)


@rule
def note_first_seven(s: State) -> None:
    """MD-41: whether one player has won all of the first seven tricks."""
    if s.number == WHOLE_TABLE:
        for seat in range(SEATS):
            if bits.size(s.won[seat]) == WHOLE_TABLE:
                s.first_seven = seat


@rule
def end_if_played_out(s: State) -> None:
    """MD-22: the deal is over when nobody has cards; stop_after_seven may end it a trick earlier."""
    if s.stop_after_seven and s.first_seven != NOBODY and s.number == WHOLE_TABLE:
        grant_last_trick(s)
    left = 0
    for seat in range(SEATS):
        left += s.held[seat]
    if left == 0 or s.number == HAND:
        end_play(s)


@rule
def grant_last_trick(s: State) -> None:
    """stop_after_seven: the last card of who has won seven tricks counts as on the table; the others keep theirs."""
    seat = s.first_seven
    if s.held[seat] != 1:  # a position with cards missing
        return
    card = bits.lowest(s.hands[seat])
    s.rows[seat, s.number] = card
    s.orientation[seat, s.number] = Side.FACE_UP
    s.leaders[s.number] = seat
    s.won[seat] |= bits.only(card)
    s.hands[seat] = bits.EMPTY
    s.held[seat] = 0
    s.number += 1


@rule
def end_play(s: State) -> None:
    """MD-45: the accuser is shown. What a score depends on is turned up, and with reveal_after all that was thrown."""
    s.phase = Phase.OVER
    if s.accuser and s.accuser_down != bits.EMPTY:
        s.accuser_card = bits.lowest(s.accuser_down)
        s.accuser_down = bits.EMPTY
    for seat in range(SEATS):
        claimed = claims(s, seat)
        s.laid_open[seat] = s.hands[seat] & claimed
        for k in range(HAND):
            if s.thrown[seat, k] != bits.EMPTY and (s.reveal_after or s.thrown[seat, k] & claimed):
                s.rows[seat, k] = bits.lowest(s.thrown[seat, k])
                s.thrown[seat, k] = bits.EMPTY


@rule
def claims(s: State, seat: int) -> int:
    """The cards that this player has to show to be paid: the Hundred, and strikers beside a dead one on the table.

    MD-33 to MD-35: every Hundred that was dealt scores. MD-34 needs that one of the pair is on the table: if it is the
    Hundred, the strikers are shown: all of them, so that which are shown tells nothing of the others."""
    if not bits.has(s.dealt[seat], cards.HUNDRED):
        return bits.EMPTY
    only_hundred_won = s.won[seat] == HUNDRED_CARD
    return bits.wide(HUNDRED_CARD) | (s.dealt[seat] & cards.FEMALE_STRIKERS if only_hundred_won else bits.EMPTY)


@rule
def cards_seen(s: State, seat: int) -> int:
    """All cards of this player that everybody has seen in this deal."""
    cards = s.won[seat] | s.laid_open[seat]
    for k in range(HAND):
        if s.rows[seat, k] != NOBODY:
            cards |= bits.only(s.rows[seat, k])
    return cards


@rule
def open_cards(s: State) -> int:
    """All cards that everybody has seen in this deal: the players', and those of the stock."""
    cards = bits.EMPTY
    for seat in range(SEATS):
        cards |= cards_seen(s, seat)
    for card in (s.face, s.bottom, s.accuser_card):
        if card != NOBODY:
            cards |= bits.only(card)
    return cards
