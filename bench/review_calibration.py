"""Whether a review's figures are true: do players of known strength lose what their reviews say that they give away?

At one seat in turn each of several players plays the same deals; the other seats are played by rules of thumb. What a
player loses is what a rule-of-thumb player gains more there, measured; what the review says is what it finds given
away, less what it finds with the rule-of-thumb player. Were reviews perfect, all points would lie on the diagonal.
Reviews count only what two judges find, by the smaller of their figures, so that they may find less than was lost.

One cause of a difference is measured by itself: each fault is also tried in the deal as it lay, with the better play
and with the one that was made, both played on by rules of thumb, as the others here do play. If that brings less than
the review says, the worlds that it imagines are not those that the others' plays bring about.

    uv run --extra lab python -m bench.review_calibration                          # all games, and draw docs/review/
    uv run --extra lab python -m bench.review_calibration --games kakkuri --deals 300 --players random hints:slip=50
"""

import argparse
from collections.abc import Sequence
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from bench.search_convergence import margin
from matplotlib.figure import Figure
from numpy.typing import NDArray

import tefuda
from tefuda.bots.players import Bot, bot
from tefuda.bots.review import PLAYOUTS, Decision, Reviewer, choices
from tefuda.engine.objective import gain_weights
from tefuda.engine.play import HINTS, play_batch
from tefuda.games import names
from tefuda.lab.report.plots import ARMS, FAINT, STYLE, to_svg
from tefuda.table.deal import Deal
from tefuda.table.game import Game

DOCS = Path(__file__).parents[1] / "docs" / "review"

MEASURE = "hints"
"""The player with whom all others are compared, and who plays the other seats."""

PLAYERS = ("random", "hints:slip=50", "hints:slip=25", "hints:slip=10", "search:100it", "search:500it", "net")


class Calibration(NamedTuple):
    """One game, in what people count a deal; shape (players, deals).

    Attributes:
        players: specs.
        given: what reviews find given away, however good the player.
        true: what the better plays would have brought more in the deals as they lay.
        said: what they find given away more than by ``MEASURE``.
        lost: what was lost against it.
    """

    players: Sequence[str]
    given: NDArray[np.float64]
    true: NDArray[np.float64]
    said: NDArray[np.float64]
    lost: NDArray[np.float64]


def main() -> None:
    """Measure and draw."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="+", default=names(), choices=names(), metavar="GAME")
    asked.add_argument("--players", nargs="+", default=PLAYERS, metavar="BOT", help=f"default: {' '.join(PLAYERS)}")
    asked.add_argument("--deals", type=int, default=300, help="a player (default 300)")
    asked.add_argument("--minutes", type=float, default=inf, help="after them no further deal of a game is played")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--plots", type=Path, default=DOCS, help="folder for the pictures (default docs/review)")
    given = asked.parse_args()
    given.plots.mkdir(parents=True, exist_ok=True)
    for game in given.games:
        found = measure(tefuda.load(game), given.players, given.deals, given.seed, given.minutes)
        tell(game, found)
        draw(game, found, given.plots / f"calibration-{game}.svg")


def measure(game: Game, specs: Sequence[str], deals: int, seed: int, minutes: float) -> Calibration:
    """Play and review deals with every player, each at the seat whose turn it is, as many as the time allows."""
    end = monotonic() + 60 * minutes
    players = [spec for spec in specs if spec != "net" or game.description.files.net]
    bots = {spec: bot(spec) for spec in (MEASURE, *players)}
    reviewer = Reviewer(seed=seed)
    columns = []
    for number in range(deals):
        if number >= 2 and monotonic() > end:
            break
        seat = number % game.seats
        judge = Judge(reviewer)
        column = []
        for player in bots.values():
            deal = play(game, player, bots[MEASURE], seat, seed * 1_000_000 + number)
            brought = gain(deal.array, np.array([deal.payoff()]), seat) / game.description.rules.unit
            column.append((*judge.faults(deal, seat), brought))
        columns.append(column)
    given, true, gains = np.array(columns).transpose(2, 1, 0)
    return Calibration(players, given[1:], true[1:], given[1:] - given[0], gains[0] - gains[1:])


class Judge:
    """Judges the plays of several players in one deal; what they have in common, once."""

    def __init__(self, reviewer: Reviewer) -> None:
        self._reviewer = reviewer
        self._known: dict[tuple[object, ...], tuple[float, float]] = {}

    def faults(self, deal: Deal, seat: int) -> tuple[float, float]:
        """What a seat gave away, as the review finds, and in the deal as it lay."""
        said, true = 0.0, 0.0
        for choice in choices(deal, seat):
            key = (*choice.moment.history, choice.moment.array.tobytes(), choice.action)
            if key not in self._known:
                decision = self._reviewer.judge(choice)
                self._known[key] = decision.given_away, truth(deal, decision)
            said, true = said + self._known[key][0], true + self._known[key][1]
        return said, true


def truth(deal: Deal, decision: Decision) -> float:
    """What the better play brings more than the one made in the deal as it lay, both played on by rules of thumb."""
    if not decision.given_away:
        return 0.0
    found = []
    for word in (decision.best, decision.play):
        trial = deal.at(decision.plays)
        trial.play(word, decision.seat)
        many = np.repeat(trial.array, PLAYOUTS)
        payoffs = play_batch(many, np.full((PLAYOUTS, deal.game.seats), HINTS, np.int8), decision.plays, threads=1)
        found.append(gain(trial.array, payoffs, decision.seat))
    return (found[0] - found[1]) / deal.game.description.rules.unit


def gain(array: NDArray[Any], payoffs: NDArray[np.int64], seat: int) -> float:
    """A seat's mean gain over the others, in the game's smallest unit."""
    return float((payoffs @ gain_weights(array[0])[:, seat]).mean())


def play(game: Game, player: Bot, others: Bot, seat: int, seed: int) -> Deal:
    """A deal with the player at the seat."""
    deal = game.deal(seed)
    while not deal.over:
        tefuda.choose_play(player if deal.mover == seat else others, deal, seed)
    return deal


def tell(game: str, found: Calibration) -> None:
    """Print the figures."""
    print(f"{game}: more given away and more lost a deal than by {MEASURE}, {found.said.shape[1]} deals a player")
    for player, given, true, said, lost in zip(*found, strict=True):
        away = f"gives away {estimate(given)}   than as the deals lay {estimate(given - true)}"
        more = f"more {estimate(said)}   lost {estimate(lost)}   than lost {estimate(said - lost)}"
        print(f"  {player:16} {away}   {more}", flush=True)


def estimate(values: NDArray[np.float64]) -> str:
    """A mean with its 95 % interval."""
    return f"{values.mean():+8.2f} ± {margin(values):5.2f}"


def draw(game: str, found: Calibration, path: Path) -> None:
    """What reviews say beside what was lost, and the diagonal."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(5, 4.4), layout="constrained")
        axes = figure.subplots()
        said, lost = found.said.mean(1), found.lost.mean(1)
        ends = [min(said.min(), lost.min(), 0), max(said.max(), lost.max(), 0)]
        axes.plot(ends, ends, color=FAINT, linewidth=1)
        axes.errorbar(
            said, lost, xerr=[margin(each) for each in found.said], yerr=[margin(each) for each in found.lost],
            fmt="o", markersize=4, color=ARMS[0], elinewidth=1,
        )  # fmt: skip
        for player, x, y in zip(found.players, said, lost, strict=True):
            axes.annotate(player, (x, y), xytext=(6, -4), textcoords="offset points", fontsize=8)
        axes.set_xlabel("given away more than by the rules of thumb, as reviews find, a deal")
        axes.set_ylabel("lost against the rules of thumb, a deal")
        axes.set_title(f"{game}: {found.said.shape[1]} deals a player", fontsize=9)
        path.write_text(to_svg(figure, f"{game}: what reviews find given away, and what was lost"), "utf-8")


if __name__ == "__main__":
    main()
