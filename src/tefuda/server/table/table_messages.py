"""The messages that leave a table, made from views alone: no viewer is sent what they may not see.

Card texts, notes and phases are keys of the game's catalogue, as in ``engine/scene``; sentences come written out in the
reader's language. Amounts are in the unit in which people count. Programs that keep the table themselves are sent plays
and shuffles in brief."""

from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import Literal

from tefuda.engine import verbs
from tefuda.engine.notation import SUMMARY
from tefuda.engine.scene import Group, Scene
from tefuda.engine.texts import TEXTS, catalogue, own_texts
from tefuda.server.store.port import Event, JsonMapping, JsonObject
from tefuda.server.table import deal_patches
from tefuda.server.table import message_types as types
from tefuda.server.table.callers import STAND_IN, SeatHolder
from tefuda.server.table.deal_patches import DealComparison, SeenDeal
from tefuda.server.table.message_types import EventReport, SharedState
from tefuda.server.table.player_faces import bot_face, level_number, usual_face
from tefuda.server.table.player_names import notation_text, seat_names, with_names
from tefuda.server.table.reports import VERSION, Perspective, encoded, named
from tefuda.server.table.table_state import OUTSIDER, SLOW, TableState
from tefuda.table.deal import Deal
from tefuda.table.reasons import say_line

_SUMMARY = {"game": str, "options": dict, "phase": str, "seats": list, "deals": int, "free": int, "spectators": str}

SHUFFLE_STEPS = frozenset({"committed", "sealed", "closed_seals", "entropy"})
"""Kinds of events that change the shuffle that is pending, and nothing else."""

Change = Literal["plays", "shuffle", "any"]
"""A change by events: plays of a deal that goes on; the shuffle that is pending; or anything."""


def state_message(
    table: TableState,
    perspective: Perspective,
    events: Sequence[EventReport] = (),
    *,
    host: bool = False,
    shared: SharedState | None = None,
) -> types.StateMessage:
    """The message that shows a table after the events since the recipient's last message. ``shared`` is the part
    that is the same for everybody, if it has been made already."""
    message: types.StateMessage = {
        **(shared or shared_state(table)),  # type: ignore[typeddict-item]
        "events": list(events),
        "you": {"seat": perspective.seat if perspective.seat >= 0 else None, "host": host},
        "deal": None if table.deal is None or perspective.seat == OUTSIDER else _deal_state(table, perspective),
    }
    if table.past is not None:
        message["past"] = past_state(table, perspective.language)
    return message


def shared_state(table: TableState) -> SharedState:
    """The part of the message that is the same for everybody."""
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
        "chat": settings.get("chat", False),
        "among_friends": table.is_among_friends,
        "asked_back": asked_back(table),
        "clock": settings["clock"],
        "timed": table.clock is not None,
        "slow": (settings["clock"] or 0) >= SLOW,
        "speed": table.speed,
        "phase": table.phase,
        "seats": seat_states(table),
        "session": table.session,
        "results": [[game.description.rules.counted(points) for points in row] for row in table.results],
        "shuffle": shuffle_state(table),
    }
    for seat in table.gone:
        shared["seats"][seat]["connected"] = False
    for seat, *_ in table.people if table.muted else ():
        if table.muted & table.chairs[seat].hashes:
            shared["seats"][seat]["muted"] = True
    if table.given is not None:
        shared["given"] = table.given
    return shared


def asked_back(table: TableState) -> types.AskedBack | None:
    """The seat that would like to take a play back, and those that are asked; None if none is."""
    asked = table.request
    return asked and {"seat": asked.seat, "awaited": table.awaited(asked.seat, asked.agreed)}


def past_state(table: TableState, language: str) -> types.PastState:
    """The state of a game whose rules are not known."""
    assert table.past is not None
    text = catalogue(TEXTS, language)("server.other_rules", **table.past.refusal().fields)
    return {"text": text, "totals": table.past.totals()}


def seat_states(table: TableState) -> list[types.SeatState]:
    """The seats and who sits there."""
    return [
        {
            "name": chair.name,
            "bot": chair.bot,
            "absent": chair.absent,
            "open": not chair.taken,
            "face": _face(table, seat, chair),
        }
        for seat, chair in enumerate(table.chairs)
    ]


def _face(table: TableState, seat: int, chair: SeatHolder) -> str:
    """The face of the player; on a seat that a person has left in a game, a bot's."""
    bot = chair.bot or (STAND_IN if table.begun and not chair.taken else None)
    if bot is not None:
        return bot_face(seat, level_number(table.game.description, bot))
    return (chair.face or usual_face(chair.guest or chair.token or "")) if chair.taken else ""


def shuffle_state(table: TableState) -> types.ShuffleState | None:
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


def seen_deal(table: TableState, seat: int) -> SeenDeal:
    """The present deal, or the last until the next, as this seat sees it."""
    deal, (own, shared) = table.present, table.view(seat).scene_parts
    goes_on = not deal.over and not table.closed  # a closed table shows its cards, and asks for nothing
    is_mover = goes_on and deal.mover == seat >= 0
    legal = deal.legal() if is_mover else []
    places = own.get("seats") or shared["seats"]
    figures = {
        "number": table.deals,
        "mover": deal.mover if goes_on else None,
        "over": deal.over,
        "legal": legal,
        "equal": equal_cards(deal, own["hand"]) if is_mover else {},
        "named": named(table.game.description, [*legal, *(place.played for place in places)]),
        "answered": is_mover and table.own_answer() is not None,
        "wish": _wish_state(table, deal, seat) if goes_on else None,
        "since": table.acted,
    }
    return SeenDeal(figures, own, shared)


def _deal_state(table: TableState, perspective: Perspective, seen: SeenDeal | None = None) -> types.DealState:
    """``seen`` is the deal as they see it, if that is known."""
    deal, language = table.present, perspective.language
    figures, own, shared = seen or seen_deal(table, perspective.seat)
    state: types.DealState = {**figures, "scene": Scene(**own, **shared)}  # type: ignore[typeddict-item]
    if deal.over:
        outcome = table.cached(("outcome", language), lambda deal: deal_outcome(deal, language))
        state.update(told_to(outcome, seat_names(table, language), language, perspective.seat))  # type: ignore[typeddict-item]
        state["replay"] = table.shown >= set(range(1, table.deals + 1))
    return state


def _wish_state(table: TableState, deal: Deal, seat: int) -> types.WishState | None:
    wish = deal.wish(seat) if seat >= 0 else None
    if wish is None:
        return None
    return {"play": wish.play, "otherwise": wish.otherwise, "said": seat in table.wishes}


def equal_cards(deal: Deal, hand: Sequence[Group]) -> dict[str, str]:
    """The cards of the mover's hand for which ``legal`` lists another, equal now, with that other."""
    if not verbs.has_equal_cards(deal.game.template.dtype):
        return {}
    cards = (card for group in hand for card in group.cards)
    return {card: listed for card in cards if (listed := deal.listed(card)) != card}


def summary(table: TableState, asked: Sequence[int] = ()) -> JsonObject:
    """The table's entry in the list of tables; ``asked`` are the seats of people who are asked and are not there. From
    ``totals`` and ``shown`` (deals whose hands may be shown) a version without the rules knows how the game stood."""
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


def is_summary(found: JsonMapping) -> bool:
    """Tell if this is a ``summary``, and not something that has been damaged since."""
    return all(isinstance(found.get(key), kind) for key, kind in _SUMMARY.items()) and all(
        isinstance(seat, dict) and isinstance(seat.get("name"), str) and {"bot", "absent", "open"} <= set(seat)
        for seat in found["seats"]
    )


def change_by(events: Sequence[Event], table: TableState) -> Change:
    """The change that events have brought to a table, as it stands after them."""
    kinds = {event.kind for event in events}
    if kinds == {"played"} and table.phase == "playing":
        return "plays"
    return "shuffle" if table.shuffle is not None and kinds <= SHUFFLE_STEPS else "any"


class MessageWriter:
    """Writes the messages that follow events, as JSON: those in brief once for all who are told the same. The table
    is as it stands after the events; ``told`` has for each event its report to each perspective, one object for all
    who are told the same; ``before`` are the deals that readers of patches have, by seat, and ``deals`` those that they
    have then."""

    def __init__(
        self,
        table: TableState,
        told: Sequence[Mapping[Perspective, EventReport]],
        shared: SharedState,
        change: Change,
        before: Mapping[int, SeenDeal],
    ) -> None:
        self._table, self._told, self._shared, self._change = table, told, shared, change
        self._before, self.deals, self._comparison = before, dict[int, SeenDeal](), DealComparison()
        self._mover = table.deal.mover if change == "plays" and table.deal is not None else OUTSIDER
        # With the reports, so that their identities stay theirs.
        self._written: dict[tuple[int, ...], tuple[bytes, Sequence[EventReport]]] = {}

    def write(self, perspective: Perspective, *, host: bool) -> bytes:
        """Write a message in brief, or a patch, where it is wanted and tells all, else the whole table."""
        events = [reports.get(perspective) or _bare(reports) for reports in self._told if reports]
        is_news = self._change != "any" and perspective.seat != OUTSIDER
        if is_news and (perspective.brief or (perspective.patch and self._change == "shuffle")):
            return self._in_brief(perspective, events)
        seat, is_shown = perspective.seat, self._table.past is None and self._table.deal is not None
        if perspective.patch and is_shown and seat != OUTSIDER:
            self.deals[seat] = self.deals.get(seat) or seen_deal(self._table, seat)
            if is_news and seat in self._before:
                return encoded(self._patch(perspective, events))
        return encoded(state_message(self._table, perspective, events, host=host, shared=self._shared))

    def _in_brief(self, perspective: Perspective, events: Sequence[EventReport]) -> bytes:
        key = (perspective.seat == self._mover, *map(id, events))  # only the mover is told their legal plays
        if key not in self._written:
            plays = self._change == "plays" and plays_message(self._table, perspective, events)
            self._written[key] = encoded(plays or shuffle_message(self._shared, events)), events
        return self._written[key][0]

    def _patch(self, perspective: Perspective, events: Sequence[EventReport]) -> types.PatchMessage:
        """The changes; the whole deal when a trick has ended, so that a reader is never wrong for long."""
        deal = self.deals[perspective.seat]
        if any("trick" in event for event in events):
            patch = deal_patches.whole(_deal_state(self._table, perspective, deal))
        else:
            patch = self._comparison.patch(self._before[perspective.seat], deal)
        told = {"v": VERSION, "seq": self._table.seq, "after": self._table.seq - len(self._told)}
        return {"type": "patch", **told, "events": list(events), "patch": patch}  # type: ignore[typeddict-item]


def _bare(reports: Mapping[Perspective, EventReport]) -> EventReport:
    """The report that all may know, for a player who has just sat down."""
    report = next(iter(reports.values()))
    return {"seq": report["seq"], "at": report["at"], "kind": report["kind"]}


def plays_message(table: TableState, perspective: Perspective, events: Sequence[EventReport]) -> types.PlaysMessage:
    """The message that tells of plays in brief, at a table whose deal goes on, to a recipient who is no outsider: no
    table laid out, no sentences."""
    deal = table.present
    is_mover = deal.mover == perspective.seat
    legal = deal.legal() if is_mover else []
    brief: types.BriefDeal = {
        "number": table.deals,
        "mover": deal.mover,
        "legal": legal,
        "hand": table.view(perspective.seat).hand() if any(map(SUMMARY.fullmatch, legal)) else [],
        "answered": is_mover and table.own_answer() is not None,
        "since": table.acted,
    }
    return {"v": VERSION, "type": "plays", "seq": table.seq, "events": list(events), "deal": brief}


def shuffle_message(shared: SharedState, events: Sequence[EventReport]) -> types.ShuffleMessage:
    """The message that tells what has happened to the shuffle that is pending: all the rest is as it was."""
    shuffle = shared["shuffle"]
    assert shuffle is not None
    return {"v": VERSION, "type": "shuffle", "seq": shared["seq"], "events": list(events), "shuffle": shuffle}


def deal_outcome(deal: Deal, language: str) -> types.DealOutcome:
    """The outcome of a finished deal, without ``replay``; seats are ``#0``, ``#1`` …"""
    description, state = deal.game.description, deal.state
    names = [f"#{seat}" for seat in range(deal.game.seats)]
    spell, decided = notation_text(description, language), description.display.outcome
    sheets = [description.display.sheet(state, seat) for seat in range(deal.game.seats)]
    rules = own_texts(description.files.texts, "sheet")
    outcome: types.DealOutcome = {}
    if decided:
        outcome["outcome"] = say_line(description, decided(state), language, names, spell)
        outcome["shown"] = decided(state).fields.get("shown", "")
    return {
        **outcome,
        "payoff": [description.rules.counted(points) for points in deal.payoff()],
        "totals": [description.rules.counted(points) for points in deal.facts()["totals"]],
        "sheet": [[say_line(description, line, language, names, spell) for line in lines] for lines in sheets],
        "rules": [[rules.get(line.code.removeprefix("sheet."), "") for line in lines] for lines in sheets],
        "settlement": [
            (payer, receiver, description.rules.counted(amount))
            for payer, receiver, amount in description.display.settlement(state)
        ],
    }


def told_to(outcome: types.DealOutcome, names: Sequence[str], language: str, reader: int) -> types.DealOutcome:
    """An outcome for one reader, who is "you"; ``reader`` is −1 where they have no seat."""

    def told(text: str) -> str:
        return with_names(text, names, language, reader)

    found: types.DealOutcome = {**outcome, "sheet": [list(map(told, lines)) for lines in outcome["sheet"]]}
    if "outcome" in outcome:
        found["outcome"] = told(outcome["outcome"])
    return found
