"""A tour as its page shows it: the messages that a table would send, made from its deal by the rules, step by step."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from tefuda.server.events import commands, outgoing
from tefuda.server.events.messages import State, Told
from tefuda.server.events.outgoing import Perspective
from tefuda.server.events.table_state import TableState
from tefuda.server.store.port import Event
from tefuda.table.deal import Deal
from tefuda.table.tour import Step, Tour, due, expect

NO_CLOCK = 10**9
"""Seconds: nobody's time runs out in a tour."""

Shown = dict[str, Any]


class TourTable:
    """The table of a tour, with the reader at his seat. It is not kept anywhere.

    Args:
        tour: that is shown.
        language: of the texts.
        reader: what the reader is called.

    Raises:
        TourError: the cards of the tour cannot be dealt.
    """

    def __init__(self, tour: Tour, language: str, reader: str) -> None:
        self.tour, self.viewer = tour, Perspective(tour.seat, language)
        self.table = TableState()
        game = tour.game
        self._add(
            "created", table="", game=game.name, rules=game.description.rules_version, seats=game.seats,
            options=game.changed_options(), host={"guest": None, "token": None}, public=False, invite=None,
            spectators="none", clock=NO_CLOCK,
        )  # fmt: skip
        for seat, name in enumerate(tour.names[tour.language(language)]):
            self._add("seated", seat=seat, name=name or reader)
        self.table.deal, self.table.deals = tour.deal(), 1

    @property
    def deal(self) -> Deal:
        assert self.table.deal is not None
        return self.table.deal

    def _event(self, kind: str, **body: Any) -> Event:
        return Event(self.table.seq + 1, 0, kind, body)

    def _add(self, kind: str, **body: Any) -> None:
        self.table.apply(self._event(kind, **body))

    def play(self, seat: int, word: str) -> Told:
        """Make a play, and tell of it."""
        return outgoing.advance(self.table, self._event("played", seat=seat, play=word), [self.viewer])[self.viewer]

    def state(self, events: Sequence[Told]) -> State:
        """The table now, after these events."""
        return outgoing.state(self.table, self.viewer, events)

    def reasons(self) -> dict[str, Any]:
        """Why each card of the reader's hand may not be played alone now, of those that may not."""
        held = chain.from_iterable(group.cards for group in self.deal.view(self.tour.seat).scene.hand)
        return dict(filter(None, map(self._reason, dict.fromkeys(held))))

    def _reason(self, card: str) -> tuple[str, Any] | None:
        try:
            reason = commands.why_not(self.table, self.tour.seat, card, self.viewer.language)
        except commands.Refused:
            return None
        return (card, {"rule": reason.rule, "text": reason.text}) if reason else None


def steps(tour: Tour, language: str, reader: str, way: Sequence[str] = ()) -> list[Shown]:
    """The steps of a tour.

    Args:
        tour: that is shown.
        language: of all sentences.
        reader: what the reader is called.
        way: his plays in the first steps that let him choose; steps up to the last of these are not shown again.

    Returns:
        for each step ``states``: messages of the table, shown one after the other; ``plays``: the right ones, as the
        last state lists them, none if it waits for no play; ``then``: for each but the first of them the steps that
        follow it; ``ask``: the card it waits to be asked about, or empty; ``why``: reasons by card; ``show``: what is
        pointed at.

    Raises:
        TourError: a step cannot be played; the message names it.
    """
    stage, found = TourTable(tour, language, reader), list[Shown]()
    taken, before = list[str](), list[Told]()
    for number, step in enumerate(tour.steps, 1):
        with tour.at(number):
            known = len(taken) < len(way)
            if known:
                for play in due(stage.deal, step):
                    stage.play(play.seat, play.word)
            else:
                found.append(_shown(stage, step, before))
            before = []
            if not step.play:
                continue
            if not known:
                found[-1]["then"] = {
                    stage.deal.listed(other): steps(tour, language, reader, [*taken, other]) for other in step.play[1:]
                }
            taken.append(way[len(taken)] if known else step.play[0])
            before = [stage.play(tour.seat, taken[-1])]
    return found


def _shown(stage: TourTable, step: Step, before: Sequence[Told]) -> Shown:
    """One step, after the reader's play in the step before; its plays are made."""
    seat, deal = stage.tour.seat, stage.deal
    states, skipped = [stage.state(before)] if before else [], list[Told]()
    for play in due(deal, step):
        if skipped and not play.at_once:
            states.append(stage.state(skipped))
            skipped = []
        told = stage.play(play.seat, play.word)
        if play.at_once:
            skipped.append(told)
        else:
            states.append(stage.state([told]))
    if skipped:
        states.append(stage.state(skipped))
    expect(step, deal, seat)
    states = states or [stage.state([])]
    if not step.play and not step.ask:
        for shown in filter(None, (state["deal"] for state in states)):
            shown["answered"] = True  # nothing is to be played before the next step
    return {
        "states": states,
        "plays": [deal.listed(word) for word in step.play],
        "then": {},
        "ask": step.ask,
        "why": stage.reasons(),
        "show": step.show,
    }
