"""Scenario files: rulings anyone can write and run (TOML; every key is checked, none ignored)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.engine import toml
from tefuda.engine.description import nearest
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import NotationError
from tefuda.engine.positions import is_number, whole_number
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import IllegalPlay

FILE_KEYS = ("game", "seats", "options", "case")
CASE_KEYS = ("name", "rules", "game", "seats", "options", "position", "deal", "moves", "expect")
PLAY_KEYS = ("legal", "has", "lacks", "count", "why")
SHARED_FACTS = ("to_move", "payoff")
AMOUNTS = ("payoff", "totals")
"""Facts that a scenario gives as people count them."""


class ScenarioError(TefudaError):
    """A file that cannot be run; the message names the file and what is wrong."""


@dataclass(frozen=True)
class Outcome:
    """How one case ended.

    Attributes:
        file, case: where it stands.
        failures: what was expected and what was found, a line each; empty if the case passed.
    """

    file: str
    case: str
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.failures


def check_file(path: Path) -> list[Outcome]:
    """Run every case of a scenario file.

    Raises:
        ScenarioError: the file cannot be read, or is not a scenario file.
    """
    table = toml.read(path, ScenarioError)
    unknown = [key for key in table if key not in FILE_KEYS]
    if unknown:
        raise ScenarioError(f"{path}: no key {unknown[0]!r}{nearest(unknown[0], FILE_KEYS)}")
    cases = table.get("case")
    if not isinstance(cases, list) or not cases or not all(isinstance(case, dict) for case in cases):
        raise ScenarioError(f"{path}: it has no [[case]]")
    names = [str(case.get("name", f"case {number}")) for number, case in enumerate(cases, 1)]
    return [Outcome(str(path), name, run_case(table, case)) for name, case in zip(names, cases, strict=True)]


def run_case(file: Mapping[str, Any], case: Mapping[str, Any]) -> tuple[str, ...]:
    """What was expected and what was found in one case, a line for each failure; empty if it passes.

    Args:
        file: what stands above the cases: game, seats, options.
    """
    try:
        return tuple(_failures(file, case))
    except TefudaError as error:
        return (str(error),)


# What a file may hold. Each reader names the key whose value will not do.


def _words(given: Mapping[str, Any], key: str) -> list[str]:
    value = given.get(key, [])
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise ScenarioError(f"{key}: {value!r} is not a list of words")
    return value


def _table(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = given.get(key, {})
    if not isinstance(value, dict):
        raise ScenarioError(f"{key}: {value!r} is not a table of keys and values")
    return value


def _number(given: Mapping[str, Any], key: str, least: int = 0) -> int:
    value = whole_number(given[key], key)
    if value < least:
        raise ScenarioError(f"{key}: {value} is below {least}")
    return value


def _failures(file: Mapping[str, Any], case: Mapping[str, Any]) -> Iterable[str]:
    _known(case, CASE_KEYS, "case")
    _words(case, "rules")
    expect = _table(case, "expect")
    if not expect:
        raise ScenarioError("it has no [case.expect] with something to expect")
    deal = begin(_game(file, case), case)
    _known(expect, [*PLAY_KEYS, *SHARED_FACTS, *deal.game.description.setup.fact_names], "expect")
    for text in _words(case, "moves"):
        failure = _move(deal, text)
        if failure:
            yield failure
            return
    yield from _compare(deal, expect)


def _known(given: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    known = list(known)
    for key in given:
        if key not in known:
            raise ScenarioError(f"{where}: no key {key!r}{nearest(key, known)}")


def _game(file: Mapping[str, Any], case: Mapping[str, Any]) -> Game:
    name = case.get("game", file.get("game"))
    if not isinstance(name, str):
        raise ScenarioError("it names no game")
    options = {**_table(file, "options"), **_table(case, "options")}
    return Game(games.description(name), case.get("seats", file.get("seats")), options)


def begin(game: Game, case: Mapping[str, Any]) -> Deal:
    """The deal of a case, from its ``deal`` or ``position``.

    Raises:
        TefudaError: it has not one of them, or it cannot be dealt.
    """
    if ("position" in case) == ("deal" in case):
        raise ScenarioError("give either [case.position] or [case.deal]")
    if "position" in case:
        return game.position(_table(case, "position"))
    fields = dict(_table(case, "deal"))
    if sum(key in fields for key in ("hands", "deck", "seed")) != 1:
        raise ScenarioError("deal: give one of hands, deck and seed")
    # Whatever chance decides beside an order of cards that is given takes its first value: seat 0, say.
    seed, chance = (_number(fields, "seed"), None) if "seed" in fields else (0, 0)
    deck = fields.pop("deck", None)
    fields.pop("seed", None)
    return game.deal(seed, deck=deck, fields=fields, chance=chance)


def _move(deal: Deal, text: str) -> str | None:
    """Make one of the moves; what is wrong with it, or None.

    A seat that has only one answer to what it is asked may be left out: the table answers for it.
    """
    seat, colon, word = text.partition(":")
    if not colon or not is_number(seat):
        return f"moves: {text!r} is not written as seat:play"
    while int(seat) != deal.mover and (answer := deal.sole_answer()):
        deal.play(answer)
    if deal.over:
        return f"moves: {text}: the deal is over"
    if int(seat) != deal.mover:
        return f"moves: {text}: it is seat {deal.mover}'s turn"
    try:
        deal.play(word.strip())
    except (IllegalPlay, NotationError) as error:
        return f"moves: {text}: {error}"
    return None


def _compare(deal: Deal, expect: Mapping[str, Any]) -> Iterable[str]:
    for key, expected in expect.items():
        if key == "why":
            yield from _compare_reasons(deal, _table(expect, "why"))
        elif key in PLAY_KEYS:
            yield from _compare_plays(deal, key, expect)
        else:
            found = _fact(deal, key)
            if not _same(found, expected):
                yield f"{key}: expected {expected}, found {found}"


def _same(found: Any, expected: Any) -> bool:
    """Cards are a list or a text, in any order."""
    if isinstance(found, list) and all(isinstance(word, str) for word in found) and isinstance(expected, str | list):
        words = expected.split() if isinstance(expected, str) else expected
        return sorted(found) == sorted(map(str, words))
    return bool(found == expected)


def _fact(deal: Deal, key: str) -> Any:
    if key == "to_move":
        return deal.mover
    if key in AMOUNTS:
        amounts = deal.payoff() if key == "payoff" else deal.facts()[key]
        return [deal.game.description.rules.counted(amount) for amount in amounts]
    return deal.facts().get(key, "nothing: the deal is not over")


def _compare_plays(deal: Deal, key: str, expect: Mapping[str, Any]) -> Iterable[str]:
    legal = [] if deal.over else deal.legal()
    if key == "count":
        if len(legal) != _number(expect, key):
            yield f"count: expected {expect[key]}, found {len(legal)}: {' '.join(legal)}"
        return
    normal = deal.game.description.notation.normal
    given = [normal(word) for word in _words(expect, key)]
    wanted, found = set(map(deal.listed, given)), {normal(word) for word in legal}
    if len(set(given)) < len(given):
        yield f"{key}: a play stands twice in {' '.join(given)}"
    wrong = {"legal": wanted ^ found, "has": wanted - found, "lacks": wanted & found}[key]
    if wrong:
        yield f"{key}: expected {' '.join(sorted(wanted))}, found {' '.join(sorted(found))}"


def _compare_reasons(deal: Deal, expected: Mapping[str, str]) -> Iterable[str]:
    for word, rule in expected.items():
        reason = deal.why_not(word)
        if reason is None:
            yield f"why: {word}: expected {rule}, found that it is legal"
        elif reason.rule != rule:
            yield f"why: {word}: expected {rule}, found {reason}"
