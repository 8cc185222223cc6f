"""Ma Diao: the deck that deals the hands of a scenario file, with its face card, accuser and first leader."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits
from tefuda.engine.positions import CardReader, PositionError
from tefuda.games.ma_diao.positions import reader_of_cards
from tefuda.games.ma_diao.rules import NOBODY, first_dealt, first_leader
from tefuda.games.ma_diao.state import BOTTOM, CARDS, FOUR_TOPS, HAND, SEATS

FIELDS = ("hands", "dealer", "face", "accuser", "leader")


def arrange(state: Any, fields: Mapping[str, Any]) -> NDArray[np.int64] | None:
    """MD-8, MD-9: the dealer, and the deck that deals these hands with this stock; None if no hands are given.

    What is not given of the stock is chosen so that neither face card nor accuser is a top, where that can be, and
    that the dealer or the leader given is dealt to first. A leader given leads whatever the bottom card says.

    Raises:
        PositionError: an unknown field, hands that are not eight cards each, a card that is not left over.
    """
    reader = reader_of_cards()
    reader.known_fields(fields, FIELDS)
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
