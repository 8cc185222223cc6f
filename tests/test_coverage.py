"""Nothing is left out: every rule, option value and reason of every game is met by a test or a scenario."""

import random
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.description import Description
from tefuda.engine.notation import is_declaration
from tefuda.engine.option import Option, Value
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.games import description, names
from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.table.scenario import check_file, run_case
from tefuda.testing import option_sets, other_values, play_words, playouts
from tests.contract.particulars import folder, particulars, scenario_files

GAMES = names()

WORDS_ASKED = 8
"""So many plays, legal or not, are asked about at a moment of the random deals."""

EVERY = 3
"""One moment of so many."""

MOST_TOGETHER = 5
"""So many cards of a hand are put together at most, where any will do."""

CITING = [
    path
    for top in ("src", "docs", "examples", "experiments")
    for path in sorted((Path(__file__).parent.parent / top).rglob("*"))
    if path.suffix in (".py", ".toml", ".md", ".js")
]
"""Files that may name a rule of any game."""

Case = dict[str, Any]


@cache
def english(game: str) -> dict[str, Any]:
    return tomllib.loads((description(game).files.texts / "en.toml").read_text("utf-8"))


@cache
def cases(game: str) -> list[Case]:
    """Every case of the game's scenario files, with what stands above the cases of its file."""
    found = []
    for path in scenario_files(game):
        file = tomllib.loads(path.read_text("utf-8"))
        above = {key: value for key, value in file.items() if key != "case"}
        for case in file["case"]:
            options = {**above.get("options", {}), **case.get("options", {})}
            found.append({**above, **case, "options": options})
    return found


@cache
def rules_named(game: str) -> set[str]:
    """The rule numbers in the game's own tests and scenarios."""
    paths = [*folder(game).rglob("*.py"), *folder(game).rglob("*.toml"), *scenario_files(game)]
    return {rule for path in paths for rule in numbers_in(game, path)}


def numbers_in(game: str, path: Path) -> list[str]:
    return re.findall(rf"\b{description(game).rules.prefix}-[0-9A-Za-z]+", text_of(path))


@cache
def text_of(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def codes_given(game: str, longer: bool) -> set[str]:
    """The code of every reason that the scenarios ask for, and that random deals give at some of their moments.

    No more is asked once all reasons have been given, unless ``longer``."""
    codes: set[str] = set()
    ask, wanted = Deal.why_not, set(english(game)["why"])

    def note(deal: Deal, *arguments: Any) -> Any:
        reason = ask(deal, *arguments)
        if reason is not None:
            codes.add(reason.code)
        return reason

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Deal, "why_not", note)
        for path in scenario_files(game):
            check_file(path)
        for _ in ask_at_random(description(game)):
            if wanted <= codes and not longer:
                break
    return codes


def ask_at_random(game: Description) -> Iterator[None]:
    """Ask about plays, legal or not, at some moments of two deals of each option set; also within a play.

    Yields after each deal."""
    chance = random.Random(5)
    for number, (seats, options) in enumerate(option_sets(game, combinations=4)):
        for playout in playouts(load(game.name, seats, **options), 2, number):
            words = play_words(playout)
            deal = playout.again()
            for moment, action in enumerate(playout.actions.tolist()):
                if moment % EVERY == 0:
                    ask_now(deal, words, chance)
                deal.act(action)
            deal.why_not(chance.choice(words), 0)
            yield


def ask_now(deal: Deal, words: list[str], chance: random.Random) -> None:
    """Ask about some plays of the mover, and about one play and all declarations of any seat."""
    for word in [*chance.sample(words, min(WORDS_ASKED, len(words))), *held_together(deal, chance)]:
        deal.why_not(word, deal.mover)
    for word in (chance.choice(words), *filter(is_declaration, deal.game.description.notation.single)):
        deal.why_not(word, chance.randrange(deal.game.seats))


def held_together(deal: Deal, chance: random.Random) -> list[str]:
    """Some cards of the mover's hand as a play, face up and face down."""
    hand = deal.view(deal.mover).to_dict()["hands"]
    cards = "+".join(chance.sample(hand, min(len(hand), chance.randint(1, MOST_TOGETHER))))
    return [cards, f"~{cards}"]


def options_of(game: str, *, numbers: bool) -> list[Option]:
    return [option for option in description(game).rules.options if (type(option.default) is int) == numbers]


def chooses(game: str, case: Case, option: str, value: Value) -> bool:
    number = description(game).rules.option_by_name[option].number
    return option in case["options"] and number(case["options"][option]) == number(value)


def fails_with(case: Case, option: str, value: Value) -> bool:
    return bool(run_case({}, {**case, "options": {**case["options"], option: value}}))


RULES = [(game, rule) for game in GAMES for rule in english(game)["rules"]]
REASONS = [(game, code) for game in GAMES for code in english(game)["why"]]
VALUES = [
    (game, option.name, value)
    for game in GAMES
    for option in options_of(game, numbers=False)
    for value in other_values(option)
]
NUMBERS = [(game, option.name) for game in GAMES for option in options_of(game, numbers=True)]


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_numbered_without_a_gap(game: str) -> None:
    prefix = description(game).rules.prefix
    rules = list(english(game)["rules"])
    assert rules == [f"{prefix}-{number}" for number in range(1, len(rules) + 1)]


@pytest.mark.parametrize("game", GAMES)
def test_every_number_named_can_be_looked_up(game: str) -> None:
    """In code, texts, documents and examples, and in the game's own tests."""
    named = rules_named(game) | {rule for path in CITING for rule in numbers_in(game, path)}
    assert named <= set(english(game)["rules"])


@pytest.mark.parametrize(("game", "rule"), RULES)
def test_rule_is_named_by_a_test_or_scenario(game: str, rule: str) -> None:
    assert rule in rules_named(game)


@pytest.mark.parametrize(("game", "option", "value"), VALUES)
def test_option_value_decides_a_scenario(game: str, option: str, value: Value) -> None:
    """Some case holds with this value and does not with the default."""
    default = description(game).rules.option_by_name[option].default
    deciding = [case for case in cases(game) if chooses(game, case, option, value)]
    assert deciding, f"no scenario has {option}={value}"
    assert (option, value) in particulars(game).beside_play or any(
        fails_with(case, option, default) for case in deciding
    )


@pytest.mark.parametrize(("game", "option"), NUMBERS)
def test_number_decides_a_scenario(game: str, option: str) -> None:
    default = description(game).rules.option_by_name[option].default
    deciding = [case for case in cases(game) if case["options"].get(option, default) != default]
    assert deciding, f"no scenario changes {option}"
    assert any(fails_with(case, option, default) for case in deciding)


@pytest.mark.parametrize(("game", "code"), REASONS)
def test_reason_is_given_somewhere(game: str, code: str) -> None:
    assert code in codes_given(game, False)


@pytest.mark.parametrize("longer", [False, pytest.param(True, marks=pytest.mark.deep)])
@pytest.mark.parametrize("game", GAMES)
def test_every_reason_given_has_a_text(game: str, longer: bool) -> None:
    """In the game's texts; or in the common ones, where the table itself refuses what no rule is about."""
    common = catalogue(TEXTS, LANGUAGES[0]).under("why")
    assert codes_given(game, longer) <= {*english(game)["why"], *common}


@pytest.mark.parametrize("game", GAMES)
def test_the_game_says_what_it_is_and_how_plays_are_written(game: str) -> None:
    assert {"title", "native", "about", "example"} <= set(english(game))
