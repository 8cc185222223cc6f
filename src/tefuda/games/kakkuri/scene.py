"""Kakkuri: how a view is laid out, and what is told of each play."""

from collections.abc import Mapping
from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Sentence
from tefuda.engine.notation import is_declaration
from tefuda.engine.scene import Face, Group, Scene, SeatScene
from tefuda.games.kakkuri.names import combination
from tefuda.games.kakkuri.state import (
    CARD_WORDS,
    CEDING,
    CLAIMING,
    CONSENT,
    EARLY,
    GURI,
    LEAVING,
    NO_CARD,
    NOBODY,
    OUT,
    OVER,
    RANK_LETTERS,
    RETURNING,
    RIGHT,
    SUIT_LETTERS,
    SUITS,
    SURVIVOR,
    SWAPPING,
    TURN,
    UTAZU_WIN,
    VOID,
)

PHASE_TEXTS: Mapping[int, str] = {
    CEDING: "phase.ceding",
    SWAPPING: "phase.swapping",
    LEAVING: "phase.leaving",
    EARLY: "phase.dropping",
    TURN: "phase.playing",
    RIGHT: "phase.right",
    RETURNING: "phase.returning",
    CONSENT: "phase.returning",
    CLAIMING: "phase.claiming",
    OVER: "phase.over",
}
RESULT_EVENTS: Mapping[int, str] = {
    OUT: "events.out",
    GURI: "events.guri",
    SURVIVOR: "events.survivor",
    UTAZU_WIN: "events.utazu",
}

# Colours that people with any kind of colour vision can tell apart (Okabe and Ito); symbol and letter say it too.
_SYMBOLS = dict(zip("CSDH", "♣♠♦♥", strict=True))
_COLOURS = dict(zip("CSDH", ("#00c08b", "", "#56b4e9", "#e69f00"), strict=True))
_NAMES = {"CA": "アカチョロ", "D2": "タイコ", "C3": "ながひばし"}
"""The cards that do something have names of their own in the game's home."""

FACES = {
    word: Face(_SYMBOLS[word[0]] + word, _COLOURS[word[0]], f"({_NAMES[word]})" if word in _NAMES else "")
    for word in sorted(CARD_WORDS, key=lambda word: (SUIT_LETTERS.index(word[0]), RANK_LETTERS.index(word[1])))
}

REFERENCE = (
    Group("scene.order", tuple(f"C{rank}" for rank in RANK_LETTERS)),
    Group("scene.wild", ("CA", "D2")),
    Group("scene.tongs", ("C3",)),
    Group("scene.utazu", ("SA", "HA", "DA")),
)
"""KK-14, KK-40, KK-55: the order in which cards are laid, the wild cards, and those that do something."""


def scene(view: Any) -> Scene:
    """The table as the viewer sees it."""
    return Scene(
        phase=PHASE_TEXTS[int(view.phase)],
        number=0,
        tricks=0,
        hand=_hand(view) if view.viewer >= 0 else (),
        seats=tuple(_seat(view, seat) for seat in range(int(view.seats))),
        middle=_middle(view),
        reference=REFERENCE,
    )


def _hand(view: Any) -> tuple[Group, ...]:
    """In the order in which the cards are laid, A to 9, then Q J K."""
    cards = bits.members_of(view.hands[view.viewer])
    return (Group("scene.hand", tuple(CARD_WORDS[card] for card in cards)),) if cards else ()


def _middle(view: Any) -> tuple[tuple[str, Mapping[str, str]], ...]:
    """The field card with its rank and whose it is, the box and the pot; who holds the right, or asks to return."""
    lines: list[tuple[str, Mapping[str, str]]] = []
    if view.rank != NO_CARD:
        how = "scene.raised" if view.field_raised else "scene.laid"
        lines.append((how, {"card": field_word(view), "seat": f"#{view.field_by}"}))
    lines.append(("scene.box", {"count": str(view.box_size), "pot": str(bits.size(view.dropped))}))
    if view.phase == RIGHT:
        lines.append(("scene.right", {"seat": f"#{view.turn}"}))
    if view.phase == CONSENT:
        lines.append(("scene.asks", {"seat": f"#{view.asker}"}))
    return tuple(lines)


def field_word(view: Any) -> str:
    """The card on the field, a wild with the rank that it was declared (KK-40); a position may name the rank alone."""
    if not view.table_size:
        return RANK_LETTERS[int(view.rank)]
    card = int(view.table[view.table_size - 1])
    rank = "" if view.rank == card // SUITS else f"={RANK_LETTERS[int(view.rank)]}"
    return CARD_WORDS[card] + rank


def _seat(view: Any, seat: int) -> SeatScene:
    """What everybody knows of a player: cards in hand, what lies face up before him, and whether he is in the deal."""
    notes: list[str] = []
    if seat == view.dealer:
        notes.append("scene.dealer")
    if seat == view.forced_out and is_out(view):
        notes.append("scene.forced_out")
    if bits.has(view.dropped, seat):
        notes.append("scene.dropped")
    if bits.has(view.sanzoku, seat):
        notes.append("scene.sanzoku")
    return SeatScene(
        held=int(view.held[seat]),
        played="+".join(laid_by(view, seat)),
        piles=(),
        total=int(view.totals[seat]),
        side=seat,
        notes=tuple((note, {}) for note in notes),
    )


def is_out(view: Any) -> bool:
    """KK-14: whether somebody has been forced out; with utazu_before_c3 he is asked for utazu before."""
    return view.forced_out != NOBODY and view.gathered[view.forced_out] != NOBODY


def laid_by(view: Any, seat: int) -> list[str]:
    """The cards that a player has laid and that still lie before him, in order."""
    lying = range(int(view.table_size))
    cards = (int(view.table[place]) for place in lying if view.table_by[place] == seat)
    return [CARD_WORDS[card] for card in cards if not bits.has(view.turned, card)]


def events(before: Any, seat: int, word: str, after: Any) -> list[Sentence]:
    """What is worth telling of a play, and what came of it."""
    who = {"seat": f"#{seat}"}
    told = [_told(before, seat, word, who)]
    if after.rebuilds > before.rebuilds:
        told.insert(0, Sentence("events.rebuilt", who))
    if is_out(after) and not is_out(before):
        told.append(Sentence("events.forced_out", {"seat": f"#{after.forced_out}"}))
    if word == "raise" or (after.table_size and not before.table_size):
        told.append(_raised(after))
    told += _came_of_it(before, after)
    return [line for line in told if line is not None]


def _told(before: Any, seat: int, word: str, who: Mapping[str, str]) -> Sentence | None:
    """The play itself; answers that change nothing are passed over."""
    if not is_declaration(word):
        name, cards = combination(word), word.replace("+", " ")
        if name:
            return Sentence("events.combination", {**who, "name": f"@{name}", "cards": cards})
        return Sentence("events.step", {**who, "cards": cards})
    if word == "end":
        return None if before.turn_cards or before.phase == CLAIMING else Sentence("events.nothing", who)
    if word == "cede":
        following = {"next": f"#{(seat + 1) % before.seats}"}
        return (
            Sentence("events.cede_deal", {**who, **following})
            if before.phase == CEDING
            else Sentence("events.cede", who)
        )
    quiet = word in ("stay", "keep", "pass", "raise", "utazu")
    return None if quiet else Sentence(f"events.{word}", who)


def _raised(after: Any) -> Sentence:
    """The card that was turned up, and what is left in the box."""
    return Sentence(
        "events.raised", {"seat": f"#{after.field_by}", "card": field_word(after), "count": str(after.box_size)}
    )


def _came_of_it(before: Any, after: Any) -> list[Sentence]:
    """A return that all have agreed to, a winner, a closed lap."""
    told = []
    if before.phase == CONSENT and after.phase != CONSENT and not bits.has(after.dropped, int(before.asker)):
        told.append(Sentence("events.returned", {"seat": f"#{before.asker}"}))
    if after.result == VOID:
        told.append(Sentence("events.void"))
    elif after.result != before.result:
        told.append(Sentence(RESULT_EVENTS[int(after.result)], {"seat": f"#{after.winner}"}))
    if after.phase == RIGHT and before.right_first == NOBODY:
        told.append(Sentence("events.trick", {"seat": f"#{after.turn}", "card": field_word(after)}))
    return told
