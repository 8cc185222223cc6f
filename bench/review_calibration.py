"""Whether a review's figures are true: each play that it finds given away, played on again by nested play.

Strong players, nets by default, play deals; one seat of each deal is reviewed. Where the review says that another play
was better, both are played on in further worlds by nested play, in which every seat searches at each of its choices:
no judge of reviews plays better, and this one searches six times as long as the one that confirms their findings. The
figures should agree, and few findings may have the wrong sign. What is found is kept deal by deal; the same command
goes on.

    uv run --extra lab python -m bench.review_calibration                          # all games, and draw docs/review/
    uv run --extra lab python -m bench.review_calibration --games kakkuri --deals 300 --player strongest
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from bench.search_convergence import estimate
from matplotlib.figure import Figure

import tefuda
from tefuda.bots.advice import first_actions, listed
from tefuda.bots.nested_search import roll_out_nested
from tefuda.bots.play_estimates import SURE
from tefuda.bots.players import bot
from tefuda.bots.review import Reviewer, choices
from tefuda.engine import cache
from tefuda.games import names
from tefuda.lab.report.plots import ARMS, FAINT, STYLE, to_svg
from tefuda.table.deal import Deal
from tefuda.table.game import Game

DOCS = Path(__file__).parents[1] / "docs" / "review"

DEALS = {"gong-zhu": 300}
OTHER_DEALS = 100

FIRST_SEED = 80_000_000  # of the deals; training, problems and the test set use others
WORLDS, SIMULATIONS = 60, 60  # of nested play


@dataclass(frozen=True)
class Finding:
    """A play that a review finds given away, as people count it: what it claims, its range, and what nested play finds,
    a mean and its standard error."""

    deal: int
    plays: int
    play: str
    best: str
    claim: float
    low: float
    high: float
    nested: float
    error: float

    @property
    def is_wrong(self) -> bool:
        """True if nested play finds the play that was made clearly better."""
        return self.nested < -SURE * self.error

    @property
    def agrees(self) -> bool:
        """True if both ranges have something in common."""
        return self.nested - SURE * self.error <= self.high and self.nested + SURE * self.error >= self.low


def main() -> None:
    """Measure and draw."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="+", default=names(), choices=names(), metavar="GAME")
    asked.add_argument("--player", default="net", metavar="BOT", help="who plays the deals (default net)")
    asked.add_argument(
        "--deals", type=int, help=f"default {DEALS['gong-zhu']} of Gong Zhu, {OTHER_DEALS} of the others"
    )
    asked.add_argument("--kept", type=Path, default=cache.root() / "calibration", help="folder for what is found")
    asked.add_argument("--plots", type=Path, default=DOCS, help="folder for the pictures (default docs/review)")
    given = asked.parse_args()
    given.plots.mkdir(parents=True, exist_ok=True)
    given.kept.mkdir(parents=True, exist_ok=True)
    for game in given.games:
        deals = given.deals or DEALS.get(game, OTHER_DEALS)
        kept = given.kept / f"{game}-{given.player.partition(':')[0]}-{cache.key()[:12]}.jsonl"
        found = measure(tefuda.load(game), given.player, deals, kept)
        tell(game, deals, found)
        if len(found) > 1:
            draw(game, deals, found, given.plots / f"calibration-{game}.svg")


def measure(game: Game, player: str, deals: int, kept: Path) -> list[Finding]:
    """Play and review so many deals, less those that are kept."""
    reviewer = Reviewer()
    if not kept.exists():
        kept.touch()
    rows = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    with kept.open("a", encoding="utf-8") as file:
        for number in range(len(rows), deals):
            row = [asdict(each) for each in judge(game, player, reviewer, number)]
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            rows.append(row)
            print(f"\r{game.name}: {number + 1} of {deals}", end="", flush=True)
    print()
    return [Finding(**each) for row in rows[:deals] for each in row]


def judge(game: Game, player: str, reviewer: Reviewer, number: int) -> Iterator[Finding]:
    """Yield what the review of a deal finds, at one seat in turn."""
    deal, seat = played(game, player, FIRST_SEED + number), number % game.seats
    for choice in choices(deal, seat):
        decision, moment = reviewer.judge(choice), choice.moment
        if decision.given_away:
            tried = [*first_actions(moment, [decision.best]), listed(moment, choice.action)]
            seeds = (FIRST_SEED + number, decision.plays)
            nested = roll_out_nested(game.description, moment.array, seat, tried, seeds, WORLDS, SIMULATIONS)
            mean, error = (figure / game.description.rules.unit for figure in nested.more)
            claimed = (decision.given_away, decision.low, decision.high)
            yield Finding(number, decision.plays, decision.play, decision.best, *claimed, mean, error)


def played(game: Game, player: str, seed: int) -> Deal:
    """A deal that such players have played."""
    deal, mover = game.deal(seed), bot(player)
    while not deal.over:
        tefuda.choose_play(mover, deal, seed)
    return deal


def tell(game: str, deals: int, found: list[Finding]) -> None:
    """Print the figures."""
    print(f"{game}: {len(found)} findings in {deals} deals")
    if len(found) > 1:
        claims, nested = (np.array([getattr(each, name) for each in found]) for name in ("claim", "nested"))
        wrong, apart = sum(each.is_wrong for each in found), sum(not each.agrees for each in found)
        print(f"  reviews say {estimate(claims)}, nested play {estimate(nested)}")
        print(f"  the play made is better in {sum(nested < 0)}, clearly in {wrong}; ranges apart in {apart}")


def draw(game: str, deals: int, found: list[Finding], path: Path) -> None:
    """What reviews claim beside what nested play finds, and the diagonal."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(5, 4.4), layout="constrained")
        axes = figure.subplots()
        claims, nested = [each.claim for each in found], [each.nested for each in found]
        axes.axhline(0, color=FAINT, linewidth=0.8)
        axes.plot([0, max(claims)], [0, max(claims)], color=FAINT, linewidth=1)
        reach = [(each.claim - each.low, each.high - each.claim) for each in found]
        axes.errorbar(
            claims, nested, xerr=np.array(reach).T, yerr=[SURE * each.error for each in found],
            fmt="o", markersize=3, color=ARMS[0], elinewidth=0.6, alpha=0.7,
        )  # fmt: skip
        axes.set_xlabel("what reviews say was given away")
        axes.set_ylabel("what nested play finds")
        axes.set_title(f"{game}: {len(found)} findings in {deals} deals", fontsize=9)
        path.write_text(to_svg(figure, f"{game}: what reviews claim, and what nested play finds"), "utf-8")


if __name__ == "__main__":
    main()
