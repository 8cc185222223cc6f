"""Ma Diao: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Sequence

from tefuda.engine.kit import NOBODY, Ints, bits, clear_deal, deck_of, session_facts, session_fault
from tefuda.engine.kit.positions import CardReader, Fields, PositionError, check_dealt
from tefuda.games.ma_diao import rules, scoring
from tefuda.games.ma_diao.cards import CARD_WORDS, FOUR_TOPS, PACK, card_list
from tefuda.games.ma_diao.state import HAND, SEATS, WHOLE_TABLE, Answer, FaceCard, OpeningLead, Phase, State
from tefuda.games.ma_diao.words import DOWN, NOTATION

FIELDS = ("hands", "dealer", "to_move", "dealt", "won", "face", "accuser", "leader", "trick", "first_seven", "phase")
DEAL_FIELDS = ("hands", "dealer", "face", "accuser", "leader")
FACTS = ("totals", "tricks", "value", "next_dealer", "next_leader", "over")

PHASES = {"play": Phase.PLAYING, "declare": Phase.DECLARING, "refuse": Phase.REFUSING}

Plays = list[tuple[int, str]]


def position(state: State, fields: Fields) -> None:
    """Set a moment of a deal in a state that has its options; ``PositionError`` for one that cannot be."""
    reader = CardReader(fields, FIELDS, CARD_WORDS, PACK, SEATS)
    clear_deal(state)
    state.dealer = reader.seat_of("dealer", 0)
    reader.fill(state, "hands", "won")
    stock = _stock_given(reader)
    state.face = stock.get("face", NOBODY)
    state.accuser_down = bits.of([stock["accuser"]]) if "accuser" in stock else bits.EMPTY
    state.number = sum(bits.size(cards) for cards in state.won)  # every card that has won stands for a trick
    for seat, held in enumerate(state.held):
        if state.number + held > HAND:
            raise PositionError(f"hands, seat {seat}: {held} cards after {state.number} tricks are more than 8")
    plays = reader.seated_plays("trick")
    _set_phase(state, plays, reader)
    laid = [reader.card(word.strip().upper().removeprefix(DOWN), f"trick, seat {seat}") for seat, word in plays]
    _set_dealt(state, reader, [(seat, card) for (seat, _), card in zip(plays, laid, strict=True)])
    _set_first_seven(state, reader)
    trick = reader.in_turn("trick", plays, state, SEATS - 1, "the card that won it as won")
    for (seat, word), card in zip(trick, laid, strict=True):
        _lay(state, seat, word, card)
    if state.phase == Phase.PLAYING and not state.placed:
        rules.end_if_played_out(state)


def _stock_given(reader: CardReader) -> dict[str, int]:
    """MD-9: the face card, and the accuser, which is not shown before the end of play, as far as they are given."""
    names = (name for name in ("face", "accuser") if name in reader.fields)
    return {name: reader.card(str(reader.fields[name]), name) for name in names}


def _set_phase(state: State, plays: Plays, reader: CardReader) -> None:
    """Set what goes on, and whose turn it is."""
    state.phase = reader.word("phase", PHASES)
    leader = reader.seat_of("leader", NOBODY)
    if state.phase == Phase.PLAYING:
        usual = _usual_leader(state) if leader == NOBODY else leader
        state.turn = state.first_dealt = reader.first_to_act(plays, usual)
        if leader not in (NOBODY, state.turn):
            fault = f"seat {leader} does not make the first play of the trick; seat {state.turn} does"
            raise PositionError(f"leader: {fault}")
        return
    if plays or state.number:
        raise PositionError(f"phase: no card has been played while it is {reader.fields['phase']!r}")
    state.leads_first = leader
    state.first_dealt = _first_dealt(state)
    state.turn = reader.seat_of("to_move", state.dealer)
    state.answers = (int(state.turn) - int(state.dealer)) % SEATS
    for k in range(int(state.answers) if state.phase == Phase.DECLARING else 0):
        state.pending[(state.dealer + k) % SEATS] = Answer.SILENT


def _first_dealt(state: State) -> int:
    """MD-7: by the bottom card of the pack, if the face card is it; else the dealer."""
    if state.face == NOBODY or state.face_card != FaceCard.BOTTOM:
        return int(state.dealer)
    return int(rules.first_dealt(int(state.dealer), int(state.face)))


def _usual_leader(state: State) -> int:
    """The leader if a file does not say: with whole hands by MD-21, later in a deal the dealer."""
    if any(held != HAND for held in state.held):
        return int(state.dealer)
    state.first_dealt = _first_dealt(state)
    return int(rules.first_leader(state))


def _set_dealt(state: State, reader: CardReader, laid: Sequence[tuple[int, int]]) -> None:
    """Set what each was dealt: at least what they hold, what of theirs has won, and what they have just played."""
    own = [int(held | won) for held, won in zip(state.hands, state.won, strict=True)]
    for seat, card in laid:
        own[seat] |= 1 << card
    given = reader.named_per_seat("dealt")
    stock = int(state.accuser_down) | (0 if state.face == NOBODY else 1 << int(state.face))
    for seat in range(SEATS):
        elsewhere = stock
        for other in range(SEATS):
            elsewhere |= own[other] | given[other] if other != seat else 0
        twice = given[seat] & elsewhere
        if twice:
            raise PositionError(f"dealt, seat {seat}: {card_list(twice)} is already somewhere else")
        state.dealt[seat] = own[seat] | given[seat]
        if bits.size(state.dealt[seat]) > HAND:
            raise PositionError(f"dealt, seat {seat}: more than {HAND} cards: {card_list(state.dealt[seat])}")


def _set_first_seven(state: State, reader: CardReader) -> None:
    """MD-41: seven or eight tricks of one player say so by themselves; after 7-1 it has to be given."""
    rules.note_first_seven(state)
    for seat in range(SEATS):
        if bits.size(state.won[seat]) == HAND:
            state.first_seven = seat
    state.first_seven = reader.seat_of("first_seven", state.first_seven)
    if "first_seven" in reader.fields and bits.size(state.won[state.first_seven]) < WHOLE_TABLE:
        fault = f"seat {state.first_seven} has not won seven tricks; name the cards as won (MD-41)"
        raise PositionError(f"first_seven: {fault}")


def _lay(state: State, seat: int, word: str, card: int) -> None:
    """One play of the trick in progress, whose card its player is taken to have held beside the hand that is given."""
    hand = int(state.hands[seat]) | bits.only(card)
    down = word.strip().startswith(DOWN)
    if state.placed == 0 and down:
        raise PositionError(f"trick: {word}: the lead is played face up (MD-23)")
    if state.placed and not down and not bits.has(rules.may_beat(state, hand), card):
        raise PositionError(f"trick: {word} of seat {seat} does not beat {CARD_WORDS[state.best_card]} (MD-24)")
    if down and not bits.has(rules.may_throw(state, hand), card):
        raise PositionError(f"trick: {word} of seat {seat} is of another suit than it has to play (MD-26)")
    state.hands[seat] = hand
    state.held[seat] += 1
    rules.play_card(state, NOTATION.single[(DOWN if down else "") + CARD_WORDS[card]])


def arrange(state: State, fields: Fields) -> Ints | None:
    """MD-8, MD-9: the dealer, and the deck that deals these hands with this stock; None if no hands are given.

    What is not given of the stock is chosen so that neither face card nor accuser is a top, where that can be, and
    that the dealer or the leader given is dealt to first. A leader given leads whatever the bottom card says.

    ``PositionError`` for what cannot be dealt."""
    reader = CardReader(fields, DEAL_FIELDS, CARD_WORDS, PACK, SEATS)
    state.dealer = reader.seat_of("dealer", state.dealer)
    if "hands" not in fields:
        for name in ("face", "accuser", "leader"):
            if name in fields:
                raise PositionError(f"{name}: give it with the hands")
        return None
    state.dealer = max(0, state.dealer)
    hands = reader.per_seat("hands")
    check_dealt(hands, HAND)
    leader = reader.seat_of("leader", state.dealer)
    stock = _stock(state, _stock_given(reader), bits.without(PACK, sum(hands)), leader)
    first = state.first_dealt = int(rules.first_dealt(int(state.dealer), stock[-1]))
    state.leads_first = NOBODY
    if "leader" in fields and rules.first_leader(state) != leader:
        state.leads_first = leader
    return deck_of([*map(bits.members_of, hands[first:] + hands[:first])], rules.PACKET, stock)


def _stock(state: State, given: dict[str, int], cards: int, leader: int) -> list[int]:
    """MD-9: the eight cards left over, in their order in the deck, the bottom card last."""
    free = [card for card in bits.members_of(cards) if card not in given.values()]
    # Last come the cards that matter least: no tops, and at the very end those by which the leader is dealt to first.
    free.sort(key=lambda card: (not bits.has(FOUR_TOPS, card), rules.first_dealt(int(state.dealer), card) == leader))
    bottom = [] if state.face_card == FaceCard.BOTTOM else [free.pop()]
    face = given["face"] if "face" in given else free.pop()
    accuser = given["accuser"] if "accuser" in given else free.pop()
    return [face, accuser, *free, *bottom] if bottom else [*free, accuser, face]


def start_fault(state: State) -> str | None:
    """The fault of a state before dealing, in one line; None if a deal can begin from it."""
    if not NOBODY <= state.leads_first < SEATS:
        return f"leads_first: there is no seat {state.leads_first}"
    return session_fault(state, "dealer", "MD-4")


def facts(state: State) -> dict[str, object]:
    """Facts that a scenario may expect: totals and tricks now, values in stakes; after the deal, who deals the next."""
    found = session_facts(state, "dealer")
    if state.first_leader != OpeningLead.DEALER:  # the bottom card decides (MD-21)
        found.pop("next_leader", None)
    found["tricks"] = [int(scoring.tricks_of(state, seat)) for seat in range(SEATS)]
    if not state.declared and state.refuser == NOBODY:
        found["value"] = [scoring.in_stakes(int(scoring.value(state, seat))) for seat in range(SEATS)]
    return found
