"""Single cards for printers: faces and back as PNG and SVG with bleed, and a list; pixels need the extra ``decks``."""

import csv
from collections.abc import Callable, Mapping
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

DOTS_BY_PRINTER = toml.read(Path(__file__).with_name("printers.toml"))  # the dots that they ask for, by size of card

Progress = Callable[[int, int], None]  # a callback after every card: the number done, and of all


def write_cards(
    deck: Deck,
    style: Style,
    size: CardSize,
    folder: Path,
    bleed: float = BLEED,
    progress: Progress = lambda done, all_cards: None,
    colour: str = "black",
    extras: Mapping[str, Drawing] | None = None,
) -> None:
    """Write ``png/T9.png`` and ``svg/T9.svg`` for every card, back and extras among them, and the list, into a folder
    that is made if it is not there.

    The cards have this size as they are cut, and ``bleed`` millimetres beyond the cut on every side. ``progress`` is
    told after every card; ``colour`` is that of the back, one of ``tefuda.decks.backs.COLOURS``. ``SizeError`` if such
    a bleed is not printed; ``ModuleNotFoundError`` if the packages that draw pixels are not installed."""
    if not LEAST_BLEED <= bleed <= MOST_BLEED:
        raise SizeError(f"a bleed of {bleed:g} mm: it must be from {LEAST_BLEED:g} to {MOST_BLEED:g} mm")
    beyond = bleed + OVER if bleed else 0.0
    drawings = {word: size.front(deck, card, style, beyond) for word, card in deck.cards.items()}
    drawings |= extras or {}
    drawings["back"] = size.back(deck, bleed=beyond, colour=colour)
    names = {word: card.names[style.language] for word, card in deck.cards.items()}
    for kind in ("png", "svg"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    width, height = (side + 2 * bleed for side in size.sides)
    dots = round(width / INCH * DOTS), round(height / INCH * DOTS)
    inks = {**deck.inks, "paper": "#ffffff"}
    for done, (word, parts) in enumerate(drawings.items(), 1):
        svg = document(_centred(parts, size, (width, height)), width, height, inks, names.get(word, ""))
        (folder / "svg" / f"{word}.svg").write_text(svg, "utf-8", newline="\n")
        whole = _centred(parts, size, (dots[0] * INCH / DOTS, dots[1] * INCH / DOTS))
        png = _pixels(document(whole.scaled(DOTS / INCH), *dots, inks, unit=""))
        (folder / "png" / f"{word}.png").write_bytes(png)
        progress(done, len(drawings))
    (folder / LIST).write_text(_list(deck, style, extras or {}), "utf-8", newline="\n")


def bleed_for(printer: str, size: str, width: float) -> float:
    """The bleed in millimetres of a printer's pictures of such cards, so wide; ``DeckError`` if they cut none."""
    asked = choose(choose(DOTS_BY_PRINTER, printer, "printer of cards"), size, f"sizes that {printer} cuts")
    return float(asked[0] * INCH / DOTS - width) / 2


def pack(folder: Path, file: Path) -> None:
    """Write pictures and list of a folder as a ZIP, always the same bytes."""
    with ZipFile(file, "w") as packed:
        for path in (*sorted(folder.glob("png/*")), folder / LIST):
            packed.writestr(ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes())


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


def _list(deck: Deck, style: Style, extras: Mapping[str, Drawing]) -> str:
    """The list for printers: the number of each card in a pack, its name and its files."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["card", "copies", "name", "front", "back"])
    rows = [(word, card.copies, card.names[style.language]) for word, card in deck.cards.items()]
    for word, *row in (*rows, *((name, 1, name) for name in extras)):
        table.writerow([word, *row, f"png/{word}.png", "png/back.png"])
    return text.getvalue()
