"""Tables whose rules this version does not know: what was played is told, and no one plays on."""

from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from tefuda import games
from tefuda.engine.description import Description
from tefuda.engine.option import OptionError
from tefuda.server.store.port import JsonMapping, JsonObject
from tefuda.server.table.callers import Refused
from tefuda.table import shuffle
from tefuda.table.game import Game
from tefuda.table.record_lines import head, play_line, write_rows
from tefuda.table.shuffle import Proof


@dataclass
class PastDeal:
    """A deal as the log has it: how it was shuffled, and the plays as (seat, word)."""

    number: int
    proof: Proof
    history: list[tuple[int, str]] = field(default_factory=list)


class PastGame(Game):
    """A game without its rules of that version: cards, seats, options as they were chosen, some of which may not exist
    any more; the deals of each game that was played at the table; and the summary that the list of tables shows,
    written while the rules were known. ``TefudaError`` if there is no such game, or it is not for so many."""

    def __init__(self, name: str, rules: int, seats: int, options: JsonMapping) -> None:
        present = games.description(name)
        self._now, self._as_chosen = present.rules_version, dict(options)
        super().__init__(replace(present, rules_version=rules), seats, _known(present, seats, options))
        self.sessions: list[list[PastDeal]] = [[]]
        self.closed = False  # by now, at its table
        self.summary: JsonMapping = {}

    def copy(self) -> "PastGame":
        """Copy the game at this moment."""
        twin = copy(self)
        twin.sessions = [[replace(deal, history=list(deal.history)) for deal in deals] for deals in self.sessions]
        return twin

    def changed_options(self) -> JsonObject:
        """The options as the log has them."""
        return self._as_chosen

    def refusal(self) -> Refused:
        """The refusal of all orders."""
        return Refused("other_rules", 409, played=self.description.rules_version, now=self._now)

    def begin(self, proof: Proof) -> None:
        """A deal was dealt."""
        self.sessions[-1].append(PastDeal(proof.deal, proof))

    def add(self, seat: int, word: str) -> None:
        """A play was made; of a deal that cannot be told, nothing is."""
        if self.sessions[-1]:
            self.sessions[-1][-1].history.append((seat, word))

    def take_back(self, plays: int) -> None:
        """The deal goes on from the moment at which so many plays had been made."""
        if self.sessions[-1]:
            del self.sessions[-1][-1].history[plays:]

    def totals(self) -> list[Any]:
        """The points of each seat after the last finished deal, as people count; empty if they are not known."""
        found = self.summary.get("totals")
        return list(found) if isinstance(found, list) and len(found) == self.seats else []

    def shown(self, session: int | None = None) -> list[PastDeal]:
        """The deals of a session, by default the last, that may be shown with every hand: those of the last one that
        could be while the rules were known, all of one that was over, or of a closed table."""
        session = session or len(self.sessions)
        if not 1 <= session <= len(self.sessions):
            return []
        deals = self.sessions[session - 1]
        if self.closed or session < len(self.sessions) or self.summary.get("phase") in ("over", "closed"):
            return deals
        count = self.summary.get("shown", 0)
        return deals[: count if isinstance(count, int) else 0]

    def record(self, session: int | None, names: list[str]) -> str:
        """The record (``.tfd``) of the deals that may be shown, as by ``shown``. It can be replayed by a version that
        knows the rules."""
        rows = [head(self, names, None)]
        for deal in self.shown(session):
            bound_to = shuffle.context(self, deal.proof.table, deal.number, deal.proof.attempt)
            deck, chance = shuffle.shuffle(self.pack, bound_to, deal.proof.secret, deal.proof.entropy)
            # Only the rules know what a later deal begins from.
            start: JsonObject = {"before": {}} if deal.number == 1 else {}
            dealt = {"chance": chance, "deck": self.write_deck(deck), "proof": deal.proof.to_json()}
            rows += [{"deal": deal.number, **start, **dealt}, *(play_line(*play) for play in deal.history)]
        return write_rows(rows)


def _known(present: Description, seats: int, options: JsonMapping) -> JsonObject:
    """The options that the present rules know too; none if these exclude each other now."""
    known: JsonObject = {}
    for name, value in options.items():
        with suppress(OptionError):
            present.template(seats, {**known, name: value})
            known[name] = value
    return known
