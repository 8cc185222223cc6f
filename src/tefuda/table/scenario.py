"""Scenario files: rulings anyone can write and run (TOML; every key is checked, none ignored)."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tefuda.engine.errors import TefudaError
from tefuda.engine.description import nearest
from tefuda.engine.notation import NotationError
from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.table.reasons import IllegalPlay

FILE_KEYS = ("game", "seats", "options", "case")
CASE_KEYS = ("name", "rules", "game", "seats", "options", "position", "deal", "moves", "expect")
PLAY_KEYS = ("legal", "has", "lacks", "count", "why")
SHARED_FACTS = ("to_move", "payoff")


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
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ScenarioError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ScenarioError(f"{path}: not TOML: {error}") from error
    unknown = [key for key in table if key not in FILE_KEYS]
    if unknown:
        raise ScenarioError(f"{path}: no key {unknown[0]!r}{nearest(unknown[0], FILE_KEYS)}")
    cases = table.get("case")
    if not isinstance(cases, list) or not cases:
        raise ScenarioError(f"{path}: it has no [[case]]")
    return [_run(path, table, number, case) for number, case in enumerate(cases, 1)]


def _run(path: Path, file: Mapping[str, Any], number: int, case: Mapping[str, Any]) -> Outcome:
    name = str(case.get("name", f"case {number}"))
    try:
        failures = tuple(_failures(file, case))
    except (ValueError, TypeError) as error:
        failures = (str(error),)
    return Outcome(str(path), name, failures)


def _failures(file: Mapping[str, Any], case: Mapping[str, Any]) -> Iterable[str]:
    _known(case, CASE_KEYS, "case")
    expect = case.get("expect")
    if not isinstance(expect, Mapping) or not expect:
        raise ScenarioError("it has no [case.expect]")
    deal = _begin(_game(file, case), case)
    _known(expect, [*PLAY_KEYS, *SHARED_FACTS, *deal.game.description.fact_names], "expect")
    for text in case.get("moves", ()):
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
    options = {**file.get("options", {}), **case.get("options", {})}
    return load(name, case.get("seats", file.get("seats")), **options)


def _begin(game: Game, case: Mapping[str, Any]) -> Deal:
    if ("position" in case) == ("deal" in case):
        raise ScenarioError("give either [case.position] or [case.deal]")
    if "position" in case:
        return game.position(case["position"])
    fields = dict(case["deal"])
    seed, deck = fields.pop("seed", None), fields.pop("deck", None)
    if (seed is not None) + (deck is not None) + ("hands" in fields) != 1:
        raise ScenarioError("deal: give one of hands, deck and seed")
    return game.deal(0 if seed is None else seed, deck=deck, **fields)


def _move(deal: Deal, text: str) -> str | None:
    """Make one of the moves; what is wrong with it, or None."""
    seat, colon, word = str(text).partition(":")
    if not colon or not seat.strip().isdigit():
        return f"moves: {text!r} is not written as seat:play"
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
            yield from _compare_reasons(deal, expected)
        elif key in PLAY_KEYS:
            yield from _compare_plays(deal, key, expected)
        else:
            found = _fact(deal, key)
            if found != expected:
                yield f"{key}: expected {expected}, found {found}"


def _fact(deal: Deal, key: str) -> Any:
    if key == "to_move":
        return deal.mover
    if key == "payoff":
        return deal.payoff()
    facts = deal.facts()
    return facts.get(key, "nothing: the deal is not over")


def _compare_plays(deal: Deal, key: str, expected: Any) -> Iterable[str]:
    legal = [] if deal.over else deal.legal()
    if key == "count":
        if len(legal) != expected:
            yield f"count: expected {expected}, found {len(legal)}: {' '.join(legal)}"
        return
    normal = deal.game.description.notation.normal
    wanted, found = {normal(word) for word in expected}, {normal(word) for word in legal}
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
