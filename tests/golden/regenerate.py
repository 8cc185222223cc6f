"""Writes the golden files anew: ``python -m tests.golden.regenerate``, by hand, and the difference is read in review.

Records (``tests/<game>/golden/*.tfd``) never change unless the version of the rules does: those of the present version
are kept. The readable playthrough (``playthrough.txt``) is every answer of the API in one seeded deal; it changes with
texts, hints and views."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import games
from tefuda.engine import rng, verbs
from tefuda.engine.texts import LANGUAGES
from tefuda.table.deal import Deal
from tefuda.table.game import Game, Session
from tefuda.table.reasons import say_line
from tefuda.table.record import Record
from tefuda.table.view import View
from tests.contract.particulars import Recording, folder, particulars

DEALS = 5
PLAYERS = ("East", "South", "West", "North", "Centre", "Sixth", "Seventh", "Eighth")


# Records


def records_of(name: str) -> Path:
    """The folder of a game's golden records."""
    return folder(name) / "golden"


def session_record(name: str, table: Recording) -> str:
    """A session in which seats play by the rule of thumb and at random by turns."""
    session = Session(Game(games.description(name), table.seats, table.options), table.seed)
    generator = rng.generator((table.seed, 1_000_000))
    for number in range(DEALS):
        deal = session.next_deal()
        while not deal.over:
            deal.play(hint(deal, generator) if (deal.mover + number) % 3 else random_play(deal, generator))
    return session.record(PLAYERS[: session.game.seats])


def hint(deal: Deal, generator: rng.Rng) -> str:
    """The play of the rule of thumb, from what the mover sees."""
    trial = deal.copy()
    while len(trial.history) == len(deal.history):
        trial.act(int(verbs.advise(trial.view(trial.mover).record, generator)))
    return trial.history[-1][1]


def random_play(deal: Deal, generator: rng.Rng) -> str:
    trial = deal.copy()
    while len(trial.history) == len(deal.history):
        actions = trial.legal_actions()
        trial.act(actions[rng.below(generator, len(actions))])
    return trial.history[-1][1]


def is_current(path: Path, name: str) -> bool:
    """Whether the record was written by the present version of the rules."""
    return path.exists() and Record.read(path).rules == games.description(name).rules_version


# The readable playthrough

PLAYTHROUGH_SEED = 7


def playthrough(name: str) -> str:
    """Every answer of the API in one deal, as text."""
    game = Game(games.description(name))
    deal, generator, told = game.deal(PLAYTHROUGH_SEED), rng.generator((PLAYTHROUGH_SEED, 1)), Counter[str]()
    lines = [f"{game.name}, {game.seats} seats, default options, seed {PLAYTHROUGH_SEED}"]
    while not deal.over:
        advised = hint(deal, generator)
        chosen = random_play(deal, generator) if len(deal.history) % 4 == 3 else advised
        lines += ["", f"{len(deal.history) + 1}. seat {deal.mover} is to play", *answers(deal, advised, told)]
        lines.append(f"   plays:   {chosen}")
        deal.play(chosen)
    return "\n".join([*lines, "", *ending(deal)]) + "\n"


def answers(deal: Deal, advised: str, told: Counter[str]) -> Iterator[str]:
    """What the API says at one decision."""
    yield f"   legal:   {' '.join(deal.legal())}"
    yield f"   hint:    {advised}"
    yield from refusal(deal, told)
    yield f"   view:    {json.dumps(short_view(deal), ensure_ascii=False)}"


def refusal(deal: Deal, told: Counter[str]) -> Iterator[str]:
    """A play that is refused, of those whose reason has been told least often so far."""
    reasons = {word: deal.why_not(word) for word in getattr(deal.game.description.notation, "words", ())}
    refused = {word: reason for word, reason in reasons.items() if reason is not None}
    if refused:
        word = min(refused, key=lambda each: told[refused[each].code])
        told[refused[word].code] += 1
        yield f"   refused: {word}: {refused[word]}"


def short_view(deal: Deal) -> dict[str, Any]:
    """The mover's view, without what is as on a table where nothing has been dealt."""
    empty = View(deal.game.description, deal.game.template, deal.mover).to_dict(named=False)
    return {name: value for name, value in deal.view(deal.mover).to_dict(named=False).items() if value != empty[name]}


def ending(deal: Deal) -> Iterator[str]:
    """What the API says of a finished deal."""
    description = deal.game.description
    yield f"payoff: {deal.payoff()}"
    for seat in range(deal.game.seats):
        for language in LANGUAGES:
            lines = [say_line(description, line, language) for line in description.display.sheet(deal.state, seat)]
            yield f"sheet of seat {seat} ({language}): {'; '.join(lines)}"
    yield f"facts: {json.dumps(dict(deal.facts()), default=np.ndarray.tolist)}"
    yield f"a spectator sees: {json.dumps(deal.view(-1).to_dict(named=False), ensure_ascii=False)}"
    yield "record:"
    yield deal.record().rstrip()


def main() -> None:
    """Write what is missing or no longer right."""
    for name in games.names():
        golden = records_of(name)
        golden.mkdir(exist_ok=True)
        for table in particulars(name).recordings:
            path = golden / f"{table.name}.tfd"
            if not is_current(path, name):
                path.write_text(session_record(name, table), "utf-8")
        (golden / "playthrough.txt").write_text(playthrough(name), "utf-8")


if __name__ == "__main__":
    main()
