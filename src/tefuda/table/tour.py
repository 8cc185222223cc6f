"""Tours: a fixed deal that is played step by step, with words for a newcomer. Files that anyone can write.

``docs/tours.md`` describes the file. ``load`` finds mistakes in the file itself, ``check`` plays it by the rules."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tefuda import games
from tefuda.engine import toml
from tefuda.engine.description import Description, Fields
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.notation import is_number, seat_and_play
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.engine.toml import Table
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.scenario import begin

FILE_KEYS = ("game", "seats", "options", "seat", "title", "names", "deal", "position", "step")
STEP_KEYS = ("skip", "moves", "show", "play", "ask")
TEXT_KEYS = ("head", "text", "other")

AREAS = ("hand", "middle", "bar", "status", "log", "ranks", "last")
"""Places that a step can point at, beside cards and ``seat:N``; the last three are panels, which it opens."""

MOST_WAYS = 16  #: ways through one tour, where steps let the reader choose

MARK = re.compile(r"\{(.*?)\}|#(\d+)")
"""Placeholders in a text: ``{SQ}`` for a card's name, ``#2`` for a seat's."""


class TourError(TefudaError):
    """A tour that cannot be shown; the message names the file, and the step where there is one."""


@dataclass(frozen=True)
class StepText:
    """A step's words in one language: a heading, the text, and the answer to any other play than the right one."""

    head: str
    text: str
    other: str


@dataclass(frozen=True)
class Step:
    """A step of a tour."""

    skip: tuple[str, ...]  #: plays that are made at once before it, each as ``seat:play``
    moves: tuple[str, ...]  #: plays that are then made one after the other
    show: tuple[str, ...]  #: the places that it points at: ``AREAS``, cards, ``seat:N``
    play: tuple[str, ...]  #: the right plays of the reader, for which the step waits; none if it waits for no play
    ask: str  #: a card that the reader may not play; the step waits until they have asked why
    words: Mapping[str, StepText]  #: by language
    example: bool = False  #: true in an example of a rule: no seat answers by itself, and the reader may try any play


@dataclass(frozen=True, eq=False)
class Tour:
    """A tour from a file, told in the languages of its title; each that is read is one of its own."""

    path: Path
    game: Game
    seat: int  #: the reader's
    start: Fields  #: the file's ``[deal]`` or ``[position]``, as scenario files have them
    title: Mapping[str, str]
    names: Mapping[str, Sequence[str]]  #: of the seats by language; the reader's is empty
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        """Name of its file without the ending."""
        return self.path.stem

    def language(self, wanted: str) -> str:
        """Choose the language in which it is told to a reader of another."""
        return wanted if wanted in self.title else next(each for each in LANGUAGES if each in self.title)

    def deal(self) -> Deal:
        """Deal the cards of the tour; ``TourError`` if they cannot be dealt."""
        file = Table(self.start, str(self.path), TourError)
        with file.errors_named():
            return begin(self.game, file)

    @contextmanager
    def at(self, number: int) -> Iterator[None]:
        """Let an error name the file and this step, counted from 1."""
        with Table({}, f"{self.path}: step {number}", TourError).errors_named():
            yield


# Playing one


class DuePlay(NamedTuple):
    """A seat's play that a step makes; ``at_once`` if it is not shown by itself."""

    seat: int
    word: str
    at_once: bool


def due(deal: Deal, step: Step) -> Iterator[DuePlay]:
    """Yield the plays that a step makes, each of which must be made before the next is asked for.

    As at a table, a seat that has only one answer to what it is asked gives it by itself. ``TefudaError`` if it is
    another's turn."""
    for place, move in enumerate((*step.skip, *step.moves)):
        at_once, (mover, word) = place < len(step.skip), seat_and_play(move)
        while mover != deal.mover and (answer := deal.sole_answer()):
            yield DuePlay(deal.mover, answer, at_once)
        if deal.mover != mover:
            raise TefudaError(f"moves: {move}: {_turn(deal)}")
        yield DuePlay(mover, word, at_once)
    while not step.example and (answer := deal.sole_answer()):
        yield DuePlay(deal.mover, answer, not step.moves)


def _turn(deal: Deal) -> str:
    return "the deal is over" if deal.over else f"it is seat {deal.mover}'s turn"


def expect(step: Step, deal: Deal, seat: int) -> None:
    """Check that what a step waits for can be done now: ``TefudaError`` tells of the wrong turn, play or card."""
    if (step.play or step.ask) and deal.mover != seat:
        raise TefudaError(f"the step waits for seat {seat}, but {_turn(deal)}")
    for word in step.play:
        deal.copy().play(word)
    reason = deal.why_not(step.ask) if step.ask else None
    if step.ask and (reason is None or not reason.rule):
        raise TefudaError(f"ask: {reason or f'{step.ask} is legal'}")


def ways(tour: Tour) -> list[tuple[str, ...]]:
    """List all ways through a tour: for each step that waits for a play, the one that is chosen."""
    return list(product(*(step.play for step in tour.steps if step.play)))


def check(tour: Tour) -> None:
    """Play a tour by the rules, in every way; ``TourError`` names a step whose plays are illegal or out of turn."""
    for way in ways(tour):
        deal, chosen = tour.deal(), iter(way)
        for number, step in enumerate(tour.steps, 1):
            with tour.at(number):
                for play in due(deal, step):
                    deal.play(play.word, play.seat)
                expect(step, deal, tour.seat)
                if step.play:
                    deal.play(next(chosen))


# Reading one


def load(path: Path) -> Tour:
    """Read a tour; ``TourError`` if something in its file will not do."""
    file = toml.read(path, TourError).only(FILE_KEYS)
    with file.errors_named():
        game = Game(games.description(file.text("game")), file.get("seats"), file.table("options"))
    seat = file.value("seat", int, 0)
    if not 0 <= seat < game.seats:
        raise file.error(f"seat: there is no seat {seat!r}")
    title = _by_language(file, "title")
    names = _names(file.table("names"), title, game.seats, seat)
    steps = [_step(step, title, game) for step in file.tables("step")]
    if steps[-1].play:
        raise file.error(f"step {len(steps)}: nothing follows the play that the last step waits for")
    start = {key: file[key] for key in ("deal", "position") if key in file}
    tour = Tour(path, game, seat, start, title, names, tuple(steps))
    if len(ways(tour)) > MOST_WAYS:
        raise file.error(f"there are {len(ways(tour))} ways through it; at most {MOST_WAYS}")
    return tour


def _step(given: Table, title: Mapping[str, str], game: Game) -> Step:
    for key in given:
        if key in LANGUAGES and key not in title:
            raise given.error(f"{key}: the tour has no title in this language")
    given.only((*STEP_KEYS, *title))
    skip, moves, show, play = (tuple(given.words(key, alone=True)) for key in ("skip", "moves", "show", "play"))
    words = {language: _text(given, language, game) for language in title}
    step = Step(skip, moves, show, play, given.text("ask", ""), words)
    if step.play and step.ask:
        raise given.error("give play or ask, not both")
    for key in ("skip", "moves"):
        with given.errors_named(key):
            for move in given.words(key, alone=True):
                seat_and_play(move)
    with given.errors_named("show"):
        for what in step.show:
            _check_shown(what, game)
    return step


def _check_shown(what: str, game: Game) -> None:
    area, _, seat = what.partition(":")
    is_seat = area == "seat" and is_number(seat) and int(seat) < game.seats
    if what not in AREAS and what not in game.description.display.faces and not is_seat:
        raise TourError(f"{what!r} is no card, seat:N, or one of {', '.join(AREAS)}{nearest(what, AREAS)}")


def _text(given: Table, language: str, game: Game) -> StepText:
    if language not in given:
        raise given.error(f"no text in {language!r}")
    words = given.table(language).only(TEXT_KEYS)
    found = StepText(words.text("head"), words.text("text"), words.text("other", ""))
    with words.errors_named():
        for text in (found.head, found.text, found.other):
            _check_text(text, game.description, game.seats)
    return found


def rules_in(text: str, game: Description) -> list[str]:
    """Find the numbers of rules that a text names, existing or not."""
    return re.findall(rf"{game.rules.prefix}-\w*", text, re.ASCII)


def _check_text(text: str, game: Description, seats: int) -> None:
    rules = catalogue(game.files.texts, LANGUAGES[0]).under("rules")
    for rule in rules_in(text, game):
        if rule not in rules:
            raise TourError(f"there is no rule {rule}{nearest(rule, rules)}")
    for card, seat in MARK.findall(text):
        if seat and int(seat) >= seats:
            raise TourError(f"there is no seat {seat}")
        if not seat and card not in game.display.faces:
            raise TourError(f"there is no card {card!r}{nearest(card, game.display.faces)}")


def _names(given: Table, title: Mapping[str, str], seats: int, reader: int) -> dict[str, list[str]]:
    """Read the names of the seats, by language; in the file the reader has no name."""
    found = {}
    for language in title:
        names = given.words(language)
        if len(names) != seats - 1:
            raise given.error(f"{language}: {len(names)} names for the {seats - 1} other seats")
        found[language] = [*names[:reader], "", *names[reader:]]
    return found


def _by_language(given: Table, key: str) -> dict[str, str]:
    found = given.table(key).only(LANGUAGES)
    if not found:
        raise given.error(f"{key}: in no language; there are: {', '.join(LANGUAGES)}")
    return {language: found.text(language) for language in found}
