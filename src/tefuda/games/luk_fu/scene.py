"""Luk Fu: how a view is laid out, and what is told of each play."""

from collections.abc import Iterator
from typing import Any

from tefuda.engine import bits
from tefuda.engine.common_knowledge import common, reads_public
from tefuda.engine.kit import palette
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.kit.words import words_of
from tefuda.engine.scene import Face, Group, Scene, SeatScene, places
from tefuda.engine.sentence import Sentence
from tefuda.games.luk_fu import rules
from tefuda.games.luk_fu.cards import ALWAYS_OLD, CARD_WORDS, FIVE_TIGERS, HAND, RANKS, SPECIAL_CARD, SUIT_CARDS
from tefuda.games.luk_fu.names import SUIT_TEXTS, combination
from tefuda.games.luk_fu.notation import DOWN, SAID, card_list, joined, thrown
from tefuda.games.luk_fu.old_cards import WINNING_TRICKS, old_in_hand
from tefuda.games.luk_fu.state import Phase, State

seats_in_turn = reads_public(rules.seats_in_turn)

PHASE_TEXTS = ("phase.declaring", "phase.playing", "phase.playing", "phase.deciding", "phase.over")

_SIGNS = ("錢", "索", "貫", "拾", "")  # nothing stands on L that could be read
_COLOURS = (palette.SKY_BLUE, palette.BLUISH_GREEN, palette.ORANGE, "", palette.REDDISH_PURPLE)
FACES = {word: Face(_SIGNS[card // RANKS] + word, _COLOURS[card // RANKS]) for card, word in enumerate(CARD_WORDS)}


def scene(view: State) -> Scene:
    """The table as the viewer sees it."""
    return Scene(hand=_hand(view) if view.viewer >= 0 else (), **common(view, _table))


def _table(view: State) -> dict[str, Any]:
    """All but the hand."""
    in_trick = view.phase in (Phase.LEADING, Phase.FOLLOWING)
    return {
        "phase": PHASE_TEXTS[view.phase],
        "number": _taken(view) + in_trick if in_trick or view.phase == Phase.DECIDING else 0,
        "tricks": HAND,
        "seats": places(view, _seat),
        "mark": "scene.old",
        "reference": REFERENCE,
        "lead": int(view.leader) if in_trick else -1,
        "winning": int(view.best_seat) if view.phase == Phase.FOLLOWING else -1,
        "stake": tuple(_stake(view)) if view.phase == Phase.FOLLOWING else (),
    }


def _stake(view: State) -> Iterator[tuple[str, dict[str, str]]]:
    """LF-38, LF-41: a trick that counts as several, and the sixth of the player who is ahead."""
    count, has = int(view.led_count), int(view.tricks[view.best_seat])
    if count > 1:
        yield "scene.stake_tricks", {"count": str(count)}
    if has < WINNING_TRICKS <= has + count:
        yield "scene.stake_six", {"seat": f"#{view.best_seat}"}


def _taken(view: State) -> int:
    """LF-38: tricks that have been won; a lead of three cards is three of the twelve."""
    return sum(map(int, view.tricks))


def _hand(view: State) -> tuple[Group, ...]:
    """Strongest suit first, highest card first, old cards marked (LF-22)."""
    viewer = int(view.viewer)
    if viewer == view.sitter:
        return (_group("scene.sitter_card", int(view.sitter_card[viewer] | view.turned_up)),)
    cards, old = int(view.hands[viewer]), int(old_in_hand(view, viewer))
    suits = zip((*SUIT_TEXTS[::-1], "scene.special"), (*SUIT_CARDS[::-1], SPECIAL_CARD), strict=True)
    return tuple(_group(label, cards & suit, old & cards & suit) for label, suit in suits if cards & suit)


def _group(label: str, cards: int, marked: int = bits.EMPTY) -> Group:
    return Group(label, words_of(cards, CARD_WORDS)[::-1], words_of(marked, CARD_WORDS)[::-1])


REFERENCE = (
    *(_group(label, suit) for label, suit in zip(SUIT_TEXTS[::-1], SUIT_CARDS[::-1], strict=True)),
    Group("scene.always_old", words_of(ALWAYS_OLD, CARD_WORDS)),
    Group("scene.tigers", words_of(FIVE_TIGERS, CARD_WORDS)),
)
"""LF-18, LF-23, LF-45: suits and ranks from the strongest, the cards that are always old, the five tigers."""


def _seat(view: State, seat: int) -> SeatScene:
    """LF-39: own winning cards lie open; declarer, eldest and sitter are named by labels without cards."""
    piles = []
    if seat == view.declarer:
        piles.append(Group("scene.declarer", ()))
    if seat == view.sitter:
        piles.append(_group("scene.sitter", int(view.turned_up)))
    if view.won[seat]:
        piles.append(Group("scene.won", (f"{int(view.tricks[seat])}:", *card_list(int(view.won[seat])).split())))
    return SeatScene(
        held=int(view.held[seat]),
        played=_played(view, seat),
        piles=tuple(piles),
        total=int(view.totals[seat]),
        side=seat,
        tally=(int(view.tricks[seat]), WINNING_TRICKS) if seat != view.sitter else (0, 0),
    )


def _played(view: State, seat: int) -> str:
    """What lies before a seat in the trick in progress: face up, or so many cards face down."""
    if view.phase != Phase.FOLLOWING:
        return ""
    cards = int(view.played[seat][view.number])
    if cards:
        return joined(cards)
    followed = seats_in_turn(view, view.leader)[1 : 1 + int(view.placed)]
    return f"{DOWN}{int(view.led_count)}" if seat in followed else ""


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """What is worth telling of a play: declarations, combinations, finished tricks, decisions, the five tigers."""
    who = {"seat": f"#{seat}"}
    told = []
    if word in SAID:
        told.append(Sentence(f"events.{word}", who))
    elif name := combination(word):
        fields = {"name": f"@{name}", "cards": word.replace("+", " ")}
        told.append(Sentence("events.combination", {**who, **fields}))
    if before.phase == Phase.DECLARING and after.phase == Phase.OVER:
        told.append(Sentence("events.thrown_in"))
    elif after.number > before.number:
        told.append(_trick(before, after))
        if after.phase == Phase.OVER and after.last_to_six == NOBODY:
            told.append(Sentence("events.draw"))
    return told


def _trick(before: State, after: State) -> Sentence:
    """LF-38; what others have thrown is told by number only (LF-40)."""
    number = int(before.number)
    seats = seats_in_turn(before, before.leader)
    plays = ", ".join(f"#{seat} {_told(after, seat, number)}" for seat in seats)
    tricks = str(after.tricks[after.leader])
    return Sentence(
        "events.trick",
        {"number": str(_taken(before) + 1), "plays": plays, "seat": f"#{after.leader}", "tricks": tricks},
    )


def _told(view: State, seat: int, number: int) -> str:
    """One player's cards in a finished trick, as the viewer knows them."""
    shown, own = int(view.played[seat][number]), int(view.thrown[seat][number])
    if shown:
        return joined(shown)
    if own and seat == view.viewer:
        return thrown(own)
    return f"{DOWN}{max(bits.size(int(tricks[number])) for tricks in view.played)}"
