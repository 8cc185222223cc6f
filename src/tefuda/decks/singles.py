"""Single cards for printers: faces and back as PNG and SVG with bleed, and a list; pixels need the extra ``decks``."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from tefuda.decks.data import Deck, choose
from tefuda.decks.faces import Style
from tefuda.decks.shapes import Drawing, drawing, rectangle
from tefuda.decks.sizes import BLEED, INCH, LEAST_BLEED, MOST_BLEED, CardSize, SizeError
from tefuda.decks.sprite import document
from tefuda.engine import toml

DOTS = 300  # dots to the inch
OVER = 0.3  # millimetres drawn beyond the bleed, so that no dot at the edge is half white

LIST = "cards.csv"

Progress = Callable[[int, int], None]  # a callback after every card: the number done, and of all


PRINTERS = toml.read(Path(__file__).with_name("printers.toml"))
"""Printers of cards whose sizes are known, by the word for ``--for``."""


def dots(printer: str) -> dict[str, tuple[int, int]]:
    """Width and height in dots that a printer asks for, with the bleed, by size of card, the usual size first;
    ``DeckError`` for no such printer."""
    choose(PRINTERS, printer, "printer of cards")
    return {size: (wide, high) for size, (wide, high) in PRINTERS.table(printer).items()}


@dataclass(frozen=True)
class Singles:
    """A deck's cards one by one: ``colour`` is that of the back, one of ``tefuda.decks.backs.COLOURS``."""

    deck: Deck
    style: Style
    size: CardSize
    colour: str = "black"

    def write_folder(self, folder: Path, bleed: float = BLEED, progress: Progress = lambda done, cards: None) -> None:
        """Write ``png/T9.png`` and ``svg/T9.svg`` for every card, ``back`` among them, and the list, into a folder that
        is made if it is not there, ``bleed`` millimetres beyond the cut on every side.

        ``SizeError`` if such a bleed is not printed; ``ModuleNotFoundError`` without the packages that draw pixels."""
        if not LEAST_BLEED <= bleed <= MOST_BLEED:
            raise SizeError(f"a bleed of {bleed:g} mm: it must be from {LEAST_BLEED:g} to {MOST_BLEED:g} mm")
        for kind in ("png", "svg"):
            (folder / kind).mkdir(parents=True, exist_ok=True)
        width, height = (side + 2 * bleed for side in self.size.sides)
        dots = round(width / INCH * DOTS), round(height / INCH * DOTS)
        drawings = self._drawings(bleed)
        for done, (word, parts) in enumerate(drawings.items(), 1):
            svg = document(_centred(parts, self.size, (width, height)), width, height, self._inks, self._name(word))
            (folder / "svg" / f"{word}.svg").write_text(svg, "utf-8", newline="\n")
            (folder / "png" / f"{word}.png").write_bytes(self._picture(parts, dots))
            progress(done, len(drawings))
        (folder / LIST).write_text(self._list("png/"), "utf-8", newline="\n")

    def packed(self, dots: tuple[int, int], progress: Progress = lambda done, cards: None) -> bytes:
        """A ZIP with a picture of exactly so many dots for every card and the back, and the list; always the same."""
        bleed = max(dots[side] * INCH / DOTS - self.size.sides[side] for side in (0, 1)) / 2
        drawings, written = self._drawings(bleed), BytesIO()
        with ZipFile(written, "w") as packed:
            for done, (word, parts) in enumerate(drawings.items(), 1):
                packed.writestr(ZipInfo(f"{word}.png"), self._picture(parts, dots))
                progress(done, len(drawings))
            packed.writestr(ZipInfo(LIST), self._list())
        return written.getvalue()

    @property
    def _inks(self) -> dict[str, str]:
        return {**self.deck.inks, "paper": "#ffffff"}

    def _name(self, word: str) -> str:
        return self.deck.cards[word].names[self.style.language] if word in self.deck.cards else ""

    def _drawings(self, bleed: float) -> dict[str, Drawing]:
        """What is drawn, by the name of its file."""
        beyond = bleed + OVER if bleed else 0.0
        fronts = {word: self.size.front(self.deck, card, self.style, beyond) for word, card in self.deck.cards.items()}
        return {**fronts, "back": self.size.back(self.deck, bleed=beyond, colour=self.colour)}

    def _picture(self, parts: Drawing, dots: tuple[int, int]) -> bytes:
        whole = _centred(parts, self.size, (dots[0] * INCH / DOTS, dots[1] * INCH / DOTS))
        return _pixels(document(whole.scaled(DOTS / INCH), *dots, self._inks, unit=""))

    def _list(self, folder: str = "") -> str:
        """The list for printers: the number of each card in a pack, its name and its files."""
        text = StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["card", "copies", "name", "front", "back"])
        for word, card in self.deck.cards.items():
            table.writerow([word, card.copies, self._name(word), f"{folder}{word}.png", f"{folder}back.png"])
        return text.getvalue()


def _centred(parts: Drawing, size: CardSize, sides: tuple[float, float]) -> Drawing:
    """A card in the middle of white paper of this width and height."""
    (width, height), (across, down) = sides, size.sides
    ground = rectangle(-OVER, -OVER, width + 2 * OVER, height + 2 * OVER, fill="paper")
    return drawing(ground, parts.moved((width - across) / 2, (height - down) / 2))


def _pixels(svg: str) -> bytes:
    """A picture of as many dots as the drawing has units, which says its resolution."""
    import resvg_py
    from PIL import Image

    drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg, dpi=96, skip_system_fonts=True))
    written = BytesIO()
    Image.open(BytesIO(drawn)).convert("RGB").save(written, "PNG", dpi=(DOTS, DOTS), optimize=True)
    return written.getvalue()
