"""``tefuda rules`` and ``tefuda games``: looking things up."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tefuda import games
from tefuda.cli.prose import Prose
from tefuda.cli.settings import language_of, rule_number
from tefuda.engine.description import Description, Option, nearest
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import catalogue
from tefuda.table.reasons import say_all


def run(name: str, number: str | None, language: str) -> None:
    """Print a game's rules and options, or one rule.

    Raises:
        TefudaError: no such game, rule or language.
    """
    language = language_of(language)
    game = games.description(name)
    texts = catalogue(game.files.texts, language)
    rules = say_all(game, "rules", language)
    console = Console(highlight=False)
    if number is not None:
        key = rule_number(game, number) or number
        if key not in rules:
            first, *_, last = rules
            raise TefudaError(f"{name} has no rule {number!r}; its rules are {first} to {last}{nearest(key, rules)}")
        console.print(_numbered({key: rules[key]}))
        return
    console.print(f"{texts('title')} {texts('native')}", style="bold")
    console.print(Prose(texts("about")), "")
    console.print(_numbered(rules), "")
    console.print(_options(game, language))


def _numbered(rules: dict[str, str]) -> Table:
    table = Table.grid(padding=(0, 2, 1, 0))
    table.add_column(no_wrap=True)
    for number, text in rules.items():
        table.add_row(Text(number, "bold"), Prose(text))
    return table


def _options(game: Description, language: str) -> Table:
    """Each option as it is set, what it does and which values it may have."""
    table = Table.grid(padding=(0, 2, 1, 0))
    for option in game.rules.options:
        texts = say_all(game, f"options.{option.name}", language)
        about = f"{texts['help']} [{option.rule}]\n{_values(option, texts)}"
        table.add_row(Prose(f"--set {option.name}={_word(option)}", "bold"), Prose(about))
    return table


def _word(option: Option) -> str:
    return str(option.default).lower() if isinstance(option.default, bool) else str(option.default)


def _values(option: Option, texts: dict[str, str]) -> str:
    if option.values:
        said = {word: texts.get(f"values.{word}") for word in option.values}
        return "\n".join(f"{word}: {meaning}" if meaning else word for word, meaning in said.items())
    return "true, false" if isinstance(option.default, bool) else f"{option.least} … {option.most}"


def list_games() -> None:
    """Print the games with what they are."""
    table = Table.grid(padding=(0, 2, 1, 0))
    for name in games.names():
        game = games.description(name)
        texts = catalogue(game.files.texts, "en")
        seats = ", ".join(str(count) for count in sorted(game.seats))
        table.add_row(Text(name, "bold"), texts("native"), f"{seats} players", texts("about"))
    Console(highlight=False).print(table)
