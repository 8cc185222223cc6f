"""With ``NUMBA_DISABLE_JIT=1`` the rules are plain Python, and give the same, byte for byte, without a warning.

Run as a script, this file prints what there is to compare; the test runs it so in a second Python."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tefuda import games
from tefuda.engine import rng, verbs, views
from tefuda.table.game import Game
from tefuda.table.record import Record
from tefuda.table.scenario import check_file
from tefuda.testing import Playout, option_sets, play_out

TESTS = Path(__file__).parent


def transcript(deep: bool) -> Iterator[str]:
    """What compiled and plain rules must agree on, a line each.

    At the usual table; ``deep``: at tables of every size and with four combinations of options drawn at random, in
    scenarios and in all golden records."""
    yield from random_numbers()
    for name in games.names():
        sets = option_sets(games.description(name), combinations=4, seed=3)
        plain = [(seats, options) for seats, options in sets if not options]
        chosen = [*plain, *sets[-4:]] if deep else plain[:1]
        for number, (seats, options) in enumerate(chosen):
            yield from deals(Game(games.description(name), seats, options), number)
    if deep:
        yield from scenarios()
    yield from replays("*.tfd" if deep else "default.tfd")


def random_numbers() -> Iterator[str]:
    generator, cards = rng.generator((2026, 7)), np.arange(52)
    rng.shuffle(generator, cards)
    drawn = [int(rng.below(generator, n)) for n in range(1, 200)]
    yield f"random numbers {cards.tolist()} {drawn} {[int(word) for word in generator]}"


def deals(game: Game, number: int) -> Iterator[str]:
    """Two deals of one game, the second from what the first hands on: one at random, one by the rule of thumb."""
    first = play_out(game, (number, 1))
    yield from moments(first)
    yield from moments(play_out(game, (number, 2), first.deal.following(), hints=True))


def moments(played: Playout) -> Iterator[str]:
    """Every moment of a deal: the state, a seat's view, a world imagined from it, the mover's hint."""
    yield f"{played}: {played.actions.tolist()}"
    generator, world = rng.generator(played.seed), np.zeros(1, played.states.dtype)
    for k in range(len(played.states)):
        seat = (k % (played.game.seats + 1)) - 1
        view = views.observe_all(played.states[k : k + 1], np.array([seat]))
        verbs.imagine(view[0], generator, world[0])
        hint = verbs.advise(played.states[k], generator) if played.movers[k] >= 0 else None
        yield f"{k}: {digest(played.states[k])} {digest(view)} {digest(world)} {hint} {int(generator[0])}"
    yield f"{played.deal.payoff()} {digest(played.deal.following())} {plain_facts(played)}"
    yield played.deal.record()


def digest(state: Any) -> str:
    return hashlib.sha256(state.tobytes()).hexdigest()[:16]


def plain_facts(played: Playout) -> str:
    return json.dumps(dict(played.deal.facts()))


def scenarios() -> Iterator[str]:
    """The outcome of every case of every scenario file."""
    shipped = [path for name in games.names() for path in games.description(name).files.scenarios]
    for path in [*shipped, *sorted(TESTS.glob("*/scenarios/*.toml"))]:
        for outcome in check_file(path):
            yield f"{path.name}: {outcome.case}: {outcome.failures}"


def replays(names: str) -> Iterator[str]:
    """The end of golden records; they were written by compiled rules."""
    for path in sorted(TESTS.glob(f"*/golden/**/{names}")):
        for deal in Record.read(path).replay().deals:
            yield f"{path.name}: {deal.payoff()} {digest(deal.state)}"


@pytest.mark.parametrize("deep", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_plain_python_agrees_with_compiled_code(deep: bool) -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-W", "error", __file__, *(["deep"] if deep else [])]
    plain = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert plain.returncode == 0, plain.stderr
    compiled = "\n".join(transcript(deep)).splitlines()
    for number, (here, there) in enumerate(zip(compiled, plain.stdout.splitlines(), strict=True)):
        assert here == there, f"line {number}: compiled and plain Python differ"


if __name__ == "__main__":
    sys.stdout.write("\n".join(transcript("deep" in sys.argv)))
