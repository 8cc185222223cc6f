"""Scenario files: rulings anyone can write and run (TOML; every key is checked, none ignored)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tefuda import games
from tefuda.engine import toml, verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import NotationError, seat_and_play
from tefuda.engine.rng import generator
from tefuda.engine.toml import Table
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import IllegalPlay

FILE_KEYS = ("game", "seats", "options", "case")
CASE_KEYS = ("name", "rules", "game", "seats", "options", "position", "deal", "moves", "expect")
PLAY_KEYS = ("legal", "has", "lacks", "advised", "count", "why")
SHARED_FACTS = ("to_move", "payoff")
AMOUNTS = ("payoff", "totals")  #: facts that a scenario gives as people count them


class ScenarioError(TefudaError):
    """A file that cannot be run; the message names the file and what is wrong."""


@dataclass(frozen=True)
class CaseResult:
    """The result of one case of a scenario file: a line for each difference from what was expected, if any."""

    file: str
    case: str
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True if all that was expected was found."""
        return not self.failures


def check_file(path: Path) -> list[CaseResult]:
    """Run every case of a scenario file; ``ScenarioError`` if it is none."""
    file = toml.read(path, ScenarioError).only(FILE_KEYS)
    cases = file.tables("case")
    names = [str(case.get("name", f"case {number}")) for number, case in enumerate(cases, 1)]
    return [CaseResult(str(path), name, run_case(file, case)) for name, case in zip(names, cases, strict=True)]


def run_case(file: Mapping[str, object], case: Mapping[str, object]) -> tuple[str, ...]:
    """Run one ``[[case]]``, with the facts above all cases; list a line for each failure: expected and found."""
    try:
        # Errors of these tables name neither file nor case, which is for the caller to do.
        return tuple(_failures(*(Table(dict(given), "", ScenarioError) for given in (file, case))))
    except TefudaError as error:
        return (str(error),)


def _failures(file: Table, case: Table) -> Iterable[str]:
    case.only(CASE_KEYS)
    case.words("rules")
    expect = case.table("expect")
    if not expect:
        raise ScenarioError("it has no [case.expect] with something to expect")
    deal = begin(game_of(file, case), case)
    expect.only([*PLAY_KEYS, *SHARED_FACTS, *deal.game.description.setup.fact_names])
    for text in case.words("moves"):
        failure = _move(deal, text)
        if failure:
            yield failure
            return
    yield from _compare(deal, expect)


def game_of(file: Table, case: Table) -> Game:
    """Build the game of a case, with its seats and options; ``TefudaError`` if there is none."""
    name = case.text("game", file.text("game", ""))
    if not name:
        raise ScenarioError("it names no game")
    options = {**file.table("options"), **case.table("options")}
    return Game(games.description(name), case.get("seats", file.get("seats")), options)


def begin(game: Game, case: Table) -> Deal:
    """Begin the deal of a case, from its ``deal`` or ``position``; ``TefudaError`` if it cannot be dealt."""
    if ("position" in case) == ("deal" in case):
        raise ScenarioError("give either [case.position] or [case.deal]")
    if "position" in case:
        return game.position(case.table("position"))
    deal = case.table("deal")
    if sum(key in deal for key in ("hands", "deck", "seed")) != 1:
        raise deal.error("give one of hands, deck and seed")
    # Beside a given order of cards, all else that chance decides takes its first value: seat 0, say.
    seed, chance = (deal.number("seed", least=0), None) if "seed" in deal else (0, 0)
    fields = {key: value for key, value in deal.items() if key not in ("deck", "seed")}
    return game.deal(seed, deck=deal.get("deck"), fields=fields, chance=chance)


def _move(deal: Deal, text: str) -> str | None:
    """Make one of the moves, and say what is wrong with it; None if nothing is.

    A seat that has only one answer to what it is asked may be left out: the table answers for it."""
    try:
        seat, word = seat_and_play(text)
    except NotationError as error:
        return f"moves: {error}"
    while seat != deal.mover and (answer := deal.sole_answer()):
        deal.play(answer)
    if deal.over:
        return f"moves: {text}: the deal is over"
    if seat != deal.mover and deal.wish(seat) is None:
        return f"moves: {text}: it is seat {deal.mover}'s turn"
    try:
        deal.play(word, seat)
    except (IllegalPlay, NotationError) as error:
        return f"moves: {text}: {error}"
    return None


def _compare(deal: Deal, expect: Table) -> Iterable[str]:
    for key, expected in expect.items():
        if key == "why":
            yield from _compare_reasons(deal, expect.table("why"))
        elif key in PLAY_KEYS:
            yield from _compare_plays(deal, key, expect)
        else:
            found = _fact(deal, key)
            if not _same(found, expected):
                yield f"{key}: expected {expected}, found {found}"


def _same(found: object, expected: object) -> bool:
    """Compare facts; cards are a list or a text, in any order."""
    if isinstance(found, list) and all(isinstance(word, str) for word in found) and isinstance(expected, str | list):
        words = expected.split() if isinstance(expected, str) else expected
        return sorted(found) == sorted(map(str, words))
    return bool(found == expected)


def _fact(deal: Deal, key: str) -> object:
    if key == "to_move":
        return deal.mover
    if key in AMOUNTS:
        amounts = deal.payoff() if key == "payoff" else deal.facts()[key]
        return [deal.game.description.rules.counted(amount) for amount in amounts]
    return deal.facts().get(key, "nothing: the deal is not over")


def _compare_plays(deal: Deal, key: str, expect: Table) -> Iterable[str]:
    legal = [] if deal.over else deal.legal()
    if key == "count":
        if len(legal) != expect.number(key, least=0):
            yield f"count: expected {expect[key]}, found {len(legal)}: {' '.join(legal)}"
        return
    normal = deal.game.description.notation.normal
    given = [normal(word) for word in expect.words(key)]
    wanted, found = set(map(deal.listed, given)), {normal(word) for word in legal}
    if len(set(given)) < len(given):
        yield f"{key}: a play stands twice in {' '.join(given)}"
    if key == "advised" and legal:
        found = {deal.listed(deal.word(int(verbs.advise(deal.view(deal.mover).record, generator(0)))))}
    wrong = {"has": wanted - found, "lacks": wanted & found}.get(key, wanted ^ found)
    if wrong:
        yield f"{key}: expected {' '.join(sorted(wanted))}, found {' '.join(sorted(found))}"


def _compare_reasons(deal: Deal, expected: Mapping[str, str]) -> Iterable[str]:
    for word, rule in expected.items():
        reason = deal.why_not(word)
        if reason is None:
            yield f"why: {word}: expected {rule}, found that it is legal"
        elif reason.rule != rule:
            yield f"why: {word}: expected {rule}, found {reason}"
