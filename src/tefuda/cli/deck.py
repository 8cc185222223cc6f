"""``tefuda deck``: the cards of a game listed, drawn as SVG, or printed to cut out."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from typer import Option

from tefuda.cli.chosen import language_of
from tefuda.cli.parameters import AsJson, Colour, Commands, GameName, Language, Layers, Paper, Printer, Size, later
from tefuda.cli.standard_streams import print_json
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.engine.files import whole

with later():
    from tefuda import games
    from tefuda.decks import backs as patterns
    from tefuda.decks import data, faces, fonts, singles, sizes, sprite
    from tefuda.decks.data import Deck
    from tefuda.decks.print import sheets, tuck_box
    from tefuda.engine.description import Description

app = Commands()


@app.command(example="deck luk-fu -o luk-fu.pdf --paper letter")
def deck(
    game: GameName,
    output: Annotated[
        Path | None, Option("-o", "--output", help="Print to this file (.pdf); with --for, the ZIP.")
    ] = None,
    svg: Annotated[Path | None, Option(help="Folder for one SVG file per card, and the sprite.")] = None,
    name: Annotated[str, Option("--deck", help="Another deck of the game, such as western for kakkuri.")] = "",
    layers: Layers = "traditional,index",
    language: Language = None,
    cards: Annotated[
        Path | None, Option(help="Folder for single cards: PNG (300 dpi) and SVG with bleed, for printers.")
    ] = None,
    printer: Printer = None,
    box: Annotated[Path | None, Option(help="A tuck box to cut out, in this file (.pdf).")] = None,
    paper: Paper = None,
    size: Size = None,
    bleed: Annotated[float | None, Option(help="Bleed of --cards, in millimetres.", show_default="3")] = None,
    thickness: Annotated[
        float | None, Option(help="Thickness of a card in millimetres, for --box.", show_default="0.32")
    ] = None,
    gutter: Annotated[bool, Option("--gutter/--shared-cuts", help="A strip between cards, or shared cuts.")] = False,
    backs: Annotated[bool, Option("--backs", help="Add backs, for printing on both sides (long edge).")] = False,
    saving: Annotated[bool, Option("--ink-saving", help="Draw backs in outline (implies --backs).")] = False,
    colour: Colour = None,
    font: Annotated[Path | None, Option("--font", help="A font for characters that the package's own lacks.")] = None,
    as_json: AsJson = False,
) -> None:
    """List a game's cards, draw them, or print them and their box."""
    is_listed = not (as_json or output or svg or cards or box or printer)
    chosen = frozenset(layer.strip() for layer in layers.split(",") if layer.strip())
    chosen = frozenset(faces.LAYERS) if chosen == {"all"} else chosen
    style = faces.Style(chosen, language_of(language, printed=is_listed))
    check_ends(("--output", output, ".zip" if printer else ".pdf"), ("--box", box, ".pdf"))
    described = games.description(game)
    found = data.load(described, name)
    printed = size or ("poker-us" if printer else "life")
    sizes.grid(found, paper or "a4", printed, gutter)
    beyond = singles.bleed_for(printer, printed, sizes.card_size(found, printed).sides[0]) if printer else 0.0
    data.choose(patterns.COLOURS, colour or "black", "colour of a back")
    given = {"--paper": paper, "--size": size, "--bleed": bleed is not None, "--thickness": thickness is not None}
    given |= {"--gutter": gutter, "--ink-saving": saving, "--backs": backs, "--back-colour": colour}
    take_font(font)
    pdf = None if printer else output
    check_uses(given, {"-o FILE.pdf": pdf, "--cards FOLDER": cards, "--box FILE.pdf": box, "--for PRINTER": printer})
    if as_json:
        print_json(listed(described, found))
    if is_listed:
        show(described, found, style.language)
        return
    with needed_by("drawing or printing cards", "decks"):
        files = DeckFiles(described, found, style, printed, colour or "black")
        if printer:
            files.write_packed(output or Path(f"{game}-{found.name}-{printer}.zip"), beyond, printer)
        if svg:
            files.write_files(svg)
        if cards:
            files.write_cards(cards, bleed)
        if pdf:
            is_backed = backs or saving or colour is not None
            files.write_pdf(pdf, paper or "a4", gutter=gutter, backs=is_backed, saving=saving)
        if box:
            files.write_box(box, paper or "a4", thickness)


def check_ends(*files: tuple[str, Path | None, str]) -> None:
    """Check that the file of each option ends so; TefudaError if not."""
    for option, file, kind in files:
        if file and file.suffix.lower() != kind:
            raise TefudaError(f"{option}: {file.name} does not end in {kind}, which is what is written")


def take_font(font: Path | None) -> None:
    """Draw characters that the package's own font lacks with this one; TefudaError if it is no font."""
    if font:
        with needed_by("drawing or printing cards", "decks"):
            fonts.use_font(font)


USES = {
    "--paper": ("-o FILE.pdf", "--box FILE.pdf"),
    "--size": ("-o FILE.pdf", "--cards FOLDER", "--box FILE.pdf", "--for PRINTER"),
    "--bleed": ("--cards FOLDER",),
    "--thickness": ("--box FILE.pdf",),
    "--gutter": ("-o FILE.pdf",),
    "--ink-saving": ("-o FILE.pdf",),
    "--backs": ("-o FILE.pdf",),
    "--back-colour": ("-o FILE.pdf", "--cards FOLDER", "--box FILE.pdf", "--for PRINTER"),
}
"""Options that say how to print, with those for whose files they are meant."""


def check_uses(given: Mapping[str, object], files: Mapping[str, object]) -> None:
    """Check that each option given belongs to one of the files that are written; TefudaError if not."""
    for option, value in given.items():
        if value and not any(files[use] for use in USES[option]):
            raise TefudaError(f"{option} says how to print, but nothing is printed: add {' or '.join(USES[option])}")


def listed(game: "Description", deck: "Deck") -> dict[str, object]:
    """Describe the cards, with what they are called in every language."""
    fields = ("word", "names", "readings", "seal", "copies")
    cards = [{field: getattr(card, field) for field in fields} for card in deck.cards.values()]
    head = {"game": game.name, "deck": deck.name, "decks": [path.stem for path in game.files.decks]}
    return {**head, "titles": deck.titles, "size": deck.size, "cards": cards}


def show(game: "Description", deck: "Deck", language: str) -> None:
    """Print the cards with what they are called."""
    from rich.console import Console
    from rich.table import Table

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


@dataclass(frozen=True)
class DeckFiles:
    """A deck that is drawn into files, each of which is told of; size and colour of the back by name."""

    game: "Description"
    deck: "Deck"
    style: "faces.Style"
    size: str
    colour: str

    def write_files(self, folder: Path) -> None:
        """Write every card and the back, the sprite, the names, the font they need on a page, and its licence."""
        deck, style, language = self.deck, self.style, self.style.language
        folder.mkdir(parents=True, exist_ok=True)
        for card in deck.cards.values():
            parts = sprite.on_paper(deck, card.word, style)
            _write(folder / f"{card.word}.svg", sprite.document(parts, *deck.size, deck.inks, card.names[language]))
        _write(folder / "back.svg", sprite.document(sprite.on_paper(deck, sprite.BACK, style), *deck.size, deck.inks))
        together = sprite.sprite(deck, style)
        _write(folder / together.name, together.text)
        names = {
            word: {"names": dict(card.names), "readings": dict(card.readings)} for word, card in deck.cards.items()
        }
        about = {"deck": deck.name, "size": deck.size, "sprite": together.name, "cards": names}
        _write(folder / "cards.json", json.dumps(about, ensure_ascii=False, indent=1) + "\n")
        said = "".join(card.names[language] + card.readings.get(language, "") for card in deck.cards.values())
        _write(folder / f"names-{language}.woff2", fonts.typeface(language, fonts.REGULAR).subset(said, "woff2"))
        _write(folder / fonts.LICENCE.name, fonts.LICENCE.read_text("utf-8"))
        _say(f"{len(deck.cards)} cards, their back and the sprite {together.name} are in {folder}")

    def write_cards(self, folder: Path, bleed: float | None) -> None:
        """Write single cards for printers, with so many millimetres of bleed; None for the usual."""
        job, bleed = self._job("a4"), sizes.BLEED if bleed is None else bleed
        with _bar("cards") as progress:
            singles.write_cards(self.deck, self.style, job.card, folder, bleed, progress, self.colour, job.extras)
        sides = " × ".join(f"{side:g}" for side in job.card.sides)
        _say(
            f"{folder}: {len(self.deck.cards) + len(self.deck.beside)} faces and the back as PNG ({singles.DOTS} dpi) "
            f"and SVG, {sides} mm and {bleed:g} mm of bleed; {singles.LIST} says how many of each make a pack"
        )

    def write_packed(self, file: Path, bleed: float, printer: str) -> None:
        """Write the pictures of ``write_cards`` as a ZIP, with the bleed that a printer asks for."""
        job, faces = self._job("a4"), len(self.deck.cards) + len(self.deck.beside)
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as made, whole(file) as fresh, _bar("cards") as progress:
            singles.write_cards(self.deck, self.style, job.card, Path(made), bleed, progress, self.colour, job.extras)
            singles.pack(Path(made), fresh)
        _say(f"{file}: {faces} faces, the back and what explains the game, as {printer} asks for them")

    def write_pdf(self, file: Path, paper: str, *, gutter: bool, backs: bool, saving: bool) -> None:
        """Write sheets of cards, rules and scores as a PDF."""
        with _bar("pages") as progress:
            job = replace(self._job(paper), gutter=gutter, backs=backs, saving=saving)
            content = sheets.write(job, progress)
        _write(file, content)
        size = " × ".join(f"{side:g}" for side in job.grid.card)
        _say(f"{file}: {job.sheets} sheets of cards of {size} mm, {job.pages} pages; print at 100%")

    def write_box(self, file: Path, paper: str, thickness: float | None) -> None:
        """Write the tuck box as a PDF, for cards so many millimetres thick; None for the usual."""
        job, thickness = self._job(paper), tuck_box.THICKNESS if thickness is None else thickness
        content, made = tuck_box.write_box(job, thickness), tuck_box.box(job, thickness)
        _write(file, content)
        _say(f"{file}: a box of {made.width:g} × {made.height:g} × {made.depth:g} mm inside; print at 100%")

    def _job(self, paper: str) -> "sheets.Job":
        return sheets.Job(self.game, self.deck, self.style, paper, self.size, colour=self.colour)


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal; what is yielded is told how many of how many are done."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn

    from tefuda.cli.progress import bar

    with bar(Console(stderr=True), what, MofNCompleteColumn()) as update:
        yield lambda done, total: update(completed=done, total=total)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _write(file: Path, content: str | bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as fresh:
        fresh.write_bytes(content.encode() if isinstance(content, str) else content)
