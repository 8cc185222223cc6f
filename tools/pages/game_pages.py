"""A Sphinx extension: the rules of every game in every language, from the catalogues that ``tefuda rules`` reads.

Pages are written into ``docs/games/`` when a build begins; git ignores them. A game that another package brings has its
pages too where that package is installed."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.rulebook import CARDS, Paragraph, Rulebook, Section, glossary
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.table.example_deal import full_rulebook
from tefuda.table.table_rules import OptionHelp, explained

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "games"

HEAD = """# The games

Each game has a page with its cards, its rules by number and its options; `tefuda rules GAME` prints the same at the
terminal, and a table in the browser shows them too.
"""


def write_pages(_app: Any) -> None:
    """Write what has changed; Sphinx then reads only that again."""
    FOLDER.mkdir(exist_ok=True)
    every = {name: games.description(name) for name in games.names()}
    write("index", index(every))
    for name, game in every.items():
        for language in languages(game):
            write(stem(name, language), page(name, game, language))


def write(name: str, text: str) -> None:
    """Write a page, unless it stands there already."""
    path = FOLDER / f"{name}.md"
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def index(every: dict[str, Description]) -> str:
    """The page that lists the games, in the words of their catalogues."""
    parts = [HEAD]
    for name, game in every.items():
        texts = catalogue(game.files.texts, "en")
        fewest, most = min(game.seats), max(game.seats)
        players = str(most) if fewest == most else f"{fewest} {'or' if most - fewest == 1 else 'to'} {most}"
        linked = f"[{texts('title')} {texts('native')}]({name}.md)"
        parts.append(f"## {linked}\n\n{players} players, {len(game.cards)} different cards. {texts('about')}\n")
    return "\n".join([*parts, "```{toctree}", ":hidden:", "", *every, "```", ""])


def languages(game: Description) -> list[str]:
    """The languages in which the game has texts."""
    return [each for each in LANGUAGES if (game.files.texts / f"{each}.toml").exists()]


def stem(name: str, language: str) -> str:
    """The file of a game's page, without its ending."""
    return name if language == "en" else f"{name}-{language}"


def page(name: str, game: Description, language: str) -> str:
    """What teaches a game, its rules and options, and where it comes from, as Markdown in one language."""
    book, common = full_rulebook(game, language, spell=coded), catalogue(TEXTS, language)
    names = [book.title] if book.native == book.title else [book.title, book.native]
    parts = [
        "# " + " ".join(names),
        others(name, game, language),
        book.about,
        pictures(name) if language == "en" else "",
        common("rulebook.marks") if book.sources else "",
        *(text for section in book.sections for text in taught(section, game, language)),
        f"## {common('rulebook.rules')}",
        *(rule(book, number, language) for number in book.rules),
        f"## {common('rulebook.options')}",
        *(option(explained(game, each, language)) for each in game.rules.options),
        background(game, language),
        *terms(game, language),
    ]
    body = linked("\n\n".join(part for part in parts if part), game, language)
    head = "" if language == "en" else f"---\norphan: true\nlanguage: {language}\n---\n\n"
    return f"{head}{body}\n"


def coded(notation: str) -> str:
    """Notation as Markdown shows it."""
    return f"`{notation}`"


def others(name: str, game: Description, language: str) -> str:
    """Links to the same page in the other languages."""
    named = {each: catalogue(TEXTS, each)("language") for each in languages(game)}
    links = (f"[{label}]({stem(name, each)}.md)" for each, label in named.items() if each != language)
    return " · ".join(links) + f" · `tefuda play {name}`"


def pictures(name: str) -> str:
    """The contact sheets of the game's decks."""
    found = sorted((DOCS / "decks").glob(f"{name}-*.png"))
    return "\n\n".join(f"![The cards: {path.stem.removeprefix(name + '-')}](../decks/{path.name})" for path in found)


def taught(section: Section, game: Description, language: str) -> Iterator[str]:
    """A section, with the list of the pack before what is said of the cards."""
    yield f"## {section.heading}"
    if section.key == CARDS and game.files.decks:
        deck = data.load(game)
        for suit in deck.suits:
            cards = ", ".join(f"`{card.word}` {card.names[language]}" for card in deck.of(suit))
            yield f"**{suit.names[language]}**: {cards}"
    yield from map(markdown, section.paragraphs)


def markdown(paragraph: Paragraph) -> str:
    """A paragraph whose lines stay lines, or a table."""
    if not paragraph.rows:
        return paragraph.text.replace("\n", "\\\n")
    head, *rows = (f"| {' | '.join(row)} |" for row in paragraph.rows)
    return "\n".join([head, "|---" * len(paragraph.rows[0]) + "|", *rows])


def rule(book: Rulebook, number: str, language: str) -> str:
    """A rule with an anchor of its own, such as ``gz-8``."""
    return f"({anchor(number, language)})=\n**{number}** {book.rules[number]}"


def anchor(number: str, language: str) -> str:
    """The anchor of a rule on the page of a language."""
    return number.lower() if language == "en" else f"{number}-{language}".lower()


def linked(text: str, game: Description, language: str) -> str:
    """A page whose rules are links wherever they are named."""
    number = re.compile(rf"(?<![*\w`-]){game.rules.prefix}-\d+[a-z]?(?![*\w])")
    known = catalogue(game.files.texts, "en").under("rules")
    return number.sub(
        lambda found: f"[{found[0]}](#{anchor(found[0], language)})" if found[0] in known else found[0], text
    )


def option(help_: OptionHelp) -> str:
    """An option: what it is called, how it is set, what it does and what its values mean."""
    default = str(help_.default).lower() if isinstance(help_.default, bool) else str(help_.default)
    lines = [f"**{help_.label}**: `{help_.name}={default}` ({help_.rule})", "", help_.sentence]
    if isinstance(help_.values, Mapping) and any(help_.values.values()):
        lines += ["", *(f"* `{value}`: {meaning}" for value, meaning in help_.values.items() if meaning)]
    return "\n".join(lines)


def background(game: Description, language: str) -> str:
    """Where the game comes from, as its texts have it in Markdown, without the title."""
    path = game.files.texts / "about" / f"{language}.md"
    return path.read_text("utf-8").partition("\n")[2].strip() if path.exists() else ""


def terms(game: Description, language: str) -> list[str]:
    """The words of the game: each with the original, its reading and what it means."""
    lines = []
    for term in glossary(game, language):
        home = ", ".join(part for part in (term.original, term.reading) if part and part != term.word)
        numbers = f" ({', '.join(term.rules)})" if term.rules else ""
        lines.append(f"* **{term.word}**{f' {home}' if home else ''}: {term.meaning}{numbers}")
    return [f"## {catalogue(TEXTS, language)('rulebook.words')}", "\n".join(lines)] if lines else []


def say_language(_app: Any, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Tell browsers in which language a page is written."""
    context["language"] = (context.get("meta") or {}).get("language", context.get("language"))


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", say_language)
    return {"parallel_read_safe": True}
