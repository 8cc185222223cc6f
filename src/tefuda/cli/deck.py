"""``tefuda deck``: the cards of a game listed, drawn as SVG, or printed to cut out."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from tefuda import games
from tefuda.cli.settings import language_of
from tefuda.decks import data
from tefuda.decks.data import Deck
from tefuda.decks.faces import LAYERS, Style
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError


@dataclass(frozen=True)
class Wish:
    """What was asked for: where to, and how."""

    pdf: Path | None = None
    svg: Path | None = None
    sheet: Path | None = None
    deck: str = ""
    layers: str = "traditional,index"
    language: str = "en"
    print_options: dict[str, str | bool] = field(default_factory=dict)


def run(name: str, wish: Wish) -> None:
    """List a deck, or draw it.

    Raises:
        TefudaError: no such game, deck, layer, language, paper or size; a file of another kind than is written; or the
            font is not installed.
    """
    for option, file, kind in (("--output", wish.pdf, ".pdf"), ("--sheet", wish.sheet, ".svg")):
        if file and file.suffix.lower() != kind:
            raise TefudaError(f"{option}: {file.name} does not end in {kind}, which is what is written")
    game = games.description(name)
    deck = data.load(game, wish.deck)
    layers = frozenset(layer.strip() for layer in wish.layers.split(",") if layer.strip())
    style = Style(frozenset(LAYERS) if layers == {"all"} else layers, language_of(wish.language))
    if wish.svg:
        draw_files(deck, style, wish.svg)
    if wish.sheet:
        draw_sheet(deck, style, wish.sheet)
    if wish.pdf:
        print_pdf(game, deck, style, wish)
    if not (wish.svg or wish.sheet or wish.pdf):
        show(game, deck, style.language)


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


def print_pdf(game: Description, deck: Deck, style: Style, wish: Wish) -> None:
    """The PDF, with a bar on standard error if that is a terminal."""
    from tefuda.decks.print import Job, write

    assert wish.pdf is not None
    job = Job(game, deck, style, **wish.print_options)  # type: ignore[arg-type]
    console = Console(file=sys.stderr)
    columns = (TextColumn("pages"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=job.pages)
        content = write(job, lambda done, pages: bar.update(task, completed=done, total=pages))
    wish.pdf.parent.mkdir(parents=True, exist_ok=True)
    wish.pdf.write_bytes(content)
    size = " × ".join(f"{side:g}" for side in job.grid.card)
    _say(f"{wish.pdf}: {job.sheets} sheets of cards of {size} mm, {job.pages} pages; print at 100 %")


def _say(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(text, markup=False)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="\n")
