"""A tour as its page shows it: the messages that a table would send, made from its deal by the rules, step by step."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from tefuda.server.store.port import Event, JsonObject
from tefuda.server.table import commands, reports, table_messages
from tefuda.server.table.callers import Refused
from tefuda.server.table.events import apply
from tefuda.server.table.message_types import EventReport, StateMessage
from tefuda.server.table.reports import Perspective
from tefuda.server.table.table_state import TableState
from tefuda.table.tour import Step, Tour, due, expect

NO_CLOCK = 10**9  # seconds: no time runs out in a tour

ShownStep = JsonObject


class TourTable:
    """The table of a tour, with the reader on their seat. It is not kept anywhere. ``TourError`` if the cards of the
    tour cannot be dealt."""

    def __init__(self, tour: Tour, language: str, reader: str) -> None:
        self.tour, self.perspective = tour, Perspective(tour.seat, language)
        self.table = TableState()
        game = tour.game
        self._apply(
            "created", table="", game=game.name, rules=game.description.rules_version, seats=game.seats,
            options=game.changed_options(), host={"guest": None, "token": None}, public=False, invite=None,
            spectators="none", clock=NO_CLOCK,
        )  # fmt: skip
        for seat, name in enumerate(tour.names[tour.language(language)]):
            self._apply("seated", seat=seat, name=name or reader)
        self.table.deal, self.table.deals = tour.deal(), 1

    def _event(self, kind: str, **body: Any) -> Event:
        return Event(self.table.seq + 1, 0, kind, body)

    def _apply(self, kind: str, **body: Any) -> None:
        apply(self.table, self._event(kind, **body))

    def play(self, seat: int, word: str) -> EventReport:
        """Make a play; the report of it."""
        event = self._event("played", seat=seat, play=word)
        return reports.apply_and_report(self.table, event, [self.perspective])[self.perspective]

    def state(self, events: Sequence[EventReport]) -> StateMessage:
        """The table now, after these events."""
        return table_messages.state_message(self.table, self.perspective, events)

    def reasons(self) -> JsonObject:
        """The reasons why cards of the reader's hand may not be played alone now, by card."""
        hand = chain.from_iterable(group.cards for group in self.table.present.view(self.tour.seat).scene.hand)
        return dict(filter(None, map(self._reason, dict.fromkeys(hand))))

    def _reason(self, card: str) -> tuple[str, Any] | None:
        try:
            reason = commands.why_not(self.table, self.tour.seat, card, self.perspective.language)
        except Refused:
            return None
        return (card, {"rule": reason.rule, "text": reason.text}) if reason else None


def steps(tour: Tour, language: str, reader: str, way: Sequence[str] = ()) -> list[ShownStep]:
    """The steps of a tour, in a language, for a reader of this name; those up to the last of ``way`` are left out, the
    reader's plays in the first steps that offer a choice.

    Of each step it gives ``states``: messages of the table, shown one after the other; ``plays``: the right ones, as
    the last state lists them, none if the step waits for no play; ``then``: for each but the first of them the steps
    that follow it; ``ask``: the card about which the reader is to ask, or empty; ``why``: reasons by card; ``show``:
    what is pointed at. ``TourError``, which names the step, if one cannot be played."""
    table, found = TourTable(tour, language, reader), list[ShownStep]()
    taken, before = list[str](), list[EventReport]()
    for number, step in enumerate(tour.steps, 1):
        with tour.at(number):
            known = len(taken) < len(way)
            if known:
                for play in due(table.table.present, step):
                    table.play(play.seat, play.word)
            else:
                found.append(_shown(table, step, before))
            before = []
            if not step.play:
                continue
            if not known:
                found[-1]["then"] = {
                    table.table.present.listed(other): steps(tour, language, reader, [*taken, other])
                    for other in step.play[1:]
                }
            taken.append(way[len(taken)] if known else step.play[0])
            before = [table.play(tour.seat, taken[-1])]
    return found


def _shown(table: TourTable, step: Step, before: Sequence[EventReport]) -> ShownStep:
    """Make the plays of one step, after the reader's play in the step before; the step as it is shown."""
    seat, deal = table.tour.seat, table.table.present
    states, skipped = [table.state(before)] if before else [], list[EventReport]()
    for play in due(deal, step):
        if skipped and not play.at_once:
            states.append(table.state(skipped))
            skipped = []
        report = table.play(play.seat, play.word)
        if play.at_once:
            skipped.append(report)
        else:
            states.append(table.state([report]))
    if skipped:
        states.append(table.state(skipped))
    expect(step, deal, seat)
    states = states or [table.state([])]
    if not step.play and not step.ask and not step.example:
        for shown in filter(None, (state["deal"] for state in states)):
            shown["answered"] = True  # nothing is to be played before the next step
    asked = states[-1]["deal"]
    if step.play and asked is not None:
        asked["answered"] = False  # a tour waits for the reader where a table would answer in their place
    return {
        "states": states,
        "plays": [deal.listed(word) for word in step.play],
        "then": {},
        "ask": step.ask,
        "why": table.reasons(),
        "show": step.show,
    }
