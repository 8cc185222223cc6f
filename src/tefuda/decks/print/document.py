"""The document: which pages it has, in which order."""

from collections.abc import Callable, Iterator
from functools import partial

from tefuda.decks.fonts import BOLD, REGULAR
from tefuda.decks.print.canvas import Canvas
from tefuda.decks.print.card_sheets import backs, fronts
from tefuda.decks.print.job import Job
from tefuda.decks.print.rules_page import example, rules_page
from tefuda.decks.print.score_page import score_page

Progress = Callable[[int, int], None]
"""Told after every page how many are done, and how many there will be."""

_ALWAYS = "0123456789.,:·- abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WORDS = ("sheet", "scale", "cards", "scores", "deal", "player", "each", "more")


def write(job: Job, progress: Progress = lambda done, pages: None) -> bytes:
    """The PDF, the same bytes every time.

    Raises:
        PaperError: no such paper, or the cards do not fit on it.
        SizeError: no such size.
        TefudaError: there are no rules in this language.
    """
    pages = list(_pages(job))
    canvas = Canvas(job.grid.paper, job.deck.inks, job.title, job.language)
    canvas.use_fonts({"text": (job.language, REGULAR, _said(job)), "strong": (job.language, BOLD, _said(job))})
    for done, draw in enumerate(pages, 1):
        canvas.page()
        draw(canvas)
        progress(done, len(pages))
    return canvas.written()


def _pages(job: Job) -> Iterator[Callable[[Canvas], None]]:
    pack, places = job.deck.pack, job.grid.places
    for number in range(job.sheets):
        cards = pack[number * places : (number + 1) * places]
        yield partial(fronts, job=job, cards=cards, number=number + 1)
        if job.backs:
            yield partial(backs, job=job, count=len(cards))
    if job.rules.sections:
        yield partial(rules_page, job=job)
    yield partial(score_page, job=job)


def _said(job: Job) -> str:
    """Everything that stands on the sheets as text."""
    words = [job.word(key, number=0, count=0, game=job.game.name, example=example(job)) for key in _WORDS]
    names = [suit.names[job.language] for suit in job.deck.suits]
    rules = job.rules
    taught = [text for section in rules.sections for text in (section.heading, *section.paragraphs)]
    return "".join([_ALWAYS, job.title, rules.title, rules.native, rules.summary, *taught, *words, *names])
