"""Luk Fu: how a view is laid out, and what is told of each play."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Sentence
from tefuda.engine.scene import Face, Group, Scene, SeatScene
from tefuda.games.luk_fu.names import SUIT_TEXTS, combination
from tefuda.games.luk_fu.notation import DOWN, card_list, joined
from tefuda.games.luk_fu.old_cards import SIX, old_in_hand
from tefuda.games.luk_fu.rules import NOBODY
from tefuda.games.luk_fu.state import (
    ALWAYS_OLD,
    CARD_WORDS,
    DECIDING,
    DECLARING,
    FIVE_TIGERS,
    FOLLOWING,
    HAND,
    LEADING,
    OVER,
    RANKS,
    SPECIAL_CARD,
    SUIT_CARDS,
    SUITS,
)

PHASE_TEXTS = ("phase.declaring", "phase.playing", "phase.playing", "phase.deciding", "phase.over")

# Colours that people with any kind of colour vision can tell apart (Okabe and Ito); sign and letter say it too.
_SIGNS = "銭索貫十"
_COLOURS = ("#56b4e9", "#00c08b", "#e69f00", "", "#cc79a7")
FACES = {
    word: Face((_SIGNS + "X")[card // RANKS] + word, _COLOURS[card // RANKS]) for card, word in enumerate(CARD_WORDS)
}


def scene(view: Any) -> Scene:
    """The table as the viewer sees it."""
    playing = view.phase in (LEADING, FOLLOWING, DECIDING)
    return Scene(
        phase=PHASE_TEXTS[view.phase],
        number=int(view.number) + (view.phase != DECIDING) if playing else 0,
        tricks=HAND,
        hand=_hand(view) if view.viewer >= 0 else (),
        seats=tuple(_seat(view, seat) for seat in range(int(view.seats))),
        mark="scene.old",
        reference=REFERENCE,
        lead=int(view.leader) if view.phase in (LEADING, FOLLOWING) else -1,
    )


def _hand(view: Any) -> tuple[Group, ...]:
    """Strongest suit first, highest card first, old cards marked (LF-22)."""
    viewer = int(view.viewer)
    if viewer == view.sitter:
        card = int(view.sitter_card[viewer] | view.turned_up)
        return (Group("scene.sitter_card", tuple(card_list(card).split())),)
    cards, old = int(view.hands[viewer]), int(old_in_hand(view, viewer))
    groups = [_group(SUIT_TEXTS[suit], cards & SUIT_CARDS[suit], old) for suit in reversed(range(SUITS))]
    return tuple(group for group in (*groups, _group("scene.special", cards & SPECIAL_CARD, old)) if group.cards)


def _group(label: str, cards: int, marked: int = bits.EMPTY) -> Group:
    return Group(label, _from_the_top(cards), _from_the_top(cards & marked))


def _from_the_top(cards: int) -> tuple[str, ...]:
    return tuple(CARD_WORDS[card] for card in reversed(bits.members_of(cards)))


REFERENCE = (
    *(Group(SUIT_TEXTS[suit], _from_the_top(SUIT_CARDS[suit])) for suit in reversed(range(SUITS))),
    Group("scene.always_old", tuple(CARD_WORDS[card] for card in bits.members_of(ALWAYS_OLD))),
    Group("scene.tigers", tuple(CARD_WORDS[card] for card in bits.members_of(FIVE_TIGERS))),
)
"""LF-18, LF-23, LF-45: suits and ranks from the strongest, the cards that are always old, the five tigers."""


def _seat(view: Any, seat: int) -> SeatScene:
    """LF-39: own winning cards lie open; declarer, eldest and sitter are named by labels without cards."""
    piles = []
    if seat == view.declarer:
        piles.append(Group("scene.declarer", ()))
    if seat == view.sitter:
        piles.append(Group("scene.sitter", tuple(card_list(int(view.turned_up)).split())))
    if view.won[seat]:
        piles.append(Group("scene.won", (f"{int(view.tricks[seat])}:", *card_list(int(view.won[seat])).split())))
    return SeatScene(
        held=int(view.held[seat]),
        played=_played(view, seat),
        piles=tuple(piles),
        total=int(view.totals[seat]),
        side=seat,
        tally=(int(view.tricks[seat]), SIX) if seat != view.sitter else (0, 0),
    )


def _played(view: Any, seat: int) -> str:
    """What lies before a seat in the trick in progress: face up, or so many cards face down."""
    if view.phase != FOLLOWING:
        return ""
    cards = int(view.played[seat][view.number])
    if cards:
        return joined(cards)
    return f"{DOWN}{int(view.led_count)}" if seat in _have_thrown(view) else ""


def _have_thrown(view: Any) -> list[int]:
    """The seats that have followed to the trick in progress with cards face down."""
    followed = _in_turn(view)[1 : 1 + int(view.placed)]
    return [seat for seat in followed if not view.played[seat][view.number]]


def _in_turn(view: Any) -> list[int]:
    """The active seats, from the leader of the trick (LF-8)."""
    seats = int(view.seats)
    order = [(int(view.leader) + k) % seats for k in range(seats)]
    return [seat for seat in order if seat != view.sitter]


def events(before: Any, seat: int, word: str, after: Any) -> list[Sentence]:
    """What is worth telling of a play: declarations, combinations, finished tricks, decisions, the five tigers."""
    who = {"seat": f"#{seat}"}
    if before.phase == DECLARING:
        told = [Sentence(f"events.{word}", who)]
        return [*told, Sentence("events.thrown_in")] if after.phase == OVER else told
    if word in ("stop", "on", "tigers"):
        return [Sentence(f"events.{word}", who)]
    name = combination(word)
    told = (
        [Sentence("events.combination", {**who, "name": f"@{name}", "cards": word.replace("+", " ")})] if name else []
    )
    return told if after.number == before.number else [*told, *_trick_events(before, seat, word, after)]


def _trick_events(before: Any, seat: int, word: str, after: Any) -> list[Sentence]:
    """LF-38; what others have thrown is told by number only (LF-40)."""
    plays = ", ".join(f"#{player} {_told(after, player, int(before.number))}" for player in _in_turn(before))
    fields = {
        "number": str(after.number),
        "plays": plays,
        "seat": f"#{after.leader}",
        "tricks": str(after.tricks[after.leader]),
    }
    told = [Sentence("events.trick", fields)]
    if after.phase == OVER and after.last_to_six == NOBODY:
        told.append(Sentence("events.draw"))
    return told


def _told(view: Any, seat: int, number: int) -> str:
    """One player's cards in a finished trick, as the viewer knows them."""
    shown, own = int(view.played[seat][number]), int(view.thrown[seat][number])
    if shown:
        return joined(shown)
    if own and seat == view.viewer:
        return DOWN + joined(own)
    size = max(bits.size(int(cards)) for cards in (row[number] for row in view.played))
    return f"{DOWN}{size}"
