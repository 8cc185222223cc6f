"""A game's rules on the terminal: what teaches it, each rule with its number, the options, where it comes from."""

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from tefuda.cli.chosen import command
from tefuda.cli.draw import Prose
from tefuda.cli.standard_streams import can_write
from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import written
from tefuda.engine.rulebook import CARDS, Block, Paragraph, Rulebook, background, glossary
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.table_rules import OptionHelp, explained

STYLES = {"": "", "em": "italic", "code": "bold"}  # styles of the parts of a background page


def background_of(game: Description, language: str) -> Sequence[Block]:
    """Return the page about a game; TefudaError if there is none."""
    blocks = background(game, language)
    if not blocks:
        raise TefudaError(f"{game.name} has no page about where it comes from")
    return blocks


class RulesPage:
    """Prints the rules of one game in one language; with ``sources`` also what the page of rules says for each."""

    def __init__(
        self, game: Description, book: Rulebook, language: str, sources: bool, console: Console | None = None
    ) -> None:
        self._game, self._book, self._language, self._sources = game, book, language, sources
        self._words, self._console = catalogue(TEXTS, language), console or Console(highlight=False)

    def print_rule(self, number: str) -> None:
        """Print one rule."""
        self._console.print(self._numbered([number]))
        self._print_legend()

    def print_all(self, asked: Sequence[str]) -> None:
        """Print what teaches the game, all rules and options; the command to read on repeats what was ``asked``."""
        rules = list(self._book.rules)
        self._print_head()
        self._print_legend()
        self._print_teaching()
        self._print_heading("rules")
        self._console.print(self._numbered(rules), "")
        self._print_heading("options")
        self._console.print(self._options())
        if background(self._game, self._language):
            more = self._words("rulebook.more", command=command("rules", self._game.name, "--about", *asked))
            self._console.print(more, soft_wrap=True, markup=False)

    def print_presets(self) -> None:
        """Print the known sets of options; TefudaError if there are none."""
        if not self._game.presets:
            raise TefudaError(f"{self._game.name} has no presets; its usual options are listed by its rules")
        table = Table.grid(padding=(0, 2, 1, 0))
        for name, preset in self._game.presets.items():
            said = " ".join(f"{option}={written(value)}" for option, value in preset["options"].items())
            source = self._words("rulebook.source", source=preset["source"])
            title, about = (preset[key][self._language] for key in ("title", "about"))
            table.add_row(Prose(f"--preset {name}", "bold"), Prose(title), Prose(f"{about}\n{said}\n{source}"))
        self._console.print(table)

    def print_background(self) -> None:
        """Print where the game comes from, and its terms; TefudaError if there is no page about it."""
        for block in background_of(self._game, self._language):
            text = Text.assemble(*[(part, STYLES[style]) for style, part in block.spans])
            if block.kind in ("title", "heading"):
                text.stylize("bold" if block.kind == "title" else "bold underline")
            indent = {"item": 2, "quote": 4}.get(block.kind, 0)
            shown = Text("• ").append_text(text) if block.kind == "item" else text
            self._console.print(Padding(Prose(shown), (0, 0, 1, indent)))
        self._print_heading("words")
        for line in self._terms():
            self._console.print(Padding(Prose(line), (0, 0, 0, 2)))

    def _print_heading(self, key: str) -> None:
        self._console.print(Text(self._words(f"rulebook.{key}"), "bold underline"))

    def _print_head(self) -> None:
        book = self._book
        names = " ".join(dict.fromkeys([book.title, *filter(can_write, [book.native])]))
        self._console.print(Text(names, "bold"))
        if book.reading:
            self._console.print(Prose(book.reading, "dim"))
        self._console.print(Prose(book.about), "")

    def _print_teaching(self) -> None:
        """Print the sections, the pack before what is said of the cards."""
        for section in self._book.sections:
            self._console.print(Text(section.heading, "bold underline"))
            if section.key == CARDS and self._game.files.decks:
                self._print_pack()
            for paragraph in section.paragraphs:
                rules = f" [{', '.join(paragraph.rules)}]" if self._sources and paragraph.rules else ""
                shown = _table(paragraph) if paragraph.rows else Prose(paragraph.text + rules)
                self._console.print(shown, "")

    def _print_pack(self) -> None:
        """Print every card's word and name, suit by suit."""
        deck, console = data.load(self._game), self._console
        counts = {card.copies for card in deck.cards.values()}
        heading = "pack" if counts == {1} else "pack_copies"
        console.print(Text(self._words(f"rulebook.{heading}", count=len(deck.pack), copies=max(counts)), "bold"))
        console.print(Prose(self._words("rulebook.pack_order"), "dim"))
        for suit in deck.suits:
            cards = [Text.assemble((card.word, "bold"), f" {card.names[self._language]}") for card in deck.of(suit)]
            name = Text(suit.names[self._language], "bold")
            console.print(name, Padding(Columns(cards, padding=(0, 3)), (0, 0, 0, 2)))
        console.print("")

    def _print_legend(self) -> None:
        """Print what the signs behind sentences say."""
        if self._book.sources:
            self._console.print(Prose(self._words("rulebook.marks"), "dim"), "")

    def _terms(self) -> Iterator[Text]:
        """Write each term: the word, the original with its reading, the meaning, the rules."""
        for term in glossary(self._game, self._language):
            line = Text(term.word, "bold")
            home = ", ".join(part for part in (term.original, term.reading) if part and part != term.word)
            line.append(f" ({home})" if home else "").append(f": {term.meaning}")
            yield line.append(f" [{', '.join(term.rules)}]" if term.rules else "")

    def _numbered(self, rules: list[str]) -> Table:
        """Draw rules with their numbers, and below each what the page of rules says if that is asked for."""
        table = Table.grid(padding=(0, 2, 1, 0))
        table.add_column(no_wrap=True)
        for number in rules:
            quoted = self._book.sources.get(number, ()) if self._sources else ()
            said = [Prose(f"{each.heading}: {each.sentence}", "dim") for each in quoted]
            table.add_row(Text(number, "bold"), Group(Prose(self._book.rules[number]), *said))
        return table

    def _options(self) -> Table:
        """Draw each option as it is set, what it does and which values it may have."""
        table = Table.grid(padding=(0, 2, 1, 0))
        for option in (explained(self._game, each, self._language) for each in self._game.rules.options):
            about = f"{option.sentence} [{option.rule}]\n{_values(option)}"
            table.add_row(Prose(f"--set {option.name}={written(option.default)}", "bold"), Prose(about))
        return table


def _table(paragraph: Paragraph) -> Table:
    """Draw a table that teaches, its head above a line."""
    head, *rows = paragraph.rows
    table = Table(*(Column(Prose(cell)) for cell in head), box=SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*map(Prose, row))
    return table


def _values(option: OptionHelp) -> str:
    if option.least is not None:
        return f"{option.least} … {option.most}"
    if isinstance(option.default, bool):
        return ", ".join(map(written, option.values))
    return "\n".join(f"{word}: {meaning}" if meaning else str(word) for word, meaning in option.values.items())
