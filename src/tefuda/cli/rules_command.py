"""``tefuda rules``, ``games`` and ``check``: rules looked up, and rulings checked."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from tefuda.cli.chosen import language_of, rule_number
from tefuda.cli.parameters import AsJson, Commands, GameName, Language, later, rule_numbers
from tefuda.cli.standard_streams import can_write, print_json
from tefuda.engine import toml
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue

with later():
    from tefuda import games as every_game
    from tefuda.cli import printed_rules
    from tefuda.engine import rulebook
    from tefuda.engine.description import Description
    from tefuda.table import example_deal, scenario, table_rules, tour

app = Commands()

RuleNumber = Annotated[
    str | None, Argument(help="Number of one rule, such as GZ-8.", metavar="[RULE]", autocompletion=rule_numbers)
]
Files = Annotated[list[Path], Argument(help="Scenario files or tours (.toml), or folders of them.", metavar="FILE…")]


@app.command(example="rules luk-fu LF-18 --lang ja")
def rules(
    game: GameName,
    number: RuleNumber = None,
    about: Annotated[bool, Option("--about", help="Where the game comes from, and its terms.")] = False,
    presets: Annotated[bool, Option("--presets", help="Known sets of options, with their sources.")] = False,
    source: Annotated[bool, Option("--source", help="What the Japanese page of rules says, and where.")] = False,
    language: Language = None,
    as_json: AsJson = False,
) -> None:
    """Show a game's rules, one of them, or where the game comes from."""
    spoken = language_of(language, printed=not as_json)
    found = every_game.description(game)
    book = example_deal.full_rulebook(found, spoken)
    if (about or presets) and number is not None:
        raise TefudaError(f"--{'presets' if presets else 'about'}: it is about the whole game; leave out {number!r}")
    chosen = list(book.rules) if number is None else [_existing(found, book, number)]
    if as_json and presets:
        print_json({"game": found.name, "presets": dict(found.presets)})
        return
    if as_json:
        print_json(_background_data(found, spoken) if about else _rules_data(found, book, chosen, spoken, source))
        return
    page = printed_rules.RulesPage(found, book, spoken, source)
    if presets:
        page.print_presets()
    elif about:
        page.print_background()
    elif number is not None:
        page.print_rule(chosen[0])
    else:
        page.print_all([] if language is None else ["--lang", spoken])


def _existing(game: "Description", book: "rulebook.Rulebook", number: str) -> str:
    """Return the rule that the user means; TefudaError if there is none."""
    key = rule_number(game, number) or number
    if key not in book.rules:
        first, *_, last = book.rules
        message = f"{game.name} has no rule {number!r}; its rules are {first} to {last}{nearest(key, book.rules)}"
        raise TefudaError(message)
    return key


def _rules_data(
    game: "Description", book: "rulebook.Rulebook", chosen: list[str], language: str, source: bool
) -> dict[str, object]:
    """Describe the rules that were chosen; with all of them the text that teaches, and the options."""
    told: list[dict[str, object]] = [
        {"number": rule, "text": book.rules[rule], "origins": book.origins(rule)}
        | ({"source": book.sources.get(rule, [])} if source else {})
        for rule in chosen
    ]
    data: dict[str, object] = {"game": game.name, "version": game.rules_version, "rules": told}
    if len(chosen) == len(book.rules):
        head = {"title": book.title, "native": book.native, "about": book.about}
        options = [table_rules.explained(game, option, language) for option in game.rules.options]
        data |= {**head, "sections": book.sections, "options": options}
    return data


def _background_data(game: "Description", language: str) -> dict[str, object]:
    """Describe the paragraphs and the terms of the page about a game."""
    blocks = [{"kind": block.kind, "text": block.plain} for block in printed_rules.background_of(game, language)]
    return {"game": game.name, "blocks": blocks, "terms": list(rulebook.glossary(game, language))}


@app.command(example="games --lang zh-Hant")
def games(language: Language = None, as_json: AsJson = False) -> None:
    """List the games."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tefuda.cli.draw import Prose

    language = language_of(language, printed=not as_json)
    found = [every_game.description(name) for name in every_game.names()]
    if as_json:
        print_json([_game_data(game, language) for game in found])
        return
    table, common = Table.grid(padding=(0, 2, 1, 0)), catalogue(TEXTS, language)
    for game in found:
        texts = catalogue(game.files.texts, language)
        title = texts("native" if language == LANGUAGES[0] else "title")
        seats = common("rulebook.players", seats=", ".join(str(count) for count in sorted(game.seats)))
        table.add_row(Text(game.name, "bold"), title if can_write(title) else "", seats, Prose(texts("about")))
    Console(highlight=False).print(table)


def _game_data(game: "Description", language: str) -> dict[str, object]:
    texts = catalogue(game.files.texts, language)
    titles = {"title": texts("title"), "native": texts("native")}
    seats = sorted(game.seats)
    return {"name": game.name, **titles, "seats": seats, "rules_version": game.rules_version, "about": texts("about")}


@app.command(example="check my-rulings.toml")
def check(files: Files, as_json: AsJson = False) -> None:
    """Run scenario files, and play tours through. A scenario is a position, moves, and what must be true."""
    results: list[scenario.CaseResult] = []
    unreadable: list[str] = []
    for path in _scenario_files(files):
        try:
            results += [_check_tour(path)] if _is_tour(path) else scenario.check_file(path)
        except (scenario.ScenarioError, tour.TourError) as error:
            sys.stderr.write(f"tefuda: {error}\n")
            unreadable.append(str(error))
    failed = [result for result in results if not result.passed]
    if as_json:
        print_json({"cases": results, "unreadable": unreadable})
    else:
        for result in failed:
            sys.stdout.write(f"{result.file}: {result.case}: {'; '.join(result.failures)}\n")
        sys.stdout.write(f"{len(results) - len(failed)} passed, {len(failed) + len(unreadable)} failed\n")
    raise typer.Exit(2 if unreadable else int(bool(failed)))


def _scenario_files(paths: Sequence[Path]) -> Iterable[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob("*.toml"))
        if not found:
            raise TefudaError(f"{path}: no .toml files in this folder")
        yield from found


def _is_tour(path: Path) -> bool:
    """Tell if a file has steps; what is wrong with one that cannot be read is for others to say."""
    try:
        return "step" in toml.read(path)
    except TefudaError:
        return False


def _check_tour(path: Path) -> "scenario.CaseResult":
    """Play a tour: it counts as one case, which fails if a play in it does not follow the rules."""
    found, failures = tour.load(path), list[str]()
    try:
        tour.check(found)
    except tour.TourError as error:
        failures.append(str(error).removeprefix(f"{path}: "))
    return scenario.CaseResult(str(path), "tour", tuple(failures))
