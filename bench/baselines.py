"""The leaderboard: what players gain against rules of thumb on all other seats, in every game, by duplicate deals.

    uv run --all-extras python -m bench.baselines                     # measure our own players, write docs/baselines/
    uv run --all-extras python -m bench.baselines --games ma-diao --deals 2000
    uv run --all-extras python -m bench.baselines --examples 10       # train each of examples/train_*.py ten minutes
    uv run --all-extras python -m bench.baselines --add gong-zhu my_agent:Agent --name "My agent" --by "Me, paper"
    uv run --all-extras python -m bench.baselines --again 100         # play some deals of every entry that plays here

``docs/baselines/leaderboard.toml`` holds one entry a player; the tables beside it are written from it. An entry says
how many deals were played, so whoever doubts it plays the same deals. Where a player thinks for long, the luck of the
cards is taken out of its gain."""

import argparse
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from math import hypot
from pathlib import Path

import tomli_w
from rich.progress import Progress

import tefuda
from tefuda.bots.net import NetBot
from tefuda.bots.players import bot
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.games import description, names
from tefuda.lab.play.match import Match

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "baselines"
FILE = "leaderboard.toml"

OURS = "Tefuda"
DEALS = {"random": 2000, "hints": 2000, "net": 1000, "search:100it": 200, "search:1000it": 100}
"""By our players: how many deals they play."""

EXAMPLES = ("train_ppo", "train_dmc", "train_pairs", "train_maskable_ppo", "train_tianshou")
"""The trainers in ``examples/``."""

EXAMPLE_DEALS, EXAMPLE_SEED = 4000, 0
"""By which a trainer judges what it has trained."""

TIMING = 2.0
"""Seconds for which a player is timed."""

AGREES = 4.0
"""Standard errors by which two measurements of one player may differ."""


@dataclass(frozen=True)
class Entry:
    """One player in one game.

    Attributes:
        game, rules: which, and the version of its rules.
        player: what it is called.
        by: whose it is: names, a paper.
        spec: as ``tefuda match`` takes it; empty if it plays elsewhere only.
        code: where to get it.
        training: what it cost to train, in words; empty if it was not trained.
        gain, margin: points a deal over the mean of three rules of thumb, and half of the 95 % interval.
        luck_out: whether the luck of the cards is taken out.
        deals, seed: of the match; deal k is ``game.deal((seed, k))``, played in every rotation.
        decisions_a_second: of one core's time; 0 if it was not measured.
    """

    game: str
    rules: int
    player: str
    by: str
    spec: str
    code: str
    training: str
    gain: float
    margin: float
    luck_out: bool
    deals: int
    seed: int
    decisions_a_second: int


class LeaderboardError(TefudaError):
    """A leaderboard that cannot be read; the message names the entry."""


def read(path: Path) -> list[Entry]:
    """The entries of a file.

    Raises:
        LeaderboardError: an entry lacks something, has something else, or a value of another type, or names a game or
            rules that there are not.
    """
    types = {each.name: each.type for each in fields(Entry)}
    found = []
    for number, row in enumerate(tomllib.loads(path.read_text("utf-8")).get("entry", []), 1):
        place = f"{path.name}, entry {number} ({row.get('game')}, {row.get('player')})"
        if set(row) != set(types):
            raise LeaderboardError(f"{place}: it must have exactly {', '.join(types)}")
        for name, kind in types.items():
            value = float(row[name]) if kind is float and type(row[name]) is int else row[name]
            if type(value) is not kind:
                raise LeaderboardError(f"{place}: {name} is {row[name]!r}")
        if row["game"] not in names() or row["rules"] > description(row["game"]).rules_version:
            raise LeaderboardError(f"{place}: there are no such rules")
        if row["deals"] < 1 or row["margin"] < 0:
            raise LeaderboardError(f"{place}: {row['deals']} deals, ± {row['margin']}")
        found.append(Entry(**row))
    return found


def ordered(entries: Iterable[Entry]) -> list[Entry]:
    """Game by game, the best first."""
    return sorted(entries, key=lambda each: (each.game, -each.gain, each.player))


def write(entries: Iterable[Entry], folder: Path) -> None:
    """Write the file, and a table for each game."""
    listed = ordered(entries)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(tomli_w.dumps({"entry": [asdict(each) for each in listed]}), "utf-8")
    for game in {each.game for each in listed}:
        (folder / f"{game}.txt").write_text(table([each for each in listed if each.game == game]), "utf-8")


def table(entries: Sequence[Entry]) -> str:
    """The entries of one game in Markdown."""
    lines = ["| player | gain a deal | deals | decisions a second | training |", "|---|---:|---:|---:|---|"]
    for each in entries:
        name = each.player if each.by == OURS else f"{each.player}, {each.by}"
        linked = f"[{name}]({each.code})" if each.code.startswith("http") else f"`{name}`"
        luck = " \\*" if each.luck_out else ""
        speed = f"{each.decisions_a_second:,}" if each.decisions_a_second else ""
        gain = f"{each.gain:+.2f} ± {each.margin:.2f}{luck}".replace("-", "−")
        lines.append(f"| {linked} | {gain} | {each.deals:,} | {speed} | {each.training} |")
    return "\n".join([*lines, ""])


def measure(game: str, spec: str, deals: int, seed: int, **about: str) -> Entry:
    """Play a player against rules of thumb on all other seats."""
    table_of = tefuda.load(game)
    match = Match(table_of, [spec, *["hints"] * (table_of.seats - 1)], deals, seed)
    with Progress(transient=True) as bar:
        task = bar.add_task(f"{game} {spec}", total=deals)
        result = match.play(lambda made: bar.advance(task, made))
    score = result.entries[0]
    gain = score.gain_without_luck or score.gain
    told = {"player": spec, "by": OURS, "code": "", "training": training(game, spec), **about}
    return Entry(
        game=game,
        rules=table_of.description.rules_version,
        spec=spec,
        gain=round(gain.mean, 3),
        margin=round(gain.margin or 0.0, 3),
        luck_out=score.gain_without_luck is not None,
        deals=result.deals,
        seed=seed,
        decisions_a_second=two_digits(1e6 / score.microseconds if match.compiled else speed(table_of, spec)),
        **told,
    )


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
        player=f"{name}.py",
        by=OURS,
        spec="",
        code=f"examples/{name}.py",
        training=f"{minutes:g} min, {decisions[1]} decisions, on one core",
        gain=float(gain[1]),
        margin=float(gain[2]),
        luck_out=False,
        deals=EXAMPLE_DEALS,
        seed=EXAMPLE_SEED,
        decisions_a_second=0,
    )


def speed(game: tefuda.Game, spec: str) -> float:
    """Decisions a second of one core's time, at moments of deals between rules of thumb."""
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


def our_players(game: str) -> list[str]:
    """Which of our players play a game."""
    return [spec for spec in DEALS if spec != "net" or description(game).files.net is not None]


def again(entries: Iterable[Entry], deals: int) -> list[str]:
    """Play deals of every entry that plays here, and say which of them do not agree with what is listed."""
    faults = []
    for each in entries:
        if not each.spec:
            continue
        try:
            bot(each.spec)
        except TefudaError as error:
            print(f"{each.game}, {each.player}: left out ({error})")
            continue
        now = measure(each.game, each.spec, min(deals, each.deals), each.seed)
        listed = f"{each.gain:+.2f} ± {each.margin:.2f}"
        print(f"{each.game}, {each.player}: {listed}, now {now.gain:+.2f} ± {now.margin:.2f}")
        if abs(now.gain - each.gain) > AGREES * hypot(now.margin, each.margin) / 1.96 + 0.01:
            faults.append(f"{each.game}, {each.player}")
    return faults


def main() -> None:
    """Measure, then write."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="+", default=names(), choices=names(), metavar="GAME")
    asked.add_argument("--deals", type=int, help="of every player (by default 100 to 2000, by how long they think)")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--add", nargs=2, metavar=("GAME", "BOT"), help="measure another player, and add it")
    asked.add_argument("--name", help="what that player is called")
    asked.add_argument("--by", default="unknown", help="whose it is: names, a paper")
    asked.add_argument("--training", default="", help="what it cost to train")
    asked.add_argument("--code", default="", help="a link to it")
    asked.add_argument(
        "--examples", type=float, metavar="MINUTES", help="train every example in every game, for so long"
    )
    asked.add_argument("--only", nargs="+", default=EXAMPLES, choices=EXAMPLES, metavar="NAME", help="of the examples")
    asked.add_argument("--again", type=int, metavar="DEALS", help="play so many deals of every entry, and compare")
    asked.add_argument("--tables", action="store_true", help="only write the tables anew")
    asked.add_argument("--to", type=Path, default=FOLDER, help="folder of the leaderboard (default docs/baselines)")
    given = asked.parse_args()
    kept = read(given.to / FILE) if (given.to / FILE).exists() else []
    if given.again:
        faults = again(kept, given.again)
        raise SystemExit("these do not agree: " + "; ".join(faults) if faults else 0)
    if given.tables:
        write(kept, given.to)
        return
    if given.add:
        game, spec = given.add
        about = {"by": given.by, "training": given.training, "code": given.code}
        new = [measure(game, spec, given.deals or 200, given.seed, player=given.name or spec, **about)]
        write([*kept, *new], given.to)
        return
    for game in given.games:
        for name in given.only if given.examples else our_players(game):
            if given.examples:
                found = train_example(game, name, given.examples)
            else:
                found = measure(game, name, given.deals or DEALS[name], given.seed)
            kept = [each for each in kept if (each.game, each.by, each.player) != (game, OURS, found.player)]
            kept.append(found)
            write(kept, given.to)  # after every player: nothing is lost when the program is stopped


if __name__ == "__main__":
    main()
