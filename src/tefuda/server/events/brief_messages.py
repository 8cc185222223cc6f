"""What follows events: messages in brief for programs that keep the table themselves, else the whole table."""

from collections.abc import Sequence

from tefuda.engine.notation import SUMMARY
from tefuda.server.events.messages import (
    BriefDeal,
    EventReport,
    PlaysMessage,
    SharedState,
    ShuffleMessage,
    StateMessage,
)
from tefuda.server.events.table_messages import VERSION, Perspective, is_same_but_for_plays, state_message
from tefuda.server.events.table_state import OUTSIDER, TableState

SHUFFLE_STEPS = frozenset({"committed", "sealed", "closed_seals", "entropy"})
"""Kinds of events that change the shuffle that is pending, and nothing else."""


def message(
    table: TableState, perspective: Perspective, events: Sequence[EventReport], *, host: bool, shared: SharedState
) -> StateMessage | PlaysMessage | ShuffleMessage:
    """The message that follows events: one in brief where it is wanted and tells all, else ``state_message``."""
    if perspective.brief and perspective.seat != OUTSIDER:
        if is_same_but_for_plays(table, events):
            return plays_message(table, perspective, events)
        if is_same_but_for_shuffle(table, events):
            return shuffle_message(shared, events)
    return state_message(table, perspective, events, host=host, shared=shared)


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


def is_same_but_for_shuffle(table: TableState, events: Sequence[EventReport]) -> bool:
    """Whether these events are steps of a shuffle that is still pending."""
    return table.shuffle is not None and all(event["kind"] in SHUFFLE_STEPS for event in events)
