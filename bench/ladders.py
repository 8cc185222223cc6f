"""How strong bots are: ladders of those that you name, printed, or of ours in every game, written into docs/ladders/.

    uv run python -m bench.ladders gong-zhu random hints net my_module:MyBot --deals 50
    uv run --extra lab python -m bench.ladders                          # ours; writes docs/ladders/
    uv run --all-extras python -m bench.ladders --games ma-diao --deals 200 --more bench.ismcts:100it

Our searches get as many simulations as took them so many milliseconds on one core (``bench/search_speed.py``), not the
time itself: so the figures do not depend on what else the machine does. Where the program is stopped it goes on, and
with more deals or bots it plays only what is missing."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path

from bench.ladder import Ladder, LadderResult
from rich.console import Console

from tefuda.bots.search import IN_HASTE
from tefuda.cli import progress
from tefuda.cli.chosen import game_with, prepare
from tefuda.cli.match_command import figures_table, kept_folder, print_figures
from tefuda.cli.standard_streams import INTERRUPTED, print_json
from tefuda.engine import cache
from tefuda.engine.errors import TefudaError
from tefuda.games import called, names
from tefuda.table.game import Game

DOCS = Path(__file__).parents[1] / "docs" / "ladders"

BY_CLOCK = re.compile(r"^search$|\d+ms")  # such bots play one game at a time, or they would take each other's time

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


def folder_of(game: Game, seed: int) -> Path:
    """Where ladders of this table and seed are kept: a bot that is added later plays only its own deals."""
    return kept_folder("ladders", game.name, [game.name, game.seats, game.changed_options(), seed, cache.key()])


def play(game: Game, bots: Sequence[str], folder: Path, given: argparse.Namespace) -> LadderResult:
    """Play what is missing of a ladder; standard error shows how far it is."""
    threads = given.threads or (1 if any(map(BY_CLOCK.search, bots)) else os.cpu_count())
    ladder = Ladder(game, bots, given.deals, given.seed, folder, threads)
    console, pairs = Console(stderr=True), len(ladder.pairs)
    what = f"{', '.join(bots)}. Pairs: {pairs}; each plays {given.deals:,} deals in every rotation"
    progress.announce(console, f"Ladder of {game.name}: {what}. What is new is compiled first.")
    prepare(game.description)
    with progress.progress(console, f"deals of {game.name}", given.deals * pairs) as advance:
        return ladder.play(lambda: advance(1))


def show(result: LadderResult, folder: Path) -> None:
    """Print the ladder as a table: ratings, and what each bot gained a deal over each other."""
    order = [each.bot for each in result.ratings]
    table = figures_table("bot", ["rating", *(f"over {place}" for place in range(1, len(order) + 1))])
    for place, each in enumerate(result.ratings, 1):
        gains = (result.gain(each.bot, other) for other in order)
        interval = "" if each.low == each.high else f" ({each.low:+.0f} … {each.high:+.0f})"
        over = (f"{gain.mean:+.1f}" if gain else "" for gain in gains)
        table.add_row(f"{place} {each.bot}", f"{each.rating:+.0f}{interval}", *over)
    print_figures(table, notes(result, folder))


def notes(result: LadderResult, folder: Path) -> list[str]:
    """What the figures mean and depend on."""
    options = "".join(f", {name}={value}" for name, value in result.options.items())
    return [
        f"{result.game} (rules version {result.rules_version}{options}), seed {result.seed}: {result.deals} of "
        f"{result.asked} duplicate deals a pair, {result.seconds / 60:.1f} minutes of thinking, "
        f"tefuda {version('tefuda')}",
        f"Rating: points above {result.bots[0]}, with the 95% interval; 400 points win ten deals out of eleven. "
        "Over: gain a deal over the bot of that place.",
        f"Deals and records: {folder}",
    ]


def page(result: LadderResult) -> str:
    """The table in Markdown, and under it what the figures are."""
    order = [each.bot for each in result.ratings]
    heads = ["bot", "rating", "95% interval", *(f"over {place}" for place in range(1, len(order) + 1))]
    lines = [f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}"]
    for place, each in enumerate(result.ratings, 1):
        interval = "" if each.low == each.high else f"{each.low:+.0f} to {each.high:+.0f}"
        gains = [str(result.gain(each.bot, other) or "") for other in order]
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


def draw(result: LadderResult, path: Path) -> None:
    """Draw each bot's rating with its interval into an SVG file."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from tefuda.lab.report.plots import ARMS, STYLE, WIDTH

    with mpl.rc_context(STYLE):
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
        # To the right: where names of bots are long, the words are longer than the axis, with room on the left.
        axes.set_xlabel(f"rating points above {result.bots[0]}, with 95% intervals", loc="right")
        figure.savefig(path, metadata={"Date": None})


def count(word: str) -> int:
    """A number from 1 up."""
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"{word} is not a number from 1 up")
    return int(word)


def arguments() -> argparse.Namespace:
    """What was asked for; options that do not go together end it with a line."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--deals", type=count, default=100, help="of every pair (default 100)")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--threads", type=count, help="games at a time; 1 if bots think by the clock, else all cores")
    yours = asked.add_argument_group("bots that you name")
    yours.add_argument("game", nargs="?", metavar="GAME")
    yours.add_argument(
        "bots", nargs="*", metavar="BOT", help="as in 'tefuda match'; the first is the zero of the scale"
    )
    yours.add_argument("--seats", type=int, help="number of players")
    yours.add_argument("--set", action="append", metavar="OPTION=VALUE", help="an option of the rules; may be repeated")
    yours.add_argument("--preset", help="a known set of options")
    yours.add_argument("--save", type=Path, help="folder for the deals and records")
    yours.add_argument("--json", action="store_true", help="print the result as JSON")
    ours = asked.add_argument_group("our bots, where no game is named")
    ours.add_argument("--games", nargs="+", choices=names(), metavar="GAME", help="all by default")
    ours.add_argument("--more", nargs="+", metavar="BOT", help="further bots, such as bench.ismcts:100it")
    ours.add_argument("--to", type=Path, help="folder of tables and pictures (default docs/ladders)")
    given = asked.parse_intermixed_args()
    unfit = ("games", "more", "to") if given.game else ("seats", "set", "preset", "save", "json")
    for name in unfit:
        if getattr(given, name):
            asked.error(f"--{name}: {'not with a game' if given.game else 'name a game and its bots'}")
    return given


def rate_yours(given: argparse.Namespace) -> LadderResult:
    """Play the ladder of the bots that are named, and print it."""
    game = game_with(called(given.game), given.seats, given.set, given.preset)
    folder = given.save or folder_of(game, given.seed)
    result = play(game, given.bots, folder, given)
    if given.json:
        print_json({**result.as_dict(), "tefuda": version("tefuda")})
    else:
        show(result, folder)
    return result


def rate_ours(game: str, given: argparse.Namespace) -> LadderResult:
    """Play the ladder of our bots in a game, and write its table and picture."""
    table, to = game_with(game), given.to or DOCS
    to.mkdir(parents=True, exist_ok=True)
    result = play(table, bots_of(game, given.more or ()), folder_of(table, given.seed), given)
    (to / f"{game}.txt").write_text(page(result), "utf-8")
    draw(result, to / f"{game}.svg")
    return result


def main() -> None:
    """Play, then print or write; what is wrong with the input is said in a line."""
    given = arguments()
    try:
        if given.game:
            interrupted = rate_yours(given).interrupted
        else:
            interrupted = any(rate_ours(game, given).interrupted for game in given.games or names())
    except TefudaError as error:
        raise SystemExit(str(error)) from error
    except KeyboardInterrupt:  # before every pair has played a deal
        interrupted = True
    if interrupted:
        print("stopped; the same command goes on", file=sys.stderr)
        raise SystemExit(INTERRUPTED)


if __name__ == "__main__":
    main()
