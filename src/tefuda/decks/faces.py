"""A card's face: the traditional drawing, the learner's index and the accessible marks, each by choice."""

from dataclasses import dataclass

from tefuda.decks.data import Card, Deck, choose
from tefuda.decks.frame import Frame
from tefuda.decks.index import coloured, index, room
from tefuda.decks.notches import BAR, notches
from tefuda.decks.painters import PAINTERS
from tefuda.decks.shapes import Drawing, drawing, fitted, turned
from tefuda.engine.description import nearest
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES

LAYERS = ("traditional", "index", "accessible")


class LayerError(TefudaError):
    """No such layer or language, or no layer at all."""


@dataclass(frozen=True)
class Style:
    """What is drawn.

    Attributes:
        layers: some of ``LAYERS``.
        language: of the short names in the index.
    """

    layers: frozenset[str] = frozenset(("traditional", "index"))
    language: str = "en"

    def __post_init__(self) -> None:
        for layer in self.layers:
            if layer not in LAYERS:
                raise LayerError(f"there is no layer {layer!r}{nearest(layer, LAYERS)}; there are: {', '.join(LAYERS)}")
        if not self.layers:
            raise LayerError(f"a card needs a layer: {', '.join(LAYERS)}")
        if self.language not in LANGUAGES:
            raise LayerError(f"cards have no names in {self.language!r}; they have: {', '.join(LANGUAGES)}")


def face(deck: Deck, card: Card, style: Style) -> Drawing:
    """A card's face in its life size, its upper left corner at the origin.

    Index and notches stand at both ends, the lower ones on their heads; the traditional drawing gets what they leave.
    """
    width, height = deck.size
    marked = "accessible" in style.layers
    end: Drawing = notches(card, deck) if marked else ()
    across, down = 0.0, BAR if marked else 0.0
    if "index" in style.layers:
        end = drawing(end, index(card, width, down, style.language, marked))
        beside, below = room(width)
        across, down = across + beside, down + below
    frame = Frame(across, down, width - 2 * across, height - 2 * down)
    if "traditional" in style.layers:
        body = choose(PAINTERS, deck.painter, f"painter of {deck.name}")(card, frame)
    else:
        body = fitted(coloured(card, marked), frame.middle, frame.centre, frame.width * 0.7, frame.height * 0.7)
    return drawing(body, end, turned(end, 180, width / 2, height / 2))
