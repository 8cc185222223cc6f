"""Gong Zhu: how a view is laid out, and what is told of each play."""

from functools import cache, lru_cache
from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Sentence
from tefuda.engine.scene import Face, Group, Scene, SeatScene
from tefuda.engine.texts import signed
from tefuda.games.gong_zhu.names import SUIT_TEXTS
from tefuda.games.gong_zhu.notation import card_list
from tefuda.games.gong_zhu.scoring import deck_in_use, score
from tefuda.games.gong_zhu.state import (
    CARD_WORDS,
    EXPOSING,
    OVER,
    POINT_CARDS,
    RANKS,
    SIMULTANEOUS,
    SUIT_CARDS,
    SUITS,
)

PHASE_TEXTS = ("phase.exposing", "phase.playing", "phase.over")

# Colours that people with any kind of colour vision can tell apart (Okabe and Ito); symbol and letter say it too.
_SYMBOLS = "♠♥♦♣"
_COLOURS = ("", "#e69f00", "#56b4e9", "#00c08b")
FACES = {word: Face(_SYMBOLS[card // RANKS] + word, _COLOURS[card // RANKS]) for card, word in enumerate(CARD_WORDS)}


def scene(view: Any) -> Scene:
    """The table as the viewer sees it."""
    seats, deck = int(view.seats), int(deck_in_use(view))
    return Scene(
        phase=PHASE_TEXTS[view.phase],
        number=0 if view.phase == EXPOSING else int(view.tricks) + (view.phase != OVER),
        tricks=bits.size(deck) // seats,
        hand=_hand(view) if view.viewer >= 0 else (),
        seats=tuple(_seat(view, seat) for seat in range(seats)),
        reference=_reference(deck),
        lead=-1 if view.phase == OVER else _trick_leader(view),
    )


@cache
def _reference(deck: int) -> tuple[Group, ...]:
    """GZ-2, GZ-17: the ranks, and the cards that count."""
    hearts, pig = POINT_CARDS & SUIT_CARDS[1], bits.of((CARD_WORDS.index("SQ"),))
    return (
        Group("scene.ranks", tuple(CARD_WORDS[card] for card in reversed(bits.members_of(deck & SUIT_CARDS[0])))),
        _group("scene.cost", hearts & deck | pig),
        Group("scene.gain", ("DJ",)),
        Group("scene.multiplies", ("C10",)),
    )


def _hand(view: Any) -> tuple[Group, ...]:
    """Suit by suit, highest card first."""
    cards = int(view.hands[view.viewer])
    return tuple(
        _group(SUIT_TEXTS[suit], cards & SUIT_CARDS[suit]) for suit in range(SUITS) if cards & SUIT_CARDS[suit]
    )


@lru_cache(1024)  # all seats see much of the same, and go on seeing it
def _group(label: str, cards: int) -> Group:
    return Group(label, tuple(CARD_WORDS[card] for card in reversed(bits.members_of(cards))))


def _seat(view: Any, seat: int) -> SeatScene:
    """GZ-5, GZ-15, GZ-17: exposed cards stay known, also when played; captured point cards lie face up and count."""
    exposed, captured = int(view.exposed_by[seat]), int(view.won[seat] & POINT_CARDS)
    piles = [_group("scene.exposed", exposed)] if exposed else []
    if captured:
        piles.append(Group("scene.captured", tuple(card_list(captured).split())))
    notes = (("scene.so_far", {"points": signed(int(score(view, captured)))}),) if captured else ()
    return SeatScene(
        held=int(view.held[seat]),
        played=_played(view, seat),
        piles=tuple(piles),
        total=int(view.totals[seat]),
        side=seat % 2 if view.partnership else seat,
        notes=notes,
    )


def _played(view: Any, seat: int) -> str:
    place = (seat - _trick_leader(view)) % view.seats
    return CARD_WORDS[view.trick[place]] if place < view.trick_size else ""


def _trick_leader(view: Any) -> int:
    return int((view.turn - view.trick_size) % view.seats)


def events(before: Any, seat: int, word: str, after: Any) -> list[Sentence]:
    """What is worth telling of a play: an answer about exposing, a finished trick."""
    if before.phase == EXPOSING:
        return _exposing_events(before, seat, word, after)
    if before.trick_size + 1 < before.seats:
        return []
    cards = [CARD_WORDS[card] for card in before.trick[: before.trick_size]] + [word]
    leader = _trick_leader(before)
    plays = ", ".join(f"#{(leader + place) % before.seats} {card}" for place, card in enumerate(cards))
    taker = int(after.turn)
    points = int((after.won[taker] & ~before.won[taker]) & POINT_CARDS)
    fields = {"number": str(after.tricks), "plays": plays, "seat": f"#{taker}"}
    if not points:
        return [Sentence("events.trick", fields)]
    return [Sentence("events.trick_points", {**fields, "cards": card_list(points)})]


def _exposing_events(before: Any, seat: int, word: str, after: Any) -> list[Sentence]:
    """GZ-7: a choice made before others is told when all have chosen."""
    opened = int(after.exposed & ~before.exposed)
    who = {"seat": f"#{seat}"}
    if before.expose_order == SIMULTANEOUS:
        told = [Sentence("events.has_decided", who)]
        if after.phase == EXPOSING:
            return told
        result = (
            Sentence("events.opened", {"cards": _by_seat(after, opened)}) if opened else Sentence("events.all_decided")
        )
        return [*told, result]
    mine = word.partition(":")[2].replace("+", " ")
    told = [
        Sentence("events.exposes_nothing", who)
        if mine == "none"
        else Sentence("events.exposes", {**who, "cards": mine})
    ]
    forced = bits.without(opened, bits.of(CARD_WORDS.index(card) for card in mine.split() if card != "none"))
    return [*told, Sentence("events.opened", {"cards": _by_seat(after, forced)})] if forced else told


def _by_seat(view: Any, cards: int) -> str:
    """Exposed cards with who holds them."""
    held = [(seat, card_list(view.shown[seat] & cards)) for seat in range(view.seats)]
    return ", ".join(f"#{seat} {words}" for seat, words in held if words)
