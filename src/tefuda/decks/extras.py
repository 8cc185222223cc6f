"""Cards that belong to a printed deck beside those of the game: a title card, the ranks and payments to look up, and
cards of a real pack that the game does not use."""

from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING

from tefuda.decks.faces import WIDE
from tefuda.decks.fonts import BOLD, REGULAR, flowed, lines, row, typeface
from tefuda.decks.shapes import Drawing, drawing
from tefuda.decks.sprite import fan
from tefuda.engine.rulebook import CARDS, Paragraph
from tefuda.engine.texts import TEXTS, catalogue

if TYPE_CHECKING:
    from tefuda.decks.print.sheets import Job

SIZE = 2.12  # of the text in millimetres: six points


def extra_cards(job: "Job") -> dict[str, Drawing]:
    """The cards by name, their upper left corners at the origin; only a title where the game brings no such text."""
    margin = 3.0 if job.card.composed[0] > WIDE else 1.9
    cards = [_title(job, margin), *_references(job, margin)]
    drawn = {
        f"reference-{place}" if place else "title": card.scaled(job.card.scale) for place, card in enumerate(cards)
    }
    return drawn | {word: job.card.front(job.deck, card, job.style) for word, card in job.deck.beside.items()}


def _title(job: "Job", margin: float) -> Drawing:
    """The game's name, for English readers that of its home first, some of the cards, and the game in a sentence."""
    width, height = job.card.composed
    strong, text, title = typeface(job.language, BOLD), typeface(job.language, REGULAR), job.rules.title
    name, below = (job.rules.native, title) if job.language == "en" else (title, "")
    large = min(0.8 * width / strong.width(name, 1.0), height * 0.13)
    y, parts = height * 0.54, [row(name, width / 2, height * 0.18, large, strong)]
    parts.append(fan(job.deck, job.style).fitted(width / 2, height * 0.36, width * 0.8, height * 0.28))
    for said, face, size in ((below, strong, 1.4 * SIZE), (job.rules.summary, text, SIZE)):
        for each in lines(said, face, size, width - 2 * margin):
            y += 1.3 * size
            parts.append(row(each, width / 2, y, size, face))
    return drawing(*parts)


def _references(job: "Job", margin: float) -> list[Drawing]:
    """The suits with their cards in order, and the tables of the cards and of who pays what, or what is said of these
    where there are none; as many cards as it takes."""
    (width, height), deck = job.card.composed, job.deck
    colon, comma = (catalogue(TEXTS, job.language)(f"page.wording.{sign}") for sign in ("colon", "comma"))
    order = (s.names[job.language] + colon + comma.join(c.index for c in deck.of(s)) for s in deck.suits)
    told = {
        s.key: replace(s, paragraphs=[each for each in s.paragraphs if each.rows] or s.paragraphs)
        for s in job.rules.sections
        if s.key in (CARDS, "pay")
    }
    if cards := told.get(CARDS):
        told[CARDS] = replace(cards, heading=job.word("cards"), paragraphs=[*map(Paragraph, order), *cards.paragraphs])
    laid = flowed([*told.values()], job.language, SIZE, width - 2 * margin, repeat(height - 2 * margin - 0.3 * SIZE))
    faces = [typeface(job.language, weight) for weight in (REGULAR, BOLD)]
    return [
        drawing(row(text, margin + x, margin + y, SIZE, faces[bold], middle=False) for x, y, text, bold, _ in column)
        for column in laid
    ]
