"""What each may see of a table: everything that is sent is made here, of views.

Card texts, notes and phases are keys of the game's catalogue, as in ``engine/scene``; sentences come written out in the
reader's language. Amounts are as people count them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from tefuda.engine.description import Description, Sentence
from tefuda.engine.notation import is_declaration
from tefuda.server.events.commands import names
from tefuda.server.events.messages import Common, DealState, Outcome, SeatState, ShuffleState, State, Told, Trick
from tefuda.server.events.notation_text import wording
from tefuda.server.events.table_state import OUTSIDER, TableState
from tefuda.server.store.port import Event
from tefuda.table.deal import Deal
from tefuda.table.reasons import say_line
from tefuda.table.view import View

HIDDEN = "~1"
"""Stands for a play of which others see only the back."""

VERSION = 1
"""Of the messages."""


class Perspective(NamedTuple):
    """How somebody looks at a table.

    Attributes:
        seat: whose view; −1 a spectator's, ``OUTSIDER`` none of the cards.
        language: of the texts.
        fields: whether all fields of the view are wanted beside the scene.
    """

    seat: int
    language: str = "en"
    fields: bool = False


def written(message: Mapping[str, Any]) -> bytes:
    """A message as it is sent: JSON. What games count is NumPy's numbers here and there."""
    return orjson.dumps(message, option=orjson.OPT_SERIALIZE_NUMPY)


def advance(table: TableState, event: Event, viewers: Collection[Perspective]) -> dict[Perspective, Told]:
    """Apply an event, and say what each viewer is told of it."""
    if event.kind != "played":
        table.apply(event)
        told: Told = {"seq": event.seq, "at": event.at, "kind": event.kind, **_public(event)}  # type: ignore[typeddict-item]
        return dict.fromkeys(viewers, told)
    assert table.deal is not None
    deal, seat, word = table.deal, event.body["seat"], event.body["play"]
    is_open = deal.is_open(word)
    looking = {viewer.seat for viewer in viewers if viewer.seat != OUTSIDER}
    before = {number: table.view(number) for number in looking}
    table.apply(event)
    after = {number: table.view(number) for number in looking}
    word = deal.history[-1][1]
    base = {"seq": event.seq, "at": event.at, "kind": event.kind, "seat": seat}
    return {
        viewer: {**base, **_play(table, viewer, before, seat, word, is_open, after)}  # type: ignore[typeddict-item]
        for viewer in viewers
    }


def _public(event: Event) -> dict[str, Any]:
    """What everybody may know of an event that is no play."""
    shown = {
        "seated": ("seat", "name", "bot"), "left": ("seat",), "absent": ("seat",), "returned": ("seat",),
        "committed": ("deal", "commitment"), "entropy": ("seat",), "dealt": ("deal",),
        "said": ("seat", "phrase"),
    }  # fmt: skip
    return {name: event.body[name] for name in shown.get(event.kind, ()) if name in event.body}


def _play(
    table: TableState,
    viewer: Perspective,
    before: dict[int, View],
    seat: int,
    word: str,
    is_open: bool,
    after: dict[int, View],
) -> dict[str, Any]:
    if viewer.seat == OUTSIDER:
        return {}
    description = table.game.description
    lines = description.events(before[viewer.seat].record, seat, word, after[viewer.seat].record)
    known = is_open or seat == viewer.seat
    told: dict[str, Any] = {"play": word} if known else {}
    ending = next((line for line in lines if line.code.startswith("events.trick")), None)
    if ending is not None:
        told["trick"] = _trick(description, before[viewer.seat], ending, seat, word if known else None)
    return {**told, "lines": [_said(table, line, viewer.language) for line in lines]}


def _trick(description: Description, before: View, ending: Sentence, seat: int, word: str | None) -> Trick:
    """A finished trick, from the view before its last play; that play is None where others see its back only."""
    plays = [place.played for place in before.scene.seats]
    if word is None:
        plays[seat] = HIDDEN
    elif not is_declaration(word):
        plays[seat] = word
    seat = int(ending.fields["seat"].removeprefix("#"))
    return {"plays": plays, "named": named(description, plays), "seat": seat}


def named(description: Description, plays: Iterable[str]) -> dict[str, str]:
    """What those of these plays are called that have a name: texts by word."""
    texts = {word: description.combination(word) for word in plays if word}
    return {word: text for word, text in texts.items() if text}


def state(
    table: TableState,
    viewer: Perspective,
    events: Sequence[Told] = (),
    *,
    host: bool = False,
    common: Common | None = None,
) -> State:
    """The message that shows a table.

    Args:
        table: as it stands.
        viewer: who looks.
        events: what is told of the events since his last message.
        host: whether he is the table's host.
        common: the part that is the same for everybody, where it has been made already.
    """
    return {
        **(common or make_common(table)),
        "events": list(events),
        "you": {"seat": viewer.seat if viewer.seat >= 0 else None, "host": host},
        "deal": None if table.deal is None or viewer.seat == OUTSIDER else _deal(table, viewer),
    }


def make_common(table: TableState) -> Common:
    """The part of the message that is the same for everybody."""
    game, settings = table.game, table.settings
    return {
        "v": VERSION,
        "type": "state",
        "table": table.name,
        "seq": table.seq,
        "game": game.name,
        "rules": game.description.rules_version,
        "options": game.changed_options(),
        "public": settings["public"],
        "spectators": settings["spectators"],
        "clock": settings["clock"],
        "phase": table.phase,
        "seats": seats(table),
        "session": table.session,
        "results": [[game.description.counted(points) for points in row] for row in table.results],
        "shuffle": _shuffle(table),
    }


def seats(table: TableState) -> list[SeatState]:
    """Who sits where."""
    return [
        {"name": chair.name, "bot": chair.bot, "absent": chair.absent, "open": not chair.taken}
        for chair in table.chairs
    ]


def _shuffle(table: TableState) -> ShuffleState | None:
    if table.shuffle is None:
        return None
    return {
        "deal": table.shuffle.number,
        "commitment": table.shuffle.commitment.hex(),
        "ready": [seat in table.shuffle.entropy for seat in range(table.game.seats)],
    }


def _deal(table: TableState, viewer: Perspective) -> DealState:
    deal, description = table.deal, table.game.description
    assert deal is not None
    view = table.view(viewer.seat)
    acts, scene = deal.mover == viewer.seat >= 0, view.scene
    legal = deal.legal() if acts else []
    shown: DealState = {
        "number": table.deals,
        "mover": None if deal.over else deal.mover,
        "over": deal.over,
        "legal": legal,
        "equal": deal.equal_cards(card for group in scene.hand for card in group.cards) if acts else {},
        "named": named(description, [*legal, *(place.played for place in scene.seats)]),
        "answered": acts and deal.sole_answer() is not None,
        "since": table.acted,
        "scene": scene,
    }
    if viewer.fields:
        shown["fields"] = view.to_dict()
    if deal.over:
        called = names(table, viewer.language)
        key = ("outcome", viewer.language, *called)
        shown.update(table.once(key, lambda deal: _outcome(deal, viewer.language, called)))  # type: ignore[typeddict-item]
    return shown


def _outcome(deal: Deal, language: str, names: Sequence[str]) -> Outcome:
    description, state = deal.game.description, deal.state
    spell = wording(description, language)
    return {
        "payoff": [description.counted(points) for points in deal.payoff()],
        "totals": [description.counted(points) for points in deal.facts()["totals"]],
        "sheet": [
            [say_line(description, line, language, names, spell) for line in description.sheet(state, seat)]
            for seat in range(deal.game.seats)
        ],
        "settlement": [
            (payer, receiver, description.counted(amount)) for payer, receiver, amount in description.settlement(state)
        ],
    }


def _said(table: TableState, line: Sentence, language: str) -> str:
    game = table.game.description
    return say_line(game, line, language, names(table, language), wording(game, language))


def summary(table: TableState) -> dict[str, Any]:
    """What the list of tables shows."""
    return {
        "game": table.game.name,
        "options": table.game.changed_options(),
        "phase": table.phase,
        "seats": seats(table),
        "deals": len(table.results),
        "free": sum(not chair.taken for chair in table.chairs),
        "by_invitation": table.settings["invite"] is not None,
        "spectators": table.settings["spectators"],
    }
