"""Courses: what a player goes through at a table, such as a game, a tour or problems; in lines or on a full screen."""

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from time import sleep
from typing import Any

from rich.console import Console

from tefuda.cli.decision import COMMANDS, DecisionPrompt, ask
from tefuda.cli.draw import Artist
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import TEXTS, Catalogue, catalogue
from tefuda.table.deal import Deal
from tefuda.table.tour import MARK, DuePlay, Step, Tour, due


class Left(Exception):  # noqa: N818 - not an error: the player has left the table
    """The player wants to stop here."""


@dataclass(frozen=True, eq=False)
class Moment:
    """Position that is shown until the player has answered the question, or for a while if there is none."""

    deal: Deal
    seat: int  #: the player's
    prompt: DecisionPrompt
    title: str
    question: str = ""
    for_play: bool = False  #: true if a play is asked for, else Enter is enough
    seconds: float | None = 0  #: for which it stands without a question; None waits for a key
    cards: Sequence[str] = ()  #: of the hand, pointed at
    last_trick: Sentence | None = None


Course = Generator[Moment | Callable[[], Any], Any, Any]
"""Yields moments, to be sent the answers; and calls that take long, to be sent what they return. Raises ``Left``."""


def in_lines(course: Course, console: Console, *, watched: bool = False) -> None:
    """Go through a course line by line, at its pace if that is ``watched``; ``EOFError`` where the input ends."""
    answer, shown = None, None
    with suppress(StopIteration):
        while True:
            step = course.send(answer)
            if not isinstance(step, Moment):
                answer = step()
            elif step.question:
                if step.for_play and not (step is shown and answer):
                    step.prompt.show(step.deal, step.seat)
                shown, answer = step, ask(console, step.question, step.deal.legal())
            elif watched:
                console.input() if step.seconds is None else sleep(step.seconds)


def take(begin: Callable[[Console], Course], language: str, *, full: bool) -> bool:
    """Go through a course that prints on a console, on the full screen or in lines; tell if it came to its end."""
    if full:
        from tefuda.cli.full_screen.table import TableApp

        return TableApp(begin, language).show()
    console = Console(highlight=False)
    with suppress(Left, EOFError):
        in_lines(begin(console), console)
        return True
    console.print()
    return False


def asked(moment: Moment) -> Generator[Moment, str, str]:
    """Ask until the answer is no question, and return it, a command by its full word; ``Left`` if that is to stop."""
    how = catalogue(TEXTS, moment.prompt.artist.language)("course.help")
    while True:
        answer = yield moment
        found = answer if answer in moment.deal.legal() else COMMANDS.get(answer.lower(), answer)
        if found == "quit":
            raise Left
        if found == "help" or found.startswith("?"):
            moment.prompt.answer_about(moment.deal, found.removeprefix("help")[1:].strip(), how)
        elif found or not moment.for_play:
            return found


# Tours


def tour_course(tour: Tour, language: str, seconds: float | None, console: Console) -> Course:
    """Go through a tour step by step; what others play stands for so many seconds."""
    told, words, game = tour.language(language), catalogue(TEXTS, language), tour.game.description
    names = [name or words("you") for name in tour.names[told]]
    artist = Artist(game, told, names, console)
    moment = partial(Moment, seat=tour.seat, prompt=DecisionPrompt(artist), title=tour.title[told])

    def named(mark: re.Match[str]) -> str:
        card, seat = mark.groups()
        written = card if seat or not card.isdecimal() else game.display.faces[card].written(told).text
        return names[int(seat)] if seat else written  # as sentences have cards: bare numbers need their sign

    deal, own, before = tour.deal(), list[DuePlay](), list[tuple[Deal, list[DuePlay]]]()
    while len(before) < len(tour.steps):
        step, count = tour.steps[len(before)], {"step": len(before) + 1, "steps": len(tour.steps)}
        before.append((deal.copy(), own))
        for seat, word, at_once in chain(own, due(deal, step)):
            view = deal.view(tour.seat)
            deal.play(word, seat)
            for line in deal.view(tour.seat).told_since(view, seat, word):
                artist.tell(line)
                if not at_once:
                    yield moment(deal, seconds=seconds)
        console.rule(words("page.tour.count", **count))
        for text, style in ((step.words[told].head, "bold"), (step.words[told].text, "")):
            artist.say(MARK.sub(named, text.strip()), style)
        enter = "to_table" if len(before) == len(tour.steps) else "go_on"
        asks = moment(deal, question=words(f"course.{enter}"), cards=step.show)
        answer = yield from _answered(step, asks, words, step.words[told].other)
        own = [DuePlay(tour.seat, answer, True)] if answer else []
        if answer == "undo":
            deal, own = before[-2:][0]
            del before[-2:]


def _answered(step: Step, moment: Moment, words: Catalogue, other: str) -> Generator[Moment, str, str]:
    """Ask until a step is done: return the reader's play, nothing if it waits for none, or ``undo`` to go back."""
    deal, prompt, enter = moment.deal, moment.prompt, moment
    if step.play or step.ask:
        moment = replace(moment, question=words("play.your_turn"), for_play=True)
    while (answer := (yield from asked(moment))) != "undo" and moment.for_play:
        word = (step.ask or step.play[0]) if answer == "hint" else prompt.word(deal, answer)
        if not prompt.make(deal.copy(), word):
            moment = enter if word == step.ask else moment
        elif deal.listed(word) in map(deal.listed, step.play):
            return word
        else:
            prompt.artist.say(other or words("page.tour.other"))
    return answer if answer == "undo" else ""
