"""The leaderboard: what players gain over the heuristic bot and the network, in every game, by duplicate deals.

    uv run --all-extras python -m bench.baselines                     # measure our own players, write docs/baselines/
    uv run --all-extras python -m bench.baselines --games ma-diao --deals 2000
    uv run --all-extras python -m bench.baselines --examples 10       # train each of examples/train_*.py ten minutes
    uv run --all-extras python -m bench.baselines --add gong-zhu my_agent:Agent --name "My agent" --by Me --to mine
    uv run --all-extras python -m bench.baselines --check mine/leaderboard.toml    # read a submission, play its deals

An entry says by which decks it was measured, so whoever doubts it plays the same deals. Where a player thinks for long,
the luck of the cards is taken out of its gains. ``bench.leaderboard`` has the form of the file."""

import argparse
import datetime
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from math import hypot
from pathlib import Path

from bench.leaderboard import FILE, FOLDER, OURS, SEED, Entry, Gain, Track, read, write
from rich.progress import Progress

import tefuda
from tefuda.bots.net import NetBot
from tefuda.bots.players import bot
from tefuda.engine.description import TINY
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.games import description, names
from tefuda.lab.play.match import Match
from tefuda.lab.play.scores import BotScore
from tefuda.research.tree import GameTree, every_deal
from tefuda.table.game import Game

ROOT = Path(__file__).parents[1]

DEALS = {"random": 2000, "hints": 2000, "net": 1000, "search:100it": 200, "search:1000it": 100}
"""By our players: how many deals they play."""

EXAMPLES = ("train_ppo", "train_dmc", "train_pairs", "train_maskable_ppo", "train_tianshou")
"""The trainers in ``examples/``."""

EXAMPLE_DEALS, EXAMPLE_SEED = 4000, 0
"""By which a trainer judges what it has trained."""

AMONG_NETS = 200
"""Deals that are played among networks at most: they play at the table, not in compiled code."""

FEWEST = 100
"""Deals that a submission must have played at least."""

ASKED = 20
"""How often a player is asked at each information set of a tiny game: the shares of its answers are its policy."""

TIMING = 2.0
"""Seconds for which a player is timed."""

AGREES = 4.0
"""Standard errors by which two measurements of one player may differ."""


def gain_of(score: BotScore, deals: int) -> Gain:
    """The gain of a player in a match, without the luck of the cards if that was measured."""
    found = score.gain_without_luck or score.gain
    return Gain(
        mean=round(found.mean, 3),
        margin=round(found.margin or 0.0, 3),
        deals=deals,
        luck_out=score.gain_without_luck is not None,
    )


def play(game: str, spec: str, opponent: str, deals: int, seed: int) -> tuple[Gain, BotScore, bool]:
    """Play a player against one bot in all other seats: its gain, its score, and whether the match ran compiled."""
    table_of = tefuda.load(game)
    match = Match(table_of, [spec, *[opponent] * (table_of.seats - 1)], deals, seed)
    with Progress(transient=True) as bar:
        task = bar.add_task(f"{game} {spec} among {opponent}", total=deals)
        result = match.play(lambda made: bar.advance(task, made))
    return gain_of(result.entries[0], result.deals), result.entries[0], match.compiled


def measure(game: str, spec: str, deals: int, seed: int, small: GameTree | None = None, **about: str) -> Entry:
    """Play a player among heuristic bots, among networks, and at every information set of the tiny game."""
    table_of = tefuda.load(game)
    over_hints, score, compiled = play(game, spec, "hints", deals, seed)
    over_net = play(game, spec, "net", min(deals, AMONG_NETS), seed)[0] if has_net(game) else None
    told = {"player": spec, "by": OURS, "code": "", "training": training(game, spec), **about}
    per_second = 1e6 / score.microseconds if compiled else speed(table_of, spec)
    return Entry(
        game=game,
        rules=table_of.description.rules_version,
        measured=this_month(),
        track=track_of(spec),
        spec=spec,
        hardware=hardware(),
        decisions_a_second=two_digits(per_second),
        tokens_a_decision=(score.tokens_read + score.tokens_written) // max(score.decisions, 1),
        seed=seed,
        over_hints=over_hints,
        over_net=over_net,
        exploitability=exploitability(small, spec),
        **told,
    )


def exploitability(small: GameTree | None, spec: str) -> float | None:
    """What best answers gain over a player in a tiny game, in points; ``None`` if it does not play there."""
    if small is None:
        return None
    try:
        return round(small.exploitability(small.policy_of(bot(spec), ASKED)), 3)
    except TefudaError as error:
        print(f"{spec} does not play the tiny game: {error}")
        return None


def track_of(spec: str) -> Track:
    """In which part of the table a bot stands."""
    if spec in ("random", "hints"):
        return "reference"
    if spec.startswith(("llm:", "mcp:")):
        return "language model"
    return "search" if spec.startswith("search") else "learning"


def train_example(game: str, name: str, minutes: float) -> Entry:
    """Train an example for so many minutes on one core; its entry, by the deals with which it judges itself.

    Raises:
        TefudaError: the example fails, for instance because its library is not installed; with its last line.
    """
    asked = [sys.executable, str(ROOT / "examples" / f"{name}.py"), "--game", game]
    asked += ["--minutes", f"{minutes:g}", "--deals", str(EXAMPLE_DEALS)]
    one_core = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(asked, env=one_core, capture_output=True, text=True, check=False)
    decisions = re.search(r"^([\d,]+) decisions$", done.stdout, re.MULTILINE)
    gain = re.search(r"^gain a deal over hints: (\S+) ± (\S+)", done.stdout, re.MULTILINE)
    if done.returncode or not decisions or not gain:
        said = (done.stderr.strip() or done.stdout.strip() or "it says nothing").splitlines()[-1]
        raise TefudaError(f"examples/{name}.py: {said}")
    return Entry(
        game=game,
        rules=description(game).rules_version,
        measured=this_month(),
        track="learning",
        player=f"{name}.py",
        by=OURS,
        spec="",
        code=f"examples/{name}.py",
        training=f"{minutes:g} min, {decisions[1]} decisions, on one core",
        hardware=hardware(),
        decisions_a_second=0,
        seed=EXAMPLE_SEED,
        over_hints=Gain(mean=float(gain[1]), margin=float(gain[2]), deals=EXAMPLE_DEALS, luck_out=False),
    )


def speed(game: Game, spec: str) -> float:
    """Decisions a second of one core's time, at moments of deals between heuristic bots."""
    player, decisions, spent, seed = bot(spec), 0, 0.0, 0
    while spent < TIMING:
        deal, seed = game.deal(seed), seed + 1
        while not deal.over and spent < TIMING:
            view, legal = deal.view(deal.mover), deal.legal_actions()
            if len(legal) > 1:
                begun = time.thread_time()
                player.choose(view, legal, generator((seed, len(deal.history))))
                spent, decisions = spent + time.thread_time() - begun, decisions + 1
            tefuda.choose_play(bot("hints"), deal, seed)
    return decisions / spent


def training(game: str, spec: str) -> str:
    """What one of our players cost to train."""
    if spec != "net":
        return ""
    deal = tefuda.load(game).deal(0)
    cost = NetBot().network(deal.view(deal.mover)).card.training
    return f"{cost['hours']:.2g} h, {cost['deals']:,.0f} deals"


def two_digits(amount: float) -> int:
    """A rate to two significant digits: the third differs from run to run."""
    return int(float(f"{amount:.2g}"))


def this_month() -> str:
    """The month, such as ``2026-11``."""
    return f"{datetime.datetime.now(datetime.UTC):%Y-%m}"


def hardware() -> str:
    """The processor, in words, and the number of its cores."""
    cpus = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.*)", cpus.read_text("utf-8")) if cpus.exists() else None
    return f"{named[1] if named else platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def has_net(game: str) -> bool:
    """True if the game comes with a network."""
    return description(game).files.net is not None


def our_players(game: str) -> list[str]:
    """Which of our players play a game."""
    return [spec for spec in DEALS if spec != "net" or has_net(game)]


def check(entries: Iterable[Entry], deals: int) -> list[str]:
    """Play so many deals of every entry that plays here, and tell what does not hold, a line for each fault."""
    faults = []
    for each in entries:
        place = f"{each.game}, {each.player}"
        if each.rules != description(each.game).rules_version:
            faults.append(f"{place}: it played by rules {each.rules}, which have changed")
        if each.spec and each.seed != SEED:
            faults.append(f"{place}: it played other decks than those of seed {SEED}")
        for opponent, listed in (("hints", each.over_hints), ("net", each.over_net)):
            if listed is None:
                continue
            if listed.deals < FEWEST:
                faults.append(f"{place}: {listed.deals} deals among {opponent}; play {FEWEST} or more")
            if each.spec and (fault := differs(each, opponent, listed, deals)):
                faults.append(f"{place}: {fault}")
    return faults


def differs(entry: Entry, opponent: str, listed: Gain, deals: int) -> str:
    """Play some of an entry's deals again: in what way the gain does not agree with what is listed; empty if it does
    or the player is not here."""
    try:
        bot(entry.spec)
    except TefudaError as error:
        print(f"{entry.game}, {entry.player}: not played ({error})")
        return ""
    now, *_ = play(entry.game, entry.spec, opponent, min(deals, listed.deals), entry.seed)
    print(f"{entry.game}, {entry.player} among {opponent}: {listed}, now {now}")
    allowed = AGREES * hypot(now.margin, listed.margin) / 1.96 + 0.01
    return f"{listed} over {opponent}, now {now}" if abs(now.mean - listed.mean) > allowed else ""


def tiny(game: str) -> GameTree | None:
    """The whole tree of a game's tiny one, in which players play for their gain; ``None`` if there is none."""
    found = description(game).small(TINY)
    return GameTree(*every_deal(tefuda.load(found.name)), reward="gain") if found else None


def arguments() -> argparse.Namespace:
    """What was asked for."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="+", default=names(), choices=names(), metavar="GAME")
    asked.add_argument("--players", nargs="+", default=list(DEALS), choices=list(DEALS), metavar="BOT", help="of ours")
    asked.add_argument("--deals", type=int, help="of every player (by default 100 to 2000, by how long they think)")
    asked.add_argument("--add", nargs=2, metavar=("GAME", "BOT"), help="measure another player, and add it")
    asked.add_argument("--name", help="what that player is called")
    asked.add_argument("--by", default="unknown", help="whose it is: names, a paper")
    asked.add_argument("--training", default="", help="what it cost to train")
    asked.add_argument("--code", default="", help="a link to it")
    asked.add_argument(
        "--examples", type=float, metavar="MINUTES", help="train every example in every game, for so long"
    )
    asked.add_argument("--only", nargs="+", default=EXAMPLES, choices=EXAMPLES, metavar="NAME", help="of the examples")
    asked.add_argument("--no-tiny", action="store_true", help="do not count how exploitable players are")
    asked.add_argument("--check", type=Path, metavar="FILE", help=f"read a submission, and play {FEWEST} of its deals")
    asked.add_argument("--tables", action="store_true", help="only write the tables anew")
    asked.add_argument("--to", type=Path, default=FOLDER, help="folder of the leaderboard (default docs/baselines)")
    return asked.parse_args()


def added(given: argparse.Namespace) -> Entry:
    """The entry of somebody else's player."""
    game, spec = given.add
    about = {"by": given.by, "training": given.training, "code": given.code, "player": given.name or spec}
    small = None if given.no_tiny else tiny(game)
    return measure(game, spec, given.deals or 200, SEED, small, **about)


def measured(given: argparse.Namespace) -> Iterator[Entry]:
    """The entries of our players, or of the examples, one after the other."""
    for game in given.games:
        if given.examples:
            yield from (train_example(game, name, given.examples) for name in given.only)
            continue
        small = None if given.no_tiny else tiny(game)
        for spec in our_players(game):
            if spec in given.players:
                yield measure(game, spec, given.deals or DEALS[spec], SEED, small)


def main() -> None:
    """Measure, then write."""
    given = arguments()
    if given.check:
        faults = check(read(given.check), given.deals or FEWEST)
        raise SystemExit("\n".join(["these do not hold:", *faults]) if faults else 0)
    kept = read(given.to / FILE) if (given.to / FILE).exists() else []
    if given.tables:
        write(kept, given.to)
        return
    for found in [added(given)] if given.add else measured(given):
        same = (found.game, found.by, found.player)
        kept = [each for each in kept if (each.game, each.by, each.player) != same]
        kept.append(found)
        write(kept, given.to)  # after every player: nothing is lost when the program is stopped


if __name__ == "__main__":
    try:
        main()
    except TefudaError as error:
        raise SystemExit(str(error)) from error
