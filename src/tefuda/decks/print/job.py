"""The order to print a deck, and the words that stand on the sheets."""

import tomllib
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from tefuda.decks.data import Deck, by_name
from tefuda.decks.faces import Style
from tefuda.decks.sizes import PAPERS, CardSize, Grid, card_size, grid
from tefuda.engine.description import Description
from tefuda.engine.rulebook import Rulebook, rulebook
from tefuda.engine.texts import TEXTS, catalogue

MARGIN = 13.0
"""Millimetres round the sheets with text."""


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parents[1] / "words.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Job:
    """A deck to be printed, and how.

    Attributes:
        game, deck: one of the game's decks.
        style: layers and language.
        paper, size: of ``PAPERS`` and ``tefuda.decks.sizes.SIZES``.
        gutter: True for a strip between the cards, instead of cuts they share.
        backs: True for backs, each sheet's behind it for printing on both sides, turned over the long edge.
        saving: True for outlines instead of a dark ground.
        colour: of their ground, one of ``tefuda.decks.backs.COLOURS``.
    """

    game: Description
    deck: Deck
    style: Style = field(default_factory=Style)
    paper: str = "a4"
    size: str = "life"
    gutter: bool = False
    backs: bool = False
    saving: bool = False
    colour: str = "black"

    @cached_property
    def card(self) -> CardSize:
        """The size of the cards.

        Raises:
            SizeError: no such size.
        """
        return card_size(self.deck, self.size)

    @cached_property
    def grid(self) -> Grid:
        """The places of the cards on a sheet.

        Raises:
            PaperError: no such paper, or the cards do not fit on it.
            SizeError: no such size.
        """
        return grid(self.deck, self.paper, self.size, self.gutter)

    @cached_property
    def rules(self) -> Rulebook:
        """The game's rules; without sections where it brings no text that teaches it."""
        comma = catalogue(TEXTS, self.language)("page.wording.comma")
        return rulebook(self.game, self.language, by_name(self.deck, self.language, comma))

    @property
    def language(self) -> str:
        """The language of the words on the sheets."""
        return self.style.language

    @property
    def sheets(self) -> int:
        """The number of sheets of cards."""
        return -(-len(self.deck.pack) // self.grid.places)

    @property
    def pages(self) -> int:
        """The number of pages: cards, backs, rules, scores."""
        return self.sheets * (2 if self.backs else 1) + (2 if self.rules.sections else 1)

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
