"""How strong the bots are in every game: a ladder each, as a table and a picture in docs/ladders/.

    uv run --all-extras python -m bench.ladders                          # play, and write docs/ladders/
    uv run --all-extras python -m bench.ladders --games ma-diao --deals 200 --more search:2000it

Searches get as many simulations as took them so many milliseconds on one core (``bench/search_speed.py``), not the time
itself: so the figures do not depend on what else the machine does. Where the program is stopped it goes on, and with
more deals it plays only those that are missing."""

import argparse
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import tefuda
from tefuda.bots.search import IN_HASTE
from tefuda.cli.match_command import ladder_folder
from tefuda.games import names
from tefuda.lab.play.ladder import Ladder, LadderResult
from tefuda.lab.report.plots import ARMS, STYLE, WIDTH

DOCS = Path(__file__).parents[1] / "docs" / "ladders"

HASTY = ",".join(f"{name}={value}" for name, value in IN_HASTE.items())
"""How a search thinks in a short time where a net plays deals out."""

SEARCHES = {
    "gong-zhu": ("search:1000it", "search:3000it"),
    "kakkuri": ("search:930it", "search:4650it"),
    "luk-fu": (f"search:950it,{HASTY}", "search:350it"),
    "ma-diao": (f"search:460it,{HASTY}", "search:300it"),
    "sap-ng-wu": (f"search:250it,{HASTY}", "search:600it"),
}
"""Searches of about 10 ms a decision, and of longer."""

LONG = {"gong-zhu": 30, "kakkuri": 50, "luk-fu": 20, "ma-diao": 20, "sap-ng-wu": 35}
"""Milliseconds, about, that a decision takes the longer search."""


def bots_of(game: str, more: Sequence[str]) -> list[str]:
    """Who plays a game, the zero of the scale first."""
    return ["random", "hints", "net", *SEARCHES[game], *more]


def play(game: str, bots: Sequence[str], deals: int, seed: int, threads: int | None) -> LadderResult:
    """Play what is missing of a game's ladder."""
    table = tefuda.load(game)
    ladder = Ladder(table, bots, deals, seed, ladder_folder(table, seed), threads)
    columns = (TextColumn(game), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=deals * len(ladder.pairs))
        return ladder.play(lambda: bar.advance(task))


def page(result: LadderResult) -> str:
    """The table in Markdown, and under it what the figures are."""
    order = [each.bot for each in result.ratings]
    heads = ["bot", "rating", "95 % interval", *(f"over {place}" for place in range(1, len(order) + 1))]
    lines = [f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}"]
    for place, each in enumerate(result.ratings, 1):
        interval = "" if each.low == each.high else f"{each.low:+.0f} to {each.high:+.0f}"
        gains = [gain(result, each.bot, other) for other in order]
        lines.append(f"| {place} `{each.bot}` | {each.rating:+.0f} | {interval} | {' | '.join(gains)} |")
    short, long = SEARCHES[result.game]
    spent = timedelta(seconds=round(result.seconds))
    return "\n".join(
        [
            *lines,
            "",
            f"{result.deals} duplicate deals a pair; `{short}` thinks for about 10 ms a decision on one core, "
            f"`{long}` for about {LONG[result.game]}; {spent} (h:m:s) of thinking.",
            "",
        ]
    )


def gain(result: LadderResult, bot: str, other: str) -> str:
    """What a bot gains a deal over another, with its interval; empty for itself."""
    if bot == other:
        return ""
    if (bot, other) in result.gains:
        return str(result.gains[bot, other])
    found = result.gains[other, bot]
    return str(type(found)(-found.mean, found.margin))


def picture(result: LadderResult) -> Figure:
    """Each bot's rating with its interval."""
    figure = Figure(figsize=(WIDTH, 0.9 + 0.36 * len(result.ratings)))
    axes = figure.add_subplot()
    for place, each in enumerate(reversed(result.ratings)):
        axes.plot([each.low, each.high], [place, place], color=ARMS[0], linewidth=2.5, solid_capstyle="butt")
        axes.plot(each.rating, place, "o", color=ARMS[0])
        axes.annotate(f"{each.rating:+.0f}", (each.rating, place), (0, 6), textcoords="offset points", ha="center")
    axes.set_yticks(range(len(result.ratings)), [each.bot for each in reversed(result.ratings)])
    axes.set_ylim(-0.6, len(result.ratings) - 0.3)
    axes.margins(x=0.12)
    axes.set_title(f"{result.game}, {result.deals} deals a pair", fontsize="medium")
    # To the right: where the names of bots are long, the words are longer than the axis, and there is room on the left.
    axes.set_xlabel(f"rating points above {result.bots[0]}, with 95 % intervals", loc="right")
    return figure


def main() -> None:
    """Play, then write tables and pictures."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="+", default=names(), choices=names(), metavar="GAME")
    asked.add_argument("--deals", type=int, default=100, help="of every pair (default 100)")
    asked.add_argument("--more", nargs="+", default=[], metavar="BOT", help="further bots, such as bench.ismcts:100it")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--threads", type=int, help="games at a time; all cores by default")
    asked.add_argument("--to", type=Path, default=DOCS, help="folder of tables and pictures (default docs/ladders)")
    given = asked.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    for game in given.games:
        result = play(game, bots_of(game, given.more), given.deals, given.seed, given.threads)
        (given.to / f"{game}.txt").write_text(page(result), "utf-8")
        with mpl.rc_context(STYLE):
            picture(result).savefig(given.to / f"{game}.svg", metadata={"Date": None})
        if result.interrupted:
            print("stopped; the same command goes on")
            return


if __name__ == "__main__":
    main()
