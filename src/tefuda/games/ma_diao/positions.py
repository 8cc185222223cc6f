"""Ma Diao: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.kit.positions import CardReader, PositionError, whole_number
from tefuda.games.ma_diao import scoring
from tefuda.games.ma_diao.notation import DOWN, NOTATION, card_list
from tefuda.games.ma_diao.rules import (
    NOBODY,
    clear_table,
    end_play,
    first_dealt,
    first_leader,
    grant_last_trick,
    may_beat,
    may_throw,
    note_first_seven,
    play_card,
)
from tefuda.games.ma_diao.state import (
    BOTTOM,
    CARD_WORDS,
    CARDS,
    DECLARING,
    FOUR_TOPS,
    HAND,
    LEADS_DEALER,
    PLAYING,
    REFUSING,
    SAYS_SILENT,
    SEATS,
    STATE,
    WHOLE_TABLE_TRICKS,
)

FIELDS = (
    "hands", "dealer", "to_move", "dealt", "won", "face", "accuser", "leader", "trick", "first_seven", "phase",
)  # fmt: skip
DEAL_FIELDS = ("hands", "dealer", "face", "accuser", "leader")
FACTS = ("totals", "tricks", "value", "next_dealer", "next_leader", "over")

_PHASES = {"play": PLAYING, "declare": DECLARING, "refuse": REFUSING}


def reader_of_cards() -> CardReader:
    """A reader of the whole pack, every card still to be placed."""
    return CardReader(CARD_WORDS, bits.span(0, CARDS), SEATS)


def position(state: Any, fields: Mapping[str, Any]) -> None:
    """Set a moment of a deal in a state that has its options.

    Raises:
        PositionError: an unknown field, card, seat or phase, a card that stands twice, a trick that cannot be.
    """
    reader = reader_of_cards()
    reader.known_fields(fields, FIELDS)
    clear_table(state)
    state.dealer = reader.seat(fields.get("dealer", 0), "dealer")
    for seat, cards in enumerate(reader.per_seat(fields, "hands")):
        state.hands[seat], state.held[seat] = cards, bits.size(cards)
    for seat, cards in enumerate(reader.per_seat(fields, "won")):
        state.won[seat] = cards
    _set_stock(state, fields, reader)
    _set_number(state)
    plays = reader.seated_plays(fields, "trick")
    _set_phase(state, fields, plays, reader)
    laid = [_card_of(word, f"trick, seat {seat}", reader) for seat, word in plays]
    _set_dealt(state, fields, reader, laid, [seat for seat, _ in plays])
    _set_first_seven(state, fields, reader)
    for (seat, word), card in zip(plays, laid, strict=True):
        _lay(state, seat, word, card)
    _check_turn(state, fields, plays)
    _finish(state)


def _set_stock(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    """MD-9: the face card, and the accuser, which is not shown before the end of play."""
    if "face" in fields:
        state.face = reader.card(str(fields["face"]), "face")
    if "accuser" in fields:
        state.accuser_down = 1 << reader.card(str(fields["accuser"]), "accuser")


def _set_number(state: Any) -> None:
    """Every card that has won stands for a trick; those and the cards in hand are no more than were dealt."""
    number = sum(bits.size(cards) for cards in state.won)
    for seat in range(SEATS):
        if number + int(state.held[seat]) > HAND:
            raise PositionError(f"hands, seat {seat}: {state.held[seat]} cards after {number} tricks are more than 8")
    state.number = number


def _set_phase(state: Any, fields: Mapping[str, Any], plays: list[tuple[int, str]], reader: CardReader) -> None:
    phase = fields.get("phase", "play")
    if phase not in _PHASES:
        raise PositionError(f"phase: {phase!r} is none of {', '.join(_PHASES)}")
    if phase != "play" and (plays or state.number):
        raise PositionError(f"phase: no card has been played while it is {phase!r}")
    state.phase = _PHASES[phase]
    leader = reader.seat(fields["leader"], "leader") if "leader" in fields else NOBODY
    if phase == "play":
        _set_leader(state, fields, plays, reader, leader)
        return
    state.leads_first = leader
    state.first_dealt = _first_dealt(state)
    state.turn = reader.seat(fields.get("to_move", int(state.dealer)), "to_move")
    state.answers = (int(state.turn) - int(state.dealer)) % SEATS
    for k in range(int(state.answers) if phase == "declare" else 0):
        state.pending[(state.dealer + k) % SEATS] = SAYS_SILENT


def _first_dealt(state: Any) -> int:
    """MD-7: by the bottom card of the pack, if the face card is it; else the dealer."""
    if state.face == NOBODY or state.face_card != BOTTOM:
        return int(state.dealer)
    return int(first_dealt(int(state.dealer), int(state.face)))


def _set_leader(
    state: Any, fields: Mapping[str, Any], plays: list[tuple[int, str]], reader: CardReader, leader: int
) -> None:
    """Who leads the trick in progress: the first of its plays, the mover, the leader, or else ``_usual_leader``."""
    if plays:
        state.turn = plays[0][0]
    else:
        usual = _usual_leader(state) if leader == NOBODY else leader
        state.turn = reader.seat(fields.get("to_move", usual), "to_move")
    if leader not in (NOBODY, state.turn):
        raise PositionError(f"leader: seat {leader} does not make the first play of the trick; seat {state.turn} does")
    state.first_dealt = state.turn


def _usual_leader(state: Any) -> int:
    """Who leads if a file does not say: with whole hands by MD-21, later in a deal the dealer."""
    if any(held != HAND for held in state.held):
        return int(state.dealer)
    state.first_dealt = _first_dealt(state)
    return int(first_leader(state))


def _card_of(word: str, field: str, reader: CardReader) -> int:
    """The card of a play to the trick in progress, which is placed there."""
    return reader.card(word.strip().upper().removeprefix(DOWN), field)


def _set_dealt(state: Any, fields: Mapping[str, Any], reader: CardReader, laid: list[int], players: list[int]) -> None:
    """What each was dealt: at least what he holds, what of his has won and what he has played to this trick."""
    own = [int(state.hands[seat]) | int(state.won[seat]) for seat in range(SEATS)]
    for seat, card in zip(players, laid, strict=True):
        own[seat] |= 1 << card
    given = [reader.named(text, f"dealt, seat {seat}") for seat, text in enumerate(reader.entries(fields, "dealt", ""))]
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


def _set_first_seven(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    """MD-41: seven or eight tricks of one player say so by themselves; after 7-1 it has to be given."""
    state.first_seven = NOBODY
    note_first_seven(state)
    for seat in range(SEATS):
        if bits.size(state.won[seat]) == HAND:
            state.first_seven = seat
    if "first_seven" in fields:
        seat = reader.seat(fields["first_seven"], "first_seven")
        if bits.size(state.won[seat]) < WHOLE_TABLE_TRICKS:
            raise PositionError(f"first_seven: seat {seat} has not won seven tricks; name the cards as won (MD-41)")
        state.first_seven = seat


def _lay(state: Any, seat: int, word: str, card: int) -> None:
    """One play of the trick in progress, whose card its player is taken to have held beside the hand that is given."""
    if seat != state.turn:
        raise PositionError(f"trick: seat {seat} plays out of turn; it is seat {int(state.turn)}'s")
    if state.placed == SEATS - 1:
        raise PositionError("trick: it is complete; give the card that won it as won")
    hand = int(state.hands[seat]) | bits.only(card)
    down = word.strip().startswith(DOWN)
    if state.placed == 0 and down:
        raise PositionError(f"trick: {word}: the lead is played face up (MD-23)")
    if state.placed and not down and not bits.has(may_beat(state, hand), card):
        raise PositionError(f"trick: {word} of seat {seat} does not beat {CARD_WORDS[state.best_card]} (MD-24)")
    if down and not bits.has(may_throw(state, hand), card):
        raise PositionError(f"trick: {word} of seat {seat} is of another suit than he has to play (MD-26)")
    state.hands[seat] = hand
    state.held[seat] += 1
    play_card(state, NOTATION.single[(DOWN if down else "") + CARD_WORDS[card]])


def _check_turn(state: Any, fields: Mapping[str, Any], plays: list[tuple[int, str]]) -> None:
    if plays and "to_move" in fields and whole_number(fields["to_move"], "to_move") != state.turn:
        raise PositionError(f"to_move: {fields['to_move']} contradicts the trick, after which seat {state.turn} plays")


def _finish(state: Any) -> None:
    """The deal is over when nobody has cards; stop_after_seven may end it a trick earlier."""
    if state.phase != PLAYING or state.placed:
        return
    if state.stop_after_seven and state.first_seven != NOBODY and state.number == WHOLE_TABLE_TRICKS:
        grant_last_trick(state)
    if state.number == HAND or not any(state.held):
        end_play(state)


# Deals


def arrange(state: Any, fields: Mapping[str, Any]) -> NDArray[np.int64] | None:
    """MD-8, MD-9: the dealer, and the deck that deals these hands with this stock; None if no hands are given.

    What is not given of the stock is chosen so that neither face card nor accuser is a top, where that can be, and
    that the dealer or the leader given is dealt to first. A leader given leads whatever the bottom card says.

    Raises:
        PositionError: an unknown field, hands that are not eight cards each, a card that is not left over.
    """
    reader = reader_of_cards()
    reader.known_fields(fields, DEAL_FIELDS)
    if "dealer" in fields:
        state.dealer = reader.seat(fields["dealer"], "dealer")
    if "hands" not in fields:
        for name in ("face", "accuser", "leader"):
            if name in fields:
                raise PositionError(f"{name}: give it with the hands")
        return None
    if state.dealer == NOBODY:
        state.dealer = 0
    hands = reader.per_seat(fields, "hands")
    for seat, cards in enumerate(hands):
        if bits.size(cards) != HAND:
            raise PositionError(f"hands, seat {seat}: {bits.size(cards)} cards instead of {HAND}")
    leader = reader.seat(fields["leader"], "leader") if "leader" in fields else int(state.dealer)
    stock = _stock(state, fields, reader, bits.without(bits.span(0, CARDS), sum(hands)), leader)
    state.first_dealt = first_dealt(int(state.dealer), stock[-1])
    state.leads_first = NOBODY
    if "leader" in fields and first_leader(state) != leader:
        state.leads_first = leader
    return deck_of(hands, int(state.first_dealt), stock)


def _stock(state: Any, fields: Mapping[str, Any], reader: CardReader, cards: int, leader: int) -> list[int]:
    """MD-9: the eight cards left over, in their order in the deck, the bottom card last."""
    given = {name: reader.card(str(fields[name]), name) for name in ("face", "accuser") if name in fields}
    free = [card for card in bits.members_of(cards) if card not in given.values()]
    # Last come the cards that matter least: no tops, and at the very end those by which the leader is dealt to first.
    free.sort(key=lambda card: (not bits.has(FOUR_TOPS, card), first_dealt(int(state.dealer), card) == leader))
    bottom = NOBODY
    if state.face_card != BOTTOM:
        bottom = free.pop()
    face = given["face"] if "face" in given else free.pop()
    accuser = given["accuser"] if "accuser" in given else free.pop()
    return [*free, accuser, face] if bottom == NOBODY else [face, accuser, *free, bottom]


def deck_of(hands: Sequence[int], first: int, stock: Sequence[int]) -> NDArray[np.int64]:
    """MD-8: the deck that deals these hands in packets of four, the first to seat ``first``."""
    order = [bits.members_of(hands[(first + k) % SEATS]) for k in range(SEATS)]
    packets = [card for half in (slice(0, 4), slice(4, HAND)) for hand in order for card in hand[half]]
    return np.array([*packets, *stock], np.int64)


# Facts


def start_fault(state: Any) -> str | None:
    """What is wrong with a state before dealing, in one line; None if a deal can begin from it."""
    for name in ("dealer", "leads_first"):
        if not NOBODY <= state[name] < SEATS:
            return f"{name}: there is no seat {state[name]}"
    if state.dealer == NOBODY and state.deals > 0:
        return "dealer: only before the first deal is there none (MD-4)"
    if state.deals < 0 or state.finished or state.deals >= state.session_deals:
        return "deals, finished: no deal follows this one"
    return None


def facts(state: Any) -> dict[str, Any]:
    """What a scenario may expect: totals and tricks now, values in stakes; after the deal, who deals the next."""
    totals = state.totals
    found: dict[str, Any] = {"over": False}
    if verbs.mover(state) < 0:
        following = np.zeros(1, STATE)
        verbs.next_deal(state, following[0])
        totals = following[0].totals
        found["next_dealer"] = int(following[0].dealer)
        if state.first_leader == LEADS_DEALER:  # else the bottom card decides (MD-21)
            found["next_leader"] = int(following[0].dealer)
        found["over"] = bool(following[0].finished)
    found["totals"] = [int(half_stakes) for half_stakes in totals]
    found["tricks"] = [int(scoring.tricks_of(state, seat)) for seat in range(SEATS)]
    if not state.declared and state.refuser == NOBODY:
        found["value"] = [scoring.in_stakes(int(scoring.value(state, seat))) for seat in range(SEATS)]
    return found
