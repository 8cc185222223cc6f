"""Gong Zhu: how a view is laid out, and what is told of each play."""

from functools import cache
from typing import Any

import numpy as np

from tefuda.engine import bits
from tefuda.engine.common_knowledge import common, reads_public
from tefuda.engine.kit import french
from tefuda.engine.kit.french import by_suit, card_list, group, number
from tefuda.engine.kit.tricks import card_by, finished_trick, leader
from tefuda.engine.scene import Group, Scene, SeatScene
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import signed
from tefuda.games.gong_zhu import scoring
from tefuda.games.gong_zhu.cards import ALL_HEARTS, PIG, POINT_CARDS, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.options import ExposeOrder
from tefuda.games.gong_zhu.state import Phase, State

deck_in_use, standings = reads_public(scoring.deck_in_use), reads_public(scoring.standings)
hand_size = reads_public(scoring.hand_size)

FACES = french.FACES
PHASE_TEXTS = ("phase.exposing", "phase.playing", "phase.over")


def scene(view: State) -> Scene:
    """The table as the viewer sees it."""
    held = int(view.hands[view.viewer]) if view.viewer >= 0 else bits.EMPTY
    return Scene(hand=by_suit(held), beating=_beating(view, held), **common(view, _table))


def _beating(view: State, held: int) -> tuple[str, ...]:
    """GZ-14: the cards of the suit led that are higher than the best of the trick, for a player who follows."""
    if not view.trick_size or view.turn != view.viewer:
        return ()
    best = int(view.best_card)
    of_suit = held & french.SUIT_CARDS[best // french.RANKS]
    return tuple(card_list(bits.above(of_suit, best)).split())


def _table(view: State) -> dict[str, Any]:
    """All but the hand."""
    deck, standing = int(deck_in_use(view)), np.zeros((view.seats, 2), np.int64)
    standings(view, standing)  # at once: calls of compiled code cost more than what they do
    return {
        "phase": PHASE_TEXTS[view.phase],
        "number": 0 if view.phase == Phase.EXPOSING else int(view.tricks) + (view.phase != Phase.OVER),
        "tricks": int(hand_size(view)),
        "seats": tuple(_seat(view, seat, *figures) for seat, figures in enumerate(standing.tolist())),
        "reference": _reference(deck),
        "lead": -1 if view.phase == Phase.OVER else leader(view),
        "winning": int(view.best_seat) if view.trick_size else -1,
        "stake": _stake(view),
    }


def _stake(view: State) -> tuple[tuple[str, dict[str, str]], ...]:
    """GZ-15: the point cards that lie in the trick."""
    lying = bits.of(map(int, view.trick[: view.trick_size])) & POINT_CARDS
    return (("scene.stake", {"cards": card_list(lying)}),) if lying else ()


@cache
def _reference(deck: int) -> tuple[Group, ...]:
    """GZ-2, GZ-17: the ranks, and the cards that count."""
    return (
        group("scene.ranks", deck & french.SUIT_CARDS[french.SPADES]),
        group("scene.cost", deck & ALL_HEARTS | bits.only(PIG)),
        group("scene.gain", bits.only(SHEEP)),
        group("scene.multiplies", bits.only(TRANSFORMER)),
    )


def _seat(view: State, seat: int, score: int, side: int) -> SeatScene:
    """GZ-5, GZ-15, GZ-17: exposed cards stay known, also when played; captured point cards lie face up and count."""
    exposed, captured = int(view.exposed_by[seat]), int(view.won[seat] & POINT_CARDS)
    piles = [group("scene.exposed", exposed)] if exposed else []
    if captured:
        piles.append(Group("scene.captured", tuple(card_list(captured).split())))
    notes = (("scene.so_far", {"points": signed(score)}),) if captured else ()
    return SeatScene(
        held=int(view.held[seat]),
        played=card_by(view, seat),
        piles=tuple(piles),
        total=int(view.totals[seat]),
        side=side,
        notes=notes,
    )


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """What is worth telling of a play: an answer about exposing, a finished trick."""
    if before.phase == Phase.EXPOSING:
        return _exposing_events(before, seat, word, after)
    if before.trick_size + 1 < before.seats:
        return []
    taker, fields = after.turn, finished_trick(before, word, after)
    points = int((after.won[taker] & ~before.won[taker]) & POINT_CARDS)
    if not points:
        return [Sentence("events.trick", fields)]
    return [Sentence("events.trick_points", {**fields, "cards": card_list(points)})]


def _exposing_events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """GZ-7: a choice made before others is told when all have chosen."""
    opened, who = int(after.exposed & ~before.exposed), {"seat": f"#{seat}"}
    if before.expose_order == ExposeOrder.SIMULTANEOUS:
        told = Sentence("events.has_decided", who)
        if after.phase == Phase.EXPOSING:
            return [told]
        return [told, _opened(after, opened) if opened else Sentence("events.all_decided")]
    mine = word.partition(":")[2].replace("+", " ")
    if mine == "none":
        told, forced = Sentence("events.exposes_nothing", who), opened
    else:
        told = Sentence("events.exposes", {**who, "cards": mine})
        forced = bits.without(opened, bits.of(map(number, mine.split())))
    return [told, _opened(after, forced)] if forced else [told]


def _opened(view: State, cards: int) -> Sentence:
    """Exposed cards with who holds them."""
    held = ((seat, card_list(view.shown[seat] & cards)) for seat in range(view.seats))
    return Sentence("events.opened", {"cards": ", ".join(f"#{seat} {words}" for seat, words in held if words)})
