"""``tefuda rules`` and ``tefuda games``: looking things up."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tefuda import games
from tefuda.cli.json_output import print_json
from tefuda.cli.prose import Prose
from tefuda.cli.settings import command, language_of, rule_number
from tefuda.cli.streams import can_write
from tefuda.decks import data
from tefuda.decks.pack import pack_list
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.option import Value
from tefuda.engine.rulebook import CARDS, MARKS, Block, Rulebook, background, glossary
from tefuda.engine.texts import LANGUAGES, TEXTS, Catalogue, catalogue
from tefuda.table.example_deal import full_rulebook
from tefuda.table.table_rules import OptionHelp, explained

STYLES = {"": "", "em": "italic", "code": "bold"}
"""How the parts of a background page are printed."""


def run(name: str, number: str | None, about: bool, language: str | None, as_json: bool = False) -> None:
    """Print a game's rules and options, or one rule, or where the game comes from.

    Raises:
        TefudaError: no such game, rule or language.
    """
    chosen_language, language = language, language_of(language, printed=not as_json)
    game = games.description(name)
    book, common = full_rulebook(game, language), catalogue(TEXTS, language)
    if about and number is not None:
        raise TefudaError(f"--about: it is about the whole game; leave out {number!r}")
    chosen = list(book.rules) if number is None else [_existing(game, book, number)]
    console = Console(highlight=False)
    if as_json:
        print_json(_background_data(game, language) if about else _rules_data(game, book, chosen, language))
        return
    if about:
        _print_background(console, game, language)
        return
    if number is not None:
        console.print(_numbered(book, chosen))
        _print_legend(console, book, common, chosen)
        return
    _print_head(console, book)
    _print_teaching(console, game, book, language)
    console.print(Text(common("rulebook.rules"), "bold underline"))
    _print_legend(console, book, common, list(book.rules))
    console.print(_numbered(book, list(book.rules)), "")
    console.print(Text(common("rulebook.options"), "bold underline"))
    console.print(_options(game, language))
    if background(game, language):
        asked = [] if chosen_language is None else ["--lang", language]
        more = common("rulebook.more", command=command("rules", name, "--about", *asked))
        console.print(more, soft_wrap=True, markup=False)


def _existing(game: Description, book: Rulebook, number: str) -> str:
    """The rule that somebody means.

    Raises:
        TefudaError: there is none.
    """
    key = rule_number(game, number) or number
    if key not in book.rules:
        first, *_, last = book.rules
        message = f"{game.name} has no rule {number!r}; its rules are {first} to {last}{nearest(key, book.rules)}"
        raise TefudaError(message)
    return key


def _rules_data(game: Description, book: Rulebook, chosen: list[str], language: str) -> dict[str, Any]:
    """For programs: the rules that were chosen; with all of them the text that teaches, and the options."""
    data: dict[str, Any] = {
        "game": game.name,
        "version": game.rules_version,
        "rules": [
            {"number": rule, "text": book.rules[rule], "origins": list(book.origins.get(rule, ()))} for rule in chosen
        ],
    }
    if len(chosen) == len(book.rules):
        head = {"title": book.title, "native": book.native, "about": book.about}
        options = [explained(game, option, language) for option in game.rules.options]
        data |= {**head, "sections": book.sections, "options": options}
    return data


def _background_data(game: Description, language: str) -> dict[str, Any]:
    """For programs: the paragraphs and the terms of the page about a game."""
    blocks = [{"kind": block.kind, "text": block.plain} for block in _background(game, language)]
    return {"game": game.name, "blocks": blocks, "terms": list(glossary(game, language))}


def _background(game: Description, language: str) -> Sequence[Block]:
    """The page about a game.

    Raises:
        TefudaError: there is none.
    """
    blocks = background(game, language)
    if not blocks:
        raise TefudaError(f"{game.name} has no page about where it comes from")
    return blocks


def _print_head(console: Console, book: Rulebook) -> None:
    names = dict.fromkeys([book.title, *filter(can_write, [book.native])])
    console.print(Text(" ".join(names), "bold"))
    if book.reading:
        console.print(Prose(book.reading, "dim"))
    console.print(Prose(book.about), "")


def _print_teaching(console: Console, game: Description, book: Rulebook, language: str) -> None:
    """The sections, the pack before what is said of the cards."""
    for section in book.sections:
        console.print(Text(section.heading, "bold underline"))
        if section.key == CARDS and game.files.decks:
            _print_pack(console, game, language)
        for paragraph in section.paragraphs:
            console.print(Prose(paragraph), "")


def _print_pack(console: Console, game: Description, language: str) -> None:
    """Every card's word and name, suit by suit."""
    deck, common = data.load(game), catalogue(TEXTS, language)
    counts = {card.copies for card in deck.cards.values()}
    heading = "pack" if counts == {1} else "pack_copies"
    console.print(Text(common(f"rulebook.{heading}", count=len(deck.pack), copies=max(counts)), "bold"))
    console.print(Prose(common("rulebook.pack_order"), "dim"))
    for suit in pack_list(deck, language):
        cards = [Text.assemble((card.word, "bold"), f" {card.name}") for card in suit.cards]
        console.print(Text(suit.name, "bold"), Padding(Columns(cards, padding=(0, 3)), (0, 0, 0, 2)))
    console.print("")


def _print_legend(console: Console, book: Rulebook, common: Catalogue, rules: list[str]) -> None:
    """What the marks of these rules say."""
    used = [origin for origin in MARKS if any(origin in book.origins.get(rule, ()) for rule in rules)]
    if used:
        said = "; ".join(f"{MARKS[origin]} {common(f'rulebook.mark.{origin}')}" for origin in used)
        console.print(Prose(f"{common('rulebook.marks')} {said}", "dim"), "")


def _print_background(console: Console, game: Description, language: str) -> None:
    """Where a game comes from, and its terms."""
    blocks, common = _background(game, language), catalogue(TEXTS, language)
    for block in blocks:
        text = Text.assemble(*[(part, STYLES[style]) for style, part in block.spans])
        if block.kind in ("title", "heading"):
            text.stylize("bold" if block.kind == "title" else "bold underline")
        indent = {"item": 2, "quote": 4}.get(block.kind, 0)
        shown = Text("• ").append_text(text) if block.kind == "item" else text
        console.print(Padding(Prose(shown), (0, 0, 1, indent)))
    console.print(Text(common("rulebook.words"), "bold underline"))
    for line in _terms(game, language):
        console.print(Padding(Prose(line), (0, 0, 0, 2)))


def _terms(game: Description, language: str) -> Iterator[Text]:
    """Each term: the word, the original with its reading, the meaning, the rules."""
    for term in glossary(game, language):
        line = Text(term.word, "bold")
        home = ", ".join(part for part in (term.original, term.reading) if part and part != term.word)
        line.append(f" ({home})" if home else "").append(f": {term.meaning}")
        yield line.append(f" [{', '.join(term.rules)}]" if term.rules else "")


def _numbered(book: Rulebook, rules: list[str]) -> Table:
    """Rules with their numbers and with the signs of where they come from."""
    table = Table.grid(padding=(0, 2, 1, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    for number in rules:
        table.add_row(Text(number, "bold"), Text(book.marks(number), "dim"), Prose(book.rules[number]))
    return table


def _options(game: Description, language: str) -> Table:
    """Each option as it is set, what it does and which values it may have."""
    table = Table.grid(padding=(0, 2, 1, 0))
    for option in (explained(game, option, language) for option in game.rules.options):
        about = f"{option.sentence} [{option.rule}]\n{_values(option)}"
        table.add_row(Prose(f"--set {option.name}={_typed(option.default)}", "bold"), Prose(about))
    return table


def _typed(value: Value) -> str:
    """A value as ``--set`` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _values(option: OptionHelp) -> str:
    if option.least is not None:
        return f"{option.least} … {option.most}"
    if isinstance(option.default, bool):
        return ", ".join(map(_typed, option.values))
    return "\n".join(f"{word}: {meaning}" if meaning else str(word) for word, meaning in option.values.items())


def list_games(language: str | None, as_json: bool = False) -> None:
    """Print the games with what they are.

    Raises:
        TefudaError: no such language.
    """
    language = language_of(language, printed=not as_json)
    if as_json:
        print_json([_game_data(games.description(name), language) for name in games.names()])
        return
    table, common = Table.grid(padding=(0, 2, 1, 0)), catalogue(TEXTS, language)
    for name in games.names():
        game = games.description(name)
        texts = catalogue(game.files.texts, language)
        title = texts("native" if language == LANGUAGES[0] else "title")
        seats = common("rulebook.players", seats=", ".join(str(count) for count in sorted(game.seats)))
        table.add_row(Text(name, "bold"), title if can_write(title) else "", seats, Prose(texts("about")))
    Console(highlight=False).print(table)


def _game_data(game: Description, language: str) -> dict[str, Any]:
    texts = catalogue(game.files.texts, language)
    return {
        "name": game.name,
        "title": texts("title"),
        "native": texts("native"),
        "seats": sorted(game.seats),
        "rules_version": game.rules_version,
        "about": texts("about"),
    }
