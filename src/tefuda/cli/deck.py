"""``tefuda deck``: the cards of a game listed, drawn as SVG, or printed to cut out."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from tefuda import games
from tefuda.cli.json_output import print_json
from tefuda.cli.settings import language_of
from tefuda.decks import data
from tefuda.decks.backs import COLOURS
from tefuda.decks.data import Deck, choose
from tefuda.decks.faces import LAYERS, Style
from tefuda.decks.paper import grid
from tefuda.decks.sizes import BLEED, card_size
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.files import whole


@dataclass(frozen=True)
class Files:
    """What is to be written, and where to; None for what is not."""

    pdf: Path | None = None
    svg: Path | None = None
    sheet: Path | None = None
    cards: Path | None = None
    box: Path | None = None


@dataclass(frozen=True)
class Sheets:
    """How it is to be printed; None is the usual."""

    paper: str | None = None
    size: str | None = None
    bleed: float | None = None
    thickness: float | None = None
    gutter: bool = False
    backs: bool = False
    saving: bool = False
    colour: str | None = None


def style(layers: str, language: str | None, *, printed: bool) -> Style:
    """Layers joined by commas, or ``all``, and a language, which may have to be ``printed``.

    Raises:
        TefudaError: no such layer or language.
    """
    found = frozenset(layer.strip() for layer in layers.split(",") if layer.strip())
    return Style(frozenset(LAYERS) if found == {"all"} else found, language_of(language, printed=printed))


def run(name: str, deck_name: str, style: Style, files: Files, sheets: Sheets, as_json: bool = False) -> None:
    """List a deck, or draw it.

    Raises:
        TefudaError: no such game, deck, paper or size; a file of another kind than is written; an option of something
            that is not written; or the packages that draw are not installed.
    """
    for option, file, kind in (
        ("--output", files.pdf, ".pdf"),
        ("--sheet", files.sheet, ".svg"),
        ("--box", files.box, ".pdf"),
    ):
        if file and file.suffix.lower() != kind:
            raise TefudaError(f"{option}: {file.name} does not end in {kind}, which is what is written")
    game = games.description(name)
    deck = data.load(game, deck_name)
    check(deck, files, sheets)
    if as_json:
        print_json(listed(game, deck))
    if files.svg:
        draw_files(deck, style, files.svg)
    if files.sheet:
        draw_sheet(deck, style, files.sheet)
    if files.cards:
        draw_cards(deck, style, files.cards, sheets)
    if files.pdf:
        print_pdf(game, deck, style, files.pdf, sheets)
    if files.box:
        print_box(game, deck, style, files.box, sheets)
    if files == Files() and not as_json:
        show(game, deck, style.language)


def check(deck: Deck, files: Files, sheets: Sheets) -> None:
    """Whether there is such a paper, size and colour, and whether each option belongs to something that is written.

    Raises:
        TefudaError: not so.
    """
    grid(deck, sheets.paper or "a4", sheets.size or "life", sheets.gutter)
    choose(COLOURS, sheets.colour or "black", "colour of a back")
    belongs: dict[str, tuple[object, dict[str, Path | None]]] = {
        "--paper": (sheets.paper, {"-o FILE.pdf": files.pdf, "--box FILE.pdf": files.box}),
        "--size": (sheets.size, {"-o FILE.pdf": files.pdf, "--cards FOLDER": files.cards, "--box FILE.pdf": files.box}),
        "--bleed": (sheets.bleed is not None, {"--cards FOLDER": files.cards}),
        "--thickness": (sheets.thickness is not None, {"--box FILE.pdf": files.box}),
        "--gutter": (sheets.gutter, {"-o FILE.pdf": files.pdf}),
        "--ink-saving": (sheets.saving, {"-o FILE.pdf": files.pdf}),
        "--backs": (sheets.backs, {"-o FILE.pdf": files.pdf}),
        "--back-colour": (
            sheets.colour,
            {"-o FILE.pdf": files.pdf, "--cards FOLDER": files.cards, "--box FILE.pdf": files.box},
        ),
    }
    for option, (given, uses) in belongs.items():
        if given and not any(uses.values()):
            raise TefudaError(f"{option} says how to print, but nothing is printed: add {' or '.join(uses)}")


def listed(game: Description, deck: Deck) -> dict[str, Any]:
    """The cards for programs, with what they are called in every language."""
    return {
        "game": game.name,
        "deck": deck.name,
        "decks": [path.stem for path in game.files.decks],
        "titles": deck.titles,
        "size": deck.size,
        "cards": [
            {
                "word": card.word,
                "names": card.names,
                "readings": card.readings,
                "seal": card.seal,
                "copies": card.copies,
            }
            for card in deck.cards.values()
        ],
    }


def show(game: Description, deck: Deck, language: str) -> None:
    """The cards with what they are called."""
    console = Console(highlight=False)
    others = [path.stem for path in game.files.decks if path.stem != deck.name]
    also = f" (also: --deck {', '.join(others)})" if others else ""
    size = f"{deck.size[0]:g} × {deck.size[1]:g} mm"
    console.print(f"{deck.titles[language]}: {len(deck.pack)} cards, {size}{also}", style="bold")
    table = Table.grid(padding=(0, 2, 0, 0))
    for card in deck.cards.values():
        copies = f"× {card.copies}" if card.copies > 1 else ""
        table.add_row(card.word, card.names[language], card.readings.get(language, ""), card.seal, copies)
    console.print(table)


def draw_files(deck: Deck, style: Style, folder: Path) -> None:
    """Every card and the back as a file, the sprite, the names, the font they need on a page, and its licence."""
    from tefuda.decks.backs import back
    from tefuda.decks.faces import face
    from tefuda.decks.fonts import LICENCE, REGULAR, typeface
    from tefuda.decks.shapes import drawing
    from tefuda.decks.sprite import edge, sprite
    from tefuda.decks.svg import document

    folder.mkdir(parents=True, exist_ok=True)
    for card in deck.cards.values():
        parts = drawing(edge(deck), face(deck, card, style))
        _write(folder / f"{card.word}.svg", document(parts, *deck.size, deck.inks, card.names[style.language]))
    _write(folder / "back.svg", document(drawing(edge(deck), back(deck)), *deck.size, deck.inks))
    whole = sprite(deck, style)
    _write(folder / whole.name, whole.text)
    names = {word: {"names": dict(card.names), "readings": dict(card.readings)} for word, card in deck.cards.items()}
    about = {"deck": deck.name, "size": deck.size, "sprite": whole.name, "cards": names}
    _write(folder / "cards.json", json.dumps(about, ensure_ascii=False, indent=1) + "\n")
    said = "".join(card.names[style.language] + card.readings.get(style.language, "") for card in deck.cards.values())
    (folder / f"names-{style.language}.woff2").write_bytes(typeface(style.language, REGULAR).subset(said, "woff2"))
    _write(folder / LICENCE.name, LICENCE.read_text("utf-8"))
    _say(f"{len(deck.cards)} cards, their back and the sprite {whole.name} are in {folder}")


def draw_sheet(deck: Deck, style: Style, file: Path) -> None:
    """The contact sheet."""
    from tefuda.decks.contact import contact_sheet
    from tefuda.decks.svg import document

    parts, width, height = contact_sheet(deck, style)
    _write(file, document(parts, width, height, deck.inks, deck.titles[style.language]))
    _say(f"all cards side by side: {file}")


def draw_cards(deck: Deck, style: Style, folder: Path, sheets: Sheets) -> None:
    """Single cards for printers."""
    from tefuda.decks import singles

    size = card_size(deck, sheets.size or "life")
    bleed = BLEED if sheets.bleed is None else sheets.bleed
    with _bar("cards") as progress:
        singles.write_cards(deck, style, size, folder, bleed, progress, sheets.colour or "black")
    width, height = (f"{side:g}" for side in size.sides)
    _say(
        f"{folder}: {len(deck.cards)} faces and the back as PNG ({singles.DOTS} dpi) and SVG, "
        f"{width} × {height} mm and {bleed:g} mm of bleed; {singles.LIST} says how many of each make a pack"
    )


def print_pdf(game: Description, deck: Deck, style: Style, file: Path, sheets: Sheets) -> None:
    """Sheets of cards, rules and scores as a PDF."""
    with _bar("pages") as progress:
        from tefuda.decks.print import Job, write

        job = Job(game, deck, style, sheets.paper or "a4", sheets.size or "life", sheets.gutter)
        is_backed = sheets.backs or sheets.saving or sheets.colour is not None
        job = replace(job, backs=is_backed, saving=sheets.saving, colour=sheets.colour or "black")
        content = write(job, progress)
    _write_bytes(file, content)
    size = " × ".join(f"{side:g}" for side in job.grid.card)
    _say(f"{file}: {job.sheets} sheets of cards of {size} mm, {job.pages} pages; print at 100 %")


def print_box(game: Description, deck: Deck, style: Style, file: Path, sheets: Sheets) -> None:
    """The tuck box as a PDF."""
    from tefuda.decks.print import Job, write_box
    from tefuda.decks.print.box import THICKNESS, box

    job = Job(game, deck, style, sheets.paper or "a4", sheets.size or "life", colour=sheets.colour or "black")
    thickness = THICKNESS if sheets.thickness is None else sheets.thickness
    content, made = write_box(job, thickness), box(job, thickness)
    _write_bytes(file, content)
    _say(f"{file}: a box of {made.width:g} × {made.height:g} × {made.depth:g} mm inside; print at 100 %")


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error if that is a terminal; what is given is told how many of how many are done."""
    console = Console(file=sys.stderr)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _say(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(text, markup=False)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as fresh:
        fresh.write_text(text, "utf-8", newline="\n")


def _write_bytes(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as fresh:
        fresh.write_bytes(content)
