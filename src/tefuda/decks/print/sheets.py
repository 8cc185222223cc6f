"""A deck to be printed: sheets of cards with crop marks and a ruler, backs that meet them, the rules, a score sheet."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain, repeat
from pathlib import Path

from tefuda.decks.data import Deck, Suit, by_name
from tefuda.decks.faces import WIDE, Style, corner_of, face
from tefuda.decks.fonts import BOLD, REGULAR, Line, flowed, lines, row, typeface
from tefuda.decks.print.pdf import Canvas
from tefuda.decks.shapes import Drawing, drawing, line, rectangle
from tefuda.decks.sizes import PAPERS, CardSize, Grid, card_size, grid
from tefuda.decks.sprite import fan
from tefuda.engine.description import Description
from tefuda.engine.rulebook import CARDS, CODES, Paragraph, Rulebook, Section, rulebook
from tefuda.engine.texts import TEXTS, catalogue

MARGIN = 13.0  # millimetres round the sheets with text


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parents[1] / "words.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Job:
    """A deck to be printed, and how."""

    game: Description
    deck: Deck
    style: Style = field(default_factory=Style)
    paper: str = "a4"  # one of ``PAPERS``
    size: str = "life"  # one of ``tefuda.decks.sizes.SIZES``
    gutter: bool = False  # a strip between the cards, instead of cuts they share
    backs: bool = False  # each sheet's behind it for printing on both sides, turned over the long edge
    saving: bool = False  # outlines instead of a dark ground
    colour: str = "black"  # of the backs' ground, one of ``tefuda.decks.backs.COLOURS``

    @cached_property
    def card(self) -> CardSize:
        """The size of the cards; ``SizeError`` if there is none of this name."""
        return card_size(self.deck, self.size)

    @cached_property
    def grid(self) -> Grid:
        """The places of the cards on a sheet; errors as in ``tefuda.decks.sizes.grid``."""
        return grid(self.deck, self.paper, self.size, self.gutter)

    @cached_property
    def rules(self) -> Rulebook:
        """The game's rules; without sections where it brings no text that teaches it."""
        comma = catalogue(TEXTS, self.language)("page.wording.comma")
        return rulebook(self.game, self.language, by_name(self.deck, self.language, comma))

    @cached_property
    def extras(self) -> dict[str, Drawing]:
        """The cards that explain the game by name, their upper left corners at the origin; only a title where the game
        brings no such text."""
        margin = 3.0 if self.card.composed[0] > WIDE else 1.9
        cards = [_title(self, margin), *_references(self, margin)]
        names = ["title", *(f"reference-{place}" for place in range(1, len(cards)))]
        drawn = {name: card.scaled(self.card.scale) for name, card in zip(names, cards, strict=True)}
        return drawn | {word: self.card.front(self.deck, card, self.style) for word, card in self.deck.beside.items()}

    @cached_property
    def told(self) -> list[Section]:
        """The sections that teach the game, without codes, since on paper nobody types; last what the signs say."""
        sections = [section for section in self.rules.sections if section.key != CODES]
        if self.rules.sources:
            signs = Paragraph(catalogue(TEXTS, self.language)("rulebook.marks"))
            sections[-1] = replace(sections[-1], paragraphs=[*sections[-1].paragraphs, signs])
        return sections

    @cached_property
    def booklet(self) -> list[list[list[Line]]]:
        """The text that teaches the game, two columns a page; empty where there is none."""
        width, whole = (self.width - 2 * MARGIN - BETWEEN) / 2, self.height - 2 * MARGIN
        first = self.height - MARGIN - _strips(self)[2] - 4.0
        laid = flowed(self.told, self.language, TEXT, width, chain([first, first], repeat(whole)), TEXT)
        return [laid[at : at + 2] for at in range(0, len(laid), 2)]

    @property
    def faces(self) -> list[str]:
        """All faces on the sheets by name: the words of the pack, then ``extras``."""
        return [*(card.word for card in self.deck.pack), *self.extras]

    @property
    def language(self) -> str:
        """The language of the words on the sheets."""
        return self.style.language

    @property
    def sheets(self) -> int:
        """The number of sheets of cards."""
        return -(-len(self.faces) // self.grid.places)

    @property
    def pages(self) -> int:
        """The number of pages: cards, backs, rules, scores."""
        return self.sheets * (2 if self.backs else 1) + len(self.booklet) + 1

    @property
    def width(self) -> float:
        """Width of the paper in millimetres."""
        return PAPERS[self.paper][0]

    @property
    def height(self) -> float:
        """Height of the paper in millimetres."""
        return PAPERS[self.paper][1]

    @property
    def title(self) -> str:
        """Deck and game, as the sheets name them."""
        return self.word("title", deck=self.deck.titles[self.language], game=self.rules.title)

    def word(self, key: str, **fields: object) -> str:
        """A word of the printed sheets."""
        return _words()[key][self.language].format(**fields)


# Cards that belong to a printed deck beside those of the game: a title card, the ranks and payments to look up, and
# cards of a real pack that the game does not use

SMALL = 2.12  # size of their text in millimetres: six points


def _title(job: Job, margin: float) -> Drawing:
    """The game's name, for English readers that of its home first, some of the cards, and the game in a sentence."""
    width, height = job.card.composed
    strong, text, title = typeface(job.language, BOLD), typeface(job.language, REGULAR), job.rules.title
    name, below = (job.rules.native, title) if job.language == "en" else (title, "")
    large = min(0.8 * width / strong.width(name, 1.0), height * 0.13)
    y, parts = height * 0.54, [row(name, width / 2, height * 0.18, large, strong)]
    parts.append(fan(job.deck, job.style).fitted(width / 2, height * 0.36, width * 0.8, height * 0.28))
    for said, weight, size in ((below, strong, 1.4 * SMALL), (job.rules.summary, text, SMALL)):
        for each in lines(said, weight, size, width - 2 * margin):
            y += 1.3 * size
            parts.append(row(each, width / 2, y, size, weight))
    return drawing(*parts)


def _references(job: Job, margin: float) -> list[Drawing]:
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
    laid = flowed([*told.values()], job.language, SMALL, width - 2 * margin, repeat(height - 2 * margin - 0.3 * SMALL))
    faces = [typeface(job.language, weight) for weight in (REGULAR, BOLD)]
    return [
        drawing(row(text, margin + x, margin + y, SMALL, faces[bold], middle=False) for x, y, text, bold, _ in column)
        for column in laid
    ]


# The document

Progress = Callable[[int, int], None]  # a callback after every page: the number done, and of all

_ALWAYS = "0123456789.,:·- abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def write(job: Job, progress: Progress = lambda done, pages: None) -> bytes:
    """The PDF, the same bytes every time. ``PaperError`` or ``SizeError`` for no such paper or size, or if the cards do
    not fit on it; ``TefudaError`` if there are no rules in this language."""
    pages = list(_pages(job))
    canvas = Canvas(job.grid.paper, job.deck.inks, job.title, job.language, _said(job))
    for done, draw in enumerate(pages, 1):
        if done > 1:
            canvas.next_page()
        draw(canvas)
        progress(done, len(pages))
    return canvas.written()


def _pages(job: Job) -> Iterator[Callable[[Canvas], None]]:
    faces, places = job.faces, job.grid.places
    for number in range(job.sheets):
        cards = faces[number * places : (number + 1) * places]
        yield partial(fronts, job=job, names=cards, number=number + 1)
        if job.backs:
            yield partial(backs, job=job, count=len(cards))
    for number in range(len(job.booklet)):
        yield partial(rules_page, job=job, number=number)
    yield partial(score_page, job=job)


def _said(job: Job) -> str:
    """All characters of the texts on the sheets."""
    words = [word[job.language] for word in _words().values()]
    names = [suit.names[job.language] for suit in job.deck.suits]
    taught = [text for part in job.told for text in (part.heading, *(each.text for each in part.paragraphs))]
    said = [_ALWAYS, job.title, job.rules.title, job.rules.native, job.rules.summary, *taught, *words, *names]
    return "".join(said).replace("\n", "")


# Sheets

MARK, OFF, UNPRINTED = 3.5, 1.2, 3.0
"""Length of a crop mark, how far it stays from the cards and at least from the paper's edge, in millimetres."""

RULER = 100.0
BELOW = 13.0  # millimetres that ruler and title need under the cards; else the ruler stands beside them


def fronts(canvas: Canvas, job: Job, names: list[str], number: int) -> None:
    """A sheet of faces."""
    for place, name in enumerate(names):
        card = job.deck.cards.get(name)
        drawn = job.card.front(job.deck, card, job.style) if card else job.extras[name]
        canvas.stamp(f"front-{name}", drawing(drawn, _outline(job)), job.card.sides, job.grid.spot(place))
    canvas.draw(_marks(job.grid))
    _foot(canvas, job, f"{job.title} · {job.word('sheet', number=number, count=job.sheets)}")


def backs(canvas: Canvas, job: Job, count: int) -> None:
    """The backs of a sheet, where they stand when it is turned over its long edge."""
    drawn = job.card.back(job.deck, job.saving, colour=job.colour)
    for place in range(count):
        canvas.stamp("back", drawn, job.card.sides, job.grid.spot(place, mirrored=True))


def _outline(job: Job) -> Drawing:
    """The card's edge with its round corners, in a line too fine to be seen on a card that is cut."""
    (width, height), corner = job.card.sides, corner_of(job.deck, job.card.composed) * job.card.scale
    return drawing(rectangle(0, 0, width, height, corner, line="#b0b0b0", width=0.08))


def _marks(where: Grid) -> Drawing:
    """Crop marks, outside the cards only."""
    across, down = where.cuts()
    left, top = where.corner
    right, bottom = left + where.extent[0], top + where.extent[1]
    down_to = min(MARK, top - OFF - UNPRINTED)
    ends = [(top - OFF, -down_to), (bottom + OFF, down_to)]
    sides = [(left - OFF, -MARK), (right + OFF, MARK)]
    marks = [line((x, y), (x, y + reach), width=0.15) for x in across for y, reach in ends]
    marks += [line((x, y), (x + reach, y), width=0.15) for y in down for x, reach in sides]
    return drawing(*marks)


def _foot(canvas: Canvas, job: Job, said: str) -> None:
    """The ruler to check the scale by, and what this sheet is."""
    where = job.grid
    bottom = where.corner[1] + where.extent[1] + OFF + MARK
    if job.height - bottom >= BELOW - OFF - MARK:
        left, y = where.corner[0] + 6.0, bottom + 3.6
        canvas.draw(_ruler().moved(left, y))
        canvas.text(left + RULER + 2.5, y, job.word("scale"), "text", 2.3, 0.3)
        canvas.text(left, y + 3.4, said, "text", 2.4, 0.2)
        return
    x, top = where.corner[0] + where.extent[0] + OFF + MARK + 2.5, (job.height - RULER) / 2
    canvas.draw(_ruler().turned(90).moved(x, top))
    canvas.upwards(x + 5.0, top + RULER, f"{said} · {job.word('scale')}", "text", 2.3, 0.3)


def _ruler() -> Drawing:
    """A ruler from the origin to the right, its marks upwards."""
    heights = {mm: 2.2 if mm % 50 == 0 else 1.5 if mm % 10 == 0 else 0.9 for mm in range(0, 101, 5)}
    marks = (line((mm, 0), (mm, -high), width=0.15) for mm, high in heights.items())
    return drawing(line((0, 0), (RULER, 0), width=0.2), *marks)


# Pages of text: the rules with the cards in their order, in two columns; the score sheet

BETWEEN = 7.0  # millimetres between the columns
TEXT = 3.2  # size of the text in millimetres: nine points
DEALS, HIGHEST = 24, 14.0  # lines of the score sheet where no game has a number of deals; their height at most
FIRST = 13.0  # width of the columns with the deals' numbers and with who deals, in millimetres


def rules_page(canvas: Canvas, job: Job, number: int) -> None:
    """Draw a page of the rules, paragraphs with a red square before each; the first begins with the cards."""
    top = _strips(job)[2] + 4.0 if number == 0 else MARGIN
    if number == 0:
        _rules_head(canvas, job)
    for x, column in zip((MARGIN, (job.width + BETWEEN) / 2), job.booklet[number], strict=False):
        for right, y, text, heading, first in column:
            if first and not heading:
                canvas.draw(drawing(rectangle(x, top + y - TEXT * 0.54, TEXT * 0.42, TEXT * 0.42, fill="red")))
            canvas.text(x + right + (0.0 if heading else TEXT), top + y, text, "strong" if heading else "text", TEXT)


def _rules_head(canvas: Canvas, job: Job) -> None:
    book, y = job.rules, MARGIN + 7.0
    canvas.text(MARGIN, y, book.title, "strong", 8.0)
    if book.native != book.title:
        beside = MARGIN + typeface(job.language, BOLD).width(book.title, 8.0) + 4.0
        canvas.text(beside, y, book.native, "text", 4.5, 0.35)
    for each in _summary(job):
        y += 5.2
        canvas.text(MARGIN, y, each, "text", 3.4, 0.15)
    canvas.text(MARGIN, y + 7.0, job.word("cards"), "text", 2.6, 0.35)
    size, strips, bottom = _strips(job)
    for suit, corner in strips:
        _strip(canvas, job, suit, corner, size)
    canvas.draw(drawing(line((MARGIN, bottom), (job.width - MARGIN, bottom), width=0.3)))


def _summary(job: Job) -> list[str]:
    return lines(job.rules.summary, typeface(job.language, REGULAR), 3.4, job.width - 2 * MARGIN)


def _strips(job: Job) -> tuple[float, list[tuple[Suit, tuple[float, float]]], float]:
    """Scale of the cards, every suit's place with its cards in their order, and where they end."""
    own, suits = job.deck.size, job.deck.suits
    half = (job.width - 2 * MARGIN - BETWEEN) / 2
    most = max(len(job.deck.of(suit)) for suit in suits)
    size = min(half / most / (own[0] + 1.0), 24.0 / own[1])
    x, y, high = MARGIN, MARGIN + 16.0 + 5.2 * len(_summary(job)), own[1] * size + 6.5
    placed = []
    for suit in suits:
        name = typeface(job.language, BOLD).width(_name(job, suit), 2.9)
        wide = max(len(job.deck.of(suit)) * (own[0] + 1.0) * size, name)
        if x + wide > job.width - MARGIN + 1.0:
            x, y = MARGIN, y + high
        placed.append((suit, (x, y)))
        x += wide + BETWEEN
    return size, placed, y + high


def _name(job: Job, suit: Suit) -> str:
    """A suit's name, with its letter if the cards show it."""
    name = suit.names[job.language]
    return f"{suit.letter} · {name}" if "accessible" in job.style.layers else name


def _strip(canvas: Canvas, job: Job, suit: Suit, corner: tuple[float, float], size: float) -> None:
    (x, y), (width, height) = corner, job.deck.size
    style = Style(frozenset(("traditional", "index")), job.language)
    canvas.text(x, y + 2.8, _name(job, suit), "strong", 2.9)
    rim = rectangle(0, 0, width, height, job.deck.corner, line="#9a9a9a", width=0.4)
    for place, card in enumerate(job.deck.of(suit)):
        spot = x + place * (width + 1.0) * size, y + 4.0
        canvas.stamp(f"strip-{card.word}", drawing(rim, face(job.deck, card, style)), job.deck.size, spot, size)


def score_page(canvas: Canvas, job: Job) -> None:
    """Draw the score sheet: a line for every deal of a game, who deals it, two halves for every player."""
    usual = job.game.rules.option_by_name.get("session_deals")
    deals = int(usual.default) if usual and usual.default else DEALS
    canvas.text(MARGIN, MARGIN + 6.0, f"{job.rules.title} · {job.word('scores')}", "strong", 6.0)
    canvas.text(MARGIN, MARGIN + 11.5, job.word("each"), "text", 3.0, 0.25)
    players, right = max(job.game.seats), job.width - MARGIN
    top = MARGIN + 16.0
    down = min((job.height - top - MARGIN) / (deals + 1.4), HIGHEST)
    across = (right - MARGIN - 2 * FIRST) / players
    head = top + 1.4 * down
    bottom = head + deals * down
    table = [line((MARGIN, y), (right, y), width=0.5) for y in (top, head)]
    table.append(line((MARGIN + FIRST, top), (MARGIN + FIRST, bottom), width=0.35))
    for number in range(1, deals + 1):
        y = head + number * down
        table.append(line((MARGIN, y), (right, y), width=0.4 if number % 4 == 0 else 0.15))
        canvas.text(MARGIN + 3.0, y - down * 0.32, str(number), "text", 3.0, 0.25)
    for player in range(players):
        x = MARGIN + 2 * FIRST + player * across
        table.append(line((x, top), (x, bottom), width=0.35))
        table.append(line((x + across / 2, head), (x + across / 2, bottom), ink="#999999", width=0.12))
        canvas.text(x + 1.2, top + 3.4, f"{job.word('player')} {player + 1}", "text", 2.4, 0.4)
    for place, key in enumerate(("deal", "dealer")):
        canvas.text(MARGIN + place * FIRST + 1.0, head - 2.0, job.word(key), "text", 3.0, 0.25)
    canvas.draw(drawing(*table))
