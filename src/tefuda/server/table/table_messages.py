"""The messages that leave a table, made from views alone: nobody is sent what they may not see.

Card texts, notes and phases are keys of the game's catalogue, as in ``engine/scene``; sentences come written out in the
reader's language. Amounts are in the unit in which people count.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import count, takewhile
from typing import Any, NamedTuple

import orjson

from tefuda.engine import verbs
from tefuda.engine.description import Description, without_name
from tefuda.engine.notation import is_declaration
from tefuda.engine.scene import Scene
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.store.opponents import level_number
from tefuda.server.store.port import Event
from tefuda.server.table.chair import STAND_IN, Chair
from tefuda.server.table.deal_outcome import deal_outcome, told_to
from tefuda.server.table.faces import bot_face, usual_face
from tefuda.server.table.messages import (
    DealState,
    EventReport,
    PastState,
    SeatState,
    SharedState,
    ShuffleState,
    StateMessage,
    Trick,
    WishState,
)
from tefuda.server.table.notation_text import HIDDEN_PLAY, notation_text
from tefuda.server.table.player_names import seat_names, with_names
from tefuda.server.table.table_changes import apply
from tefuda.server.table.table_state import OUTSIDER, TableState
from tefuda.table.deal import Deal
from tefuda.table.reasons import unnamed_line
from tefuda.table.view import View

VERSION = 1
"""The version of the messages."""

PUBLIC_FIELDS = {
    "seated": ("seat", "name", "bot"),
    "left": ("seat", "name", "bot"),
    "absent": ("seat",),
    "returned": ("seat",),
    "committed": ("deal", "commitment"),
    "sealed": ("seat", "seal"),
    "closed_seals": ("attempt",),
    "entropy": ("seat",),
    "unrevealed": ("seats",),
    "dealt": ("deal",),
    "given": ("deal",),
    "paced": ("clock", "speed"),
    "taken_back": ("seat",),
    "said": ("seat", "phrase"),
}
"""By kind of event, other than plays: what everybody may know of its body."""


class Perspective(NamedTuple):
    """How somebody sees a table.

    Attributes:
        seat: whose view they get; −1 for a spectator's, ``OUTSIDER`` for none.
        language: of the texts.
        fields: whether they want all fields of the view beside the scene.
        lean: whether they do without what has not changed since their last message; see ``state_message``.
        brief: whether they keep the table themselves, and are told of plays and shuffles in brief; see
            ``brief_messages``.
    """

    seat: int
    language: str = "en"
    fields: bool = False
    lean: bool = False
    brief: bool = False


def encoded(message: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> bytes:
    """A message as it is sent: JSON. Some numbers of games are NumPy's."""
    return orjson.dumps(message, option=orjson.OPT_SERIALIZE_NUMPY)


def apply_and_report(
    table: TableState, event: Event, perspectives: Collection[Perspective]
) -> dict[Perspective, EventReport]:
    """Apply an event to a table, and report it to each perspective."""
    base: EventReport = {"seq": event.seq, "at": event.at, "kind": event.kind}
    if event.kind != "played" or table.past is not None:
        body = {**event.body, **_who_leaves(table, event)}
        apply(table, event)
        public = {name: body[name] for name in PUBLIC_FIELDS.get(event.kind, ()) if name in body}
        report: EventReport = {**base, **public}  # type: ignore[typeddict-item]
        return dict.fromkeys(perspectives, report)
    assert table.deal is not None
    seat, is_open = event.body["seat"], table.deal.is_open(event.body["play"])
    watching = [each for each in perspectives if each.seat != OUTSIDER and not each.brief]
    before = table.views() if watching else []
    forced = any(each.seat == seat for each in watching) and table.deal.sole_answer() is not None
    apply(table, event)
    word = table.deal.history[-1][1]
    base["seat"] = seat
    known: EventReport = {**base, "play": word}
    told = {each: known if each.seat != OUTSIDER and (is_open or each.seat == seat) else base for each in perspectives}
    if forced:  # nobody else learns that there was no choice
        told.update({each: {**known, "forced": True} for each in watching if each.seat == seat})
    if watching:
        writer = _ReportWriter(table, before, seat, word)
        told.update({each: writer.write(told[each], each) for each in watching})
    return told


def _who_leaves(table: TableState, event: Event) -> dict[str, Any]:
    """The name of whoever an event sends away: afterwards the seat has none."""
    if event.kind != "left":
        return {}
    chair = table.chairs[event.body["seat"]]
    return {"name": chair.name, "bot": chair.bot}


class _ReportWriter:
    """Writes the reports of one play, each sentence once for all who are told the same.

    Args:
        table: after the play.
        before: the views before it.
        seat, word: who made it, and what it was.
    """

    def __init__(self, table: TableState, before: Sequence[View], seat: int, word: str) -> None:
        self._table, self._seat, self._word = table, seat, word
        self._before, self._after = before, table.views()
        self._description = table.game.description
        self._said: dict[Hashable, str] = {}
        self._told: dict[Hashable, tuple[list[Sentence], list[str]]] = {}
        self._names: dict[str, list[str]] = {}

    def write(self, told: EventReport, perspective: Perspective) -> EventReport:
        """What this perspective is told: what it is told in brief, and the play in words."""
        before, language = self._before[perspective.seat], perspective.language
        lines = self._after[perspective.seat].told_since(before, self._seat, self._word)
        said = [self._say_forced(before, language)] if told.get("forced") else []
        if not lines:  # most plays are in the middle of a trick
            return {**told, "lines": said}
        report: EventReport = {**told}
        ending = next((line for line in lines if line.code.startswith("events.trick")), None)
        if ending is not None:
            report["trick"] = _finished_trick(self._description, before, ending, self._seat, told.get("play"))
        key = (id(lines), language)  # views that tell the same share the list, which is kept here
        if key not in self._told:
            self._told[key] = lines, [self._say(line, language) for line in lines]
        if language not in self._names:
            self._names[language] = seat_names(self._table, language)
        texts = self._told[key][1]
        if said and len(lines[0].fields) == 1 and texts[0].startswith(f"#{self._seat}"):
            texts = texts[1:]  # says no more than that this was the answer
        names = self._names[language]
        report["lines"] = said + [with_names(line, names, language, perspective.seat) for line in texts]
        return report

    def _say_forced(self, before: View, language: str) -> str:
        """That the table has given the only answer, and why there was no other, where the game says that."""
        description, word = self._description, self._word
        texts = catalogue(description.files.texts, language)
        if f"forced.{word}" not in texts:
            play = texts(f"plays.{word}") if f"plays.{word}" in texts else word
            return catalogue(TEXTS, language)("page.table.forced", play=play)
        winning = before.scene.winning
        played = before.scene.seats[winning].played if winning >= 0 else ""
        name = description.display.combination(played) if played else ""
        cards = texts(name) if name else f"`{played.replace('+', ' ')}`"
        spell = notation_text(description, language)
        return unnamed_line(description, Sentence(f"forced.{word}", {"cards": cards}), language, spell)

    def _say(self, line: Sentence, language: str) -> str:
        key = (language, line.code, *line.fields.items())
        if key not in self._said:
            self._said[key] = unnamed_line(
                self._description, line, language, notation_text(self._description, language)
            )
        return self._said[key]


def _finished_trick(description: Description, before: View, ending: Sentence, seat: int, word: str | None) -> Trick:
    """A finished trick, from the view before its last play; ``word`` is that play, None where only its back is seen."""
    plays = [place.played for place in before.scene.seats]
    if word is None:
        plays[seat] = HIDDEN_PLAY
    elif not is_declaration(word):
        plays[seat] = word
    return {"plays": plays, "named": named(description, plays), "seat": int(ending.fields["seat"].removeprefix("#"))}


def named(description: Description, plays: Iterable[str]) -> dict[str, str]:
    """The names of those plays that have one: keys of texts, by word."""
    if description.display.combination is without_name:
        return {}
    texts = {word: description.display.combination(word) for word in plays if word}
    return {word: text for word, text in texts.items() if text}


def state_message(
    table: TableState,
    perspective: Perspective,
    events: Sequence[EventReport] = (),
    *,
    host: bool = False,
    shared: SharedState | None = None,
) -> StateMessage:
    """The message that shows a table.

    A lean one leaves out ``results`` while a deal is played, since they are as they were.

    Args:
        table: as it stands.
        perspective: of the recipient.
        events: reports of the events since their last message.
        host: whether they are the table's host.
        shared: the part that is the same for everybody, if it has been made already.
    """
    message: StateMessage = {
        **(shared or shared_state(table)),  # type: ignore[typeddict-item]
        "events": list(events),
        "you": {"seat": perspective.seat if perspective.seat >= 0 else None, "host": host},
        "deal": None if table.deal is None or perspective.seat == OUTSIDER else _deal_state(table, perspective),
    }
    if table.past is not None:
        message["past"] = past_state(table, perspective.language)
    if perspective.lean and is_same_but_for_plays(table, events):
        del message["results"]  # type: ignore[misc]
    return message


def is_same_but_for_plays(table: TableState, events: Sequence[EventReport]) -> bool:
    """Whether these events are plays of a deal that goes on: what deals have paid is then as it was."""
    return table.phase == "playing" and all(event["kind"] == "played" for event in events)


def shared_state(table: TableState, gone: Collection[int] = ()) -> SharedState:
    """The part of the message that is the same for everybody; ``gone`` are the seats of people without a socket."""
    game, settings = table.game, table.settings
    shared: SharedState = {
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
        "timed": table.clock is not None,
        "speed": table.speed,
        "phase": table.phase,
        "seats": seat_states(table, gone),
        "session": table.session,
        "results": [[game.description.rules.counted(points) for points in row] for row in table.results],
        "shuffle": shuffle_state(table),
    }
    if table.given is not None:
        shared["given"] = table.given
    return shared


def past_state(table: TableState, language: str) -> PastState:
    """What is known of a game whose rules are not."""
    assert table.past is not None
    text = catalogue(TEXTS, language)("server.other_rules", **table.past.refusal().fields)
    return {"text": text, "totals": table.past.totals()}


def seat_states(table: TableState, gone: Collection[int] = ()) -> list[SeatState]:
    """Who sits where; ``gone`` are the seats of people without a socket."""
    seats: list[SeatState] = [
        {
            "name": chair.name,
            "bot": chair.bot,
            "absent": chair.absent,
            "open": not chair.taken,
            "face": _face(table, seat, chair),
        }
        for seat, chair in enumerate(table.chairs)
    ]
    for seat in gone:
        seats[seat]["connected"] = False
    return seats


def _face(table: TableState, seat: int, chair: Chair) -> str:
    """What whoever plays there looks like: on a seat that somebody has left in a game, a bot."""
    bot = chair.bot or (STAND_IN if table.begun and not chair.taken else None)
    if bot is not None:
        return bot_face(seat, level_number(table.game.description, bot))
    return (chair.face or usual_face(chair.guest or chair.token or "")) if chair.taken else ""


def shuffle_state(table: TableState) -> ShuffleState | None:
    """The shuffle that is pending, if there is one."""
    pending, seats = table.shuffle, range(table.game.seats)
    if pending is None:
        return None
    sealed = [part.hex() for part in pending.list_seals(table.game.seats)]
    return {
        "deal": pending.number,
        "commitment": pending.commitment.hex(),
        "ready": [pending.is_ready(seat) for seat in seats],
        "attempt": pending.attempt,
        "seals": sealed if pending.closed else None,
        "revealed": [seat in pending.entropy for seat in seats],
        "unrevealed": pending.unrevealed,
        "link": table.chain.head.hex(),
    }


def _deal_state(table: TableState, perspective: Perspective) -> DealState:
    deal, description = table.deal, table.game.description
    assert deal is not None
    view = table.view(perspective.seat)
    goes_on = not deal.over and not table.closed  # a closed table shows its cards, and asks nobody
    is_mover, scene = goes_on and deal.mover == perspective.seat >= 0, view.scene
    legal = deal.legal() if is_mover else []
    state: DealState = {
        "number": table.deals,
        "mover": deal.mover if goes_on else None,
        "over": deal.over,
        "legal": legal,
        "equal": equal_cards(deal, scene) if is_mover else {},
        "named": named(description, [*legal, *(place.played for place in scene.seats)]),
        "answered": is_mover and table.own_answer() is not None,
        "wish": _wish_state(table, deal, perspective.seat) if goes_on else None,
        "since": table.acted,
        "scene": scene,
    }
    if perspective.fields:
        state["fields"] = view.to_dict(named=False)
    if deal.over:
        language = perspective.language
        outcome = table.cached(("outcome", language), lambda deal: deal_outcome(deal, language))
        state.update(told_to(outcome, seat_names(table, language), language, perspective.seat))  # type: ignore[typeddict-item]
        state["replay"] = table.phase in ("over", "closed") or table.open_deals >= set(range(1, table.deals + 1))
    return state


def _wish_state(table: TableState, deal: Deal, seat: int) -> WishState | None:
    wish = deal.wish(seat) if seat >= 0 else None
    if wish is None:
        return None
    return {"play": wish.play, "otherwise": wish.otherwise, "said": seat in table.wishes}


def equal_cards(deal: Deal, scene: Scene) -> dict[str, str]:
    """The viewer's cards for which ``legal`` lists another, because the two are equal now, with that other."""
    if not verbs.has_equal_cards(deal.game.template.dtype):
        return {}
    cards = (card for group in scene.hand for card in group.cards)
    return {card: listed for card in cards if (listed := deal.listed(card)) != card}


def summary(table: TableState, asked: Sequence[int] = ()) -> dict[str, Any]:
    """What the list of tables shows of this one; ``asked`` are the seats of people who are asked and are not there.

    From ``totals`` and ``shown`` (the deals whose hands may be shown) a version that does not know the rules knows how
    the game stood.
    """
    if table.past is not None:
        return {**table.past.summary, "phase": "closed"}
    return {
        "game": table.game.name,
        "options": table.game.changed_options(),
        "phase": table.phase,
        "seats": seat_states(table),
        "deals": len(table.results),
        "totals": [table.game.description.rules.counted(points) for points in table.totals],
        "shown": len(list(takewhile(table.open_deals.__contains__, count(1)))),
        "free": len(table.free_seats()),
        "by_invitation": table.settings["invite"] is not None,
        "spectators": table.settings["spectators"],
        "asked": list(asked),
        "taken_back": table.taken_back,
    }


_SUMMARY = {"game": str, "options": dict, "phase": str, "seats": list, "deals": int, "free": int, "spectators": str}


def is_summary(found: Mapping[str, Any]) -> bool:
    """Whether this is what ``summary`` gives, and not something that has been damaged since."""
    return all(isinstance(found.get(key), kind) for key, kind in _SUMMARY.items()) and all(
        isinstance(seat, dict) and isinstance(seat.get("name"), str) and {"bot", "absent", "open"} <= set(seat)
        for seat in found["seats"]
    )
