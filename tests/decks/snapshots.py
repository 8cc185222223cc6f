"""One card of each deck as SVG text, kept to show in review what a change does to the drawings.

Run as a module to write them anew: ``uv run python -m tests.decks.snapshots``."""

from functools import cache
from pathlib import Path

from tefuda import games
from tefuda.decks.data import load
from tefuda.decks.faces import LAYERS, Style, face
from tefuda.decks.sprite import document

FOLDER = Path(__file__).parent / "snapshots"
CARDS = {
    ("gong-zhu", "poker"): "D7",
    ("kakkuri", "komatsu"): "H4",
    ("kakkuri", "western"): "CA",
    ("luk-fu", "six-tigers"): "T9",
    ("luk-fu", "woodcut"): "K8",
    ("ma-diao", "heroes"): "T4",
    ("sap-ng-wu", "dominoes"): "24",
}


@cache
def snapshots() -> dict[str, str]:
    """The texts by name."""
    found = {}
    for (game, name), word in CARDS.items():
        deck = load(games.description(game), name)
        card = deck.cards[word]
        parts = face(deck, card, Style(frozenset(LAYERS), "ja"))
        text = document(parts, *deck.size, deck.inks, card.names["ja"]).replace("><", ">\n<")
        found[f"{name}-{word}"] = text
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in snapshots().items():
        (FOLDER / f"{name}.svg").write_text(text, "utf-8", newline="\n")
