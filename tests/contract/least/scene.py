"""Least: how a view is laid out, and what is told of each play."""

from tefuda.engine.kit import french
from tefuda.engine.kit.tricks import card_by, finished_trick
from tefuda.engine.scene import Scene, SeatScene, places
from tefuda.engine.sentence import Sentence
from tests.contract.least.rules import PACKET
from tests.contract.least.state import Phase, State

FACES = french.FACES


def scene(view: State) -> Scene:
    """The table as the viewer sees it."""
    return Scene(
        phase="phase.over" if view.phase == Phase.OVER else "phase.playing",
        number=int(view.tricks) + 1,
        tricks=PACKET,
        hand=french.by_suit(int(view.hands[view.viewer]), ("scene.cards",) * 4) if view.viewer >= 0 else (),
        seats=places(view, _seat),
    )


def _seat(view: State, seat: int) -> SeatScene:
    return SeatScene(int(view.held[seat]), card_by(view, seat), (), int(view.totals[seat]), side=seat)


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """Every card, and who takes a trick."""
    told = [Sentence("events.plays", {"seat": f"#{seat}", "card": word})]
    if after.tricks > before.tricks:
        told.append(Sentence("events.trick", finished_trick(before, word, after)))
    return told
