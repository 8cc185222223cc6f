"""What follows events: messages in brief for programs that keep the table themselves, else the whole table."""

from collections.abc import Mapping, Sequence
from typing import Literal

from tefuda.engine.notation import SUMMARY
from tefuda.server.store.port import Event
from tefuda.server.table.messages import (
    BriefDeal,
    EventReport,
    PlaysMessage,
    SharedState,
    ShuffleMessage,
)
from tefuda.server.table.table_messages import VERSION, Perspective, encoded, state_message
from tefuda.server.table.table_state import OUTSIDER, TableState

SHUFFLE_STEPS = frozenset({"committed", "sealed", "closed_seals", "entropy"})
"""Kinds of events that change the shuffle that is pending, and nothing else."""

Change = Literal["plays", "shuffle", "any"]
"""What events have changed: a deal that goes on, by plays; the shuffle that is pending; or anything."""


def change_by(events: Sequence[Event], table: TableState) -> Change:
    """What events have changed at a table, as it stands after them."""
    kinds = {event.kind for event in events}
    if kinds == {"played"} and table.phase == "playing":
        return "plays"
    return "shuffle" if table.shuffle is not None and kinds <= SHUFFLE_STEPS else "any"


class MessageWriter:
    """Writes the messages that follow events, as JSON: those in brief once for all who are told the same.

    Args:
        table: as it stands after them.
        told: for each of them, its report to each perspective; whoever is told the same is given the same one.
        shared: the part of the whole message that is the same for everybody.
        change: what they have changed.
    """

    def __init__(
        self,
        table: TableState,
        told: Sequence[Mapping[Perspective, EventReport]],
        shared: SharedState,
        change: Change,
    ) -> None:
        self._table, self._told, self._shared, self._change = table, told, shared, change
        self._mover = table.deal.mover if change == "plays" and table.deal is not None else OUTSIDER
        # With the reports, so that their identities stay theirs.
        self._written: dict[tuple[int, ...], tuple[bytes, Sequence[EventReport]]] = {}

    def write(self, perspective: Perspective, *, host: bool) -> bytes:
        """One in brief where it is wanted and tells all, else the whole table.

        Args:
            perspective: of the recipient.
            host: whether the recipient is the table's host.
        """
        events = [reports.get(perspective) or _bare(reports) for reports in self._told]
        if self._change == "any" or not perspective.brief or perspective.seat == OUTSIDER:
            return encoded(state_message(self._table, perspective, events, host=host, shared=self._shared))
        key = (perspective.seat == self._mover, *map(id, events))  # nobody else is told the mover's legal plays
        if key not in self._written:
            self._written[key] = encoded(self._brief(perspective, events)), events
        return self._written[key][0]

    def _brief(self, perspective: Perspective, events: Sequence[EventReport]) -> PlaysMessage | ShuffleMessage:
        if self._change == "plays":
            return plays_message(self._table, perspective, events)
        return shuffle_message(self._shared, events)


def _bare(reports: Mapping[Perspective, EventReport]) -> EventReport:
    """What all may know, for somebody who has just sat down."""
    report = next(iter(reports.values()))
    return {"seq": report["seq"], "at": report["at"], "kind": report["kind"]}


def plays_message(table: TableState, perspective: Perspective, events: Sequence[EventReport]) -> PlaysMessage:
    """The message that tells of plays in brief: no table laid out, no sentences.

    Args:
        table: as it stands after them, its deal going on.
        perspective: of the recipient, who is no outsider.
        events: reports of the plays.
    """
    deal = table.deal
    assert deal is not None
    is_mover = deal.mover == perspective.seat
    legal = deal.legal() if is_mover else []
    brief: BriefDeal = {
        "number": table.deals,
        "mover": deal.mover,
        "legal": legal,
        "hand": table.view(perspective.seat).hand() if any(map(SUMMARY.fullmatch, legal)) else [],
        "answered": is_mover and table.own_answer() is not None,
        "since": table.acted,
    }
    return {"v": VERSION, "type": "plays", "seq": table.seq, "events": list(events), "deal": brief}


def shuffle_message(shared: SharedState, events: Sequence[EventReport]) -> ShuffleMessage:
    """The message that tells what has happened to the shuffle that is pending: all the rest is as it was.

    Args:
        shared: the part of the whole message that is the same for everybody.
        events: reports of what has happened.
    """
    shuffle = shared["shuffle"]
    assert shuffle is not None
    return {"v": VERSION, "type": "shuffle", "seq": shared["seq"], "events": list(events), "shuffle": shuffle}
