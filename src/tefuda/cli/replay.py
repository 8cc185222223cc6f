"""``tefuda replay``: stepping through a record, play by play."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from tefuda.cli.draw import Artist
from tefuda.cli.json_output import print_json
from tefuda.cli.progress import prepare
from tefuda.cli.settings import language_of
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import is_declaration
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.deal import Deal
from tefuda.table.game import Session
from tefuda.table.record import Record

ALL = -1


def run(path: Path, seat: int, language: str | None, as_json: bool = False) -> None:
    """Show a record; step by step at a terminal, from start to end without one, or as JSON.

    Raises:
        TefudaError: the file is no record, contradicts the rules, or has no such seat.
    """
    language = language_of(language, printed=not as_json)
    saved = Record.read(path)
    if not ALL <= seat < saved.seats:
        raise TefudaError(f"--seat {seat}: seats are 0 to {saved.seats - 1}, or {ALL} for all hands")
    prepare(saved.load_game().description, language)
    if as_json:
        print_json(_data(saved, saved.replay(), seat))
        return
    replay = Replay(saved.replay(), saved.players, seat, language)
    if sys.stdin.isatty() and sys.stdout.isatty():
        replay.step_through()
    else:
        replay.print_all()


def _data(saved: Record, session: Session, seat: int) -> dict[str, Any]:
    """For programs: each deal as it began, play by play, and how it ended, as far as the seat may know."""
    return {
        "game": saved.game,
        "rules_version": saved.rules,
        "seats": saved.seats,
        "options": saved.options,
        "players": saved.players,
        "deals": [_deal_data(deal, seat) for deal in session.deals],
    }


def _deal_data(deal: Deal, seat: int) -> dict[str, Any]:
    shown = range(deal.game.seats) if seat == ALL else [seat]
    start = deal.at(0)
    plays = [{"seat": mover, "play": word if _is_shown(seat, mover, word) else None} for mover, word in deal.history]
    return {
        "hands": {each: start.view(each).hand() for each in shown},
        "plays": plays,
        "payoff": list(deal.payoff()) if deal.over else None,
    }


def _is_shown(seat: int, mover: int, word: str) -> bool:
    """Whether a play may be named to those who see only what this seat saw."""
    return seat in (ALL, mover) or not is_declaration(word)


def seats_named(players: Sequence[str], seats: int, language: str) -> list[str]:
    """What a record's seats are called: by number, with who played if the record says so."""
    names = [catalogue(TEXTS, language)("seat", number=number) for number in range(seats)]
    return [f"{name} ({player})" for name, player in zip(names, players, strict=False)] or names


class ReplayPoint(NamedTuple):
    """A deal of the session (counted from 0) after some of its plays."""

    deal: int
    plays: int


class Replay:
    """Shows a session from point to point.

    Args:
        session: replayed.
        players: what the record calls those who played.
        seat: whose view is shown; ALL shows every hand.
        language: of the texts.
    """

    def __init__(self, session: Session, players: list[str], seat: int, language: str) -> None:
        self.session, self.seat = session, seat
        self.words = catalogue(TEXTS, language)
        names = seats_named(players, session.game.seats, language)
        self.artist = Artist(session.game.description, language, names, Console(highlight=False))
        self.points = [
            ReplayPoint(number, plays)
            for number, deal in enumerate(session.deals)
            for plays in range(len(deal.history) + 1)
        ]

    def step_through(self) -> None:
        """Go forward and back by key."""
        self._title()
        at = 0
        while at < len(self.points):
            self.artist.console.clear()
            self._show(self.points[at])
            try:
                key = input(self.words("replay.keys") + " › ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                return
            if key == "q":
                return
            at = self._go(at, key)

    def _go(self, at: int, key: str) -> int:
        """The index of the point that a key leads to."""
        starts = [index for index, point in enumerate(self.points) if point.plays == 0]
        if key == "b":
            return max(0, at - 1)
        if key == "n":
            return next((start for start in starts if start > at), len(self.points))
        if key == "p":
            return max((start for start in starts if start < at), default=0)
        return at + 1

    def print_all(self) -> None:
        """Everything from start to end: the hands, what was told of each play, the score sheets."""
        self._title()
        for number, deal in enumerate(self.session.deals):
            self._show(ReplayPoint(number, 0))
            for plays in range(1, len(deal.history) + 1):
                self._tell(ReplayPoint(number, plays))
            self._end(ReplayPoint(number, len(deal.history)))

    def _title(self) -> None:
        game_words, deals = self.artist.game_words, self.words("replay.deals", count=len(self.session.deals))
        title = self.words("replay.title", title=game_words("title"), seats=self.session.game.seats, deals=deals)
        self.artist.say(title, "bold")

    def _at(self, point: ReplayPoint) -> Deal:
        """The deal as it stood at a point, played again."""
        return self.session.deals[point.deal].at(point.plays)

    def _show(self, point: ReplayPoint) -> None:
        deal = self._at(point)
        if point.plays:
            self._tell(point)
        self.artist.console.rule(self.words("play.deal", number=point.deal + 1))
        shown = max(self.seat, 0)
        scene = deal.view(self.seat).scene
        self.artist.console.print(self.artist.table(scene, shown, deal.mover, self.artist.game_words(scene.phase)))
        for seat in range(self.session.game.seats) if self.seat == ALL else [self.seat]:
            hand = deal.view(seat).scene
            self.artist.say(self.artist.names[seat], "bold")
            self.artist.console.print(self.artist.hand(hand, deal.legal() if seat == deal.mover else []))
        self._end(point)

    def _tell(self, point: ReplayPoint) -> None:
        seat, word = self.session.deals[point.deal].history[point.plays - 1]
        before = self._at(ReplayPoint(point.deal, point.plays - 1)).view(self.seat)
        after = self._at(point).view(self.seat)
        lines = after.told_since(before, seat, word)
        if _is_shown(self.seat, seat, word):
            play = self.words("replay.step", number=point.plays, seat=self.artist.names[seat], play=word)
            self.artist.say(play)
            lines = [line for line in lines if line.code.startswith("events.trick")]
        # A declaration of another seat may not be open yet: what is told of it comes from the views alone.
        for line in lines:
            self.artist.tell(line)

    def _end(self, point: ReplayPoint) -> None:
        deal = self.session.deals[point.deal]
        if point.plays < len(deal.history):
            return
        if deal.over:
            self.artist.console.print(self.artist.sheet(deal, point.deal + 1, deal.facts()["totals"]))
        else:
            self.artist.say(self.words("replay.unfinished"), "yellow")
