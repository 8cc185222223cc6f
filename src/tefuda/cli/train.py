"""``tefuda train``, ``exploit`` and ``data``: networks learn a game, and datasets of decisions for others that do."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import platformdirs
import typer
from typer import Argument, Option

import tefuda
from tefuda.cli.chosen import command, game_with, prepare
from tefuda.cli.parameters import AsJson, Commands, GameName, RayAddress, Seats, Seed, Settings, later
from tefuda.cli.standard_streams import INTERRUPTED, print_json
from tefuda.engine.errors import TefudaError, needed_by

with later():
    from rich.console import Console

    from tefuda.bots import players as bots
    from tefuda.cli import match_command, progress
    from tefuda.engine import objective
    from tefuda.lab import dataset as datasets
    from tefuda.lab import record_dataset
    from tefuda.lab.play import match as matches
    from tefuda.research.training import recipe
    from tefuda.research.training import run as training_run

app = Commands()
data = Commands(help="Datasets of decisions as Parquet files, for any library.", callback=lambda: None)
app.add_typer(data, name="data")

Players = Annotated[
    str, Option(help="Who plays the deals: hints; or net or net:FOLDER, to learn on from that network.", metavar="BOT")
]
DatasetFolder = Annotated[Path | None, Option("-o", "--output", help="Folder of the dataset.", show_default="data-…")]
Bots = Annotated[
    list[str] | None,
    Option(
        "--bot",
        help="Who plays, as in 'tefuda match'; may be repeated, the last one fills the remaining seats.",
        show_default="hints",
    ),
]


Worlds = Annotated[int, Option(min=0, help="Also keep the others' hands, and so many deals that a seat finds likely.")]


@app.command(example="train gong-zhu --deals 100000 --folder my-net")
def train(
    game: GameName,
    seats: Seats = None,
    settings: Settings = None,
    vary: Annotated[
        list[str] | None, Option(help="An option to learn with all its values; may be repeated.", metavar="OPTION")
    ] = None,
    deals: Annotated[int, Option(min=1, help="Deals to learn from.")] = 500_000,
    rounds: Annotated[int, Option(min=1, help="How often to evaluate the network during the run.")] = 5,
    judged: Annotated[int, Option(min=2, help="Duplicate deals against hints in each evaluation.")] = 1000,
    final: Annotated[int, Option(min=2, help="Duplicate deals to evaluate the finished network.")] = 4000,
    hidden: Annotated[
        list[int] | None, Option(min=1, help="Hidden units of a layer, 256 and 128 by default.", metavar="UNITS")
    ] = None,
    players: Players = "hints",
    rate: Annotated[float, Option(min=1e-6, max=1, help="Learning rate; it falls to 0.")] = 1e-3,
    seed: Annotated[int, Option(min=0, help="The same seed gives the same run on this machine.")] = 0,
    device: Annotated[str, Option(help="Device to train on: cpu or cuda.")] = "cpu",
    threads: Annotated[int | None, Option(min=1, help="Deals to play in parallel.")] = None,
    folder: Annotated[Path | None, Option(help="Folder of the run.", metavar="FOLDER")] = None,
) -> None:
    """Train a network that plays a game (the bot net:FOLDER). The same command goes on after Ctrl-C."""
    if device not in recipe.DEVICES:
        raise TefudaError(f"--device: {device!r} is not one of {', '.join(recipe.DEVICES)}")
    if players != "hints" and (seats or settings or vary or hidden):
        raise TefudaError(
            f"--players {players}: what that network knows is learned on; leave --seats, --set, --vary and --hidden out"
        )
    found = game_with(game, seats, settings)
    known = {name: [value] for name, value in found.changed_options().items()} | recipe.varying(found, vary or [])
    asked = recipe.Recipe(
        found.name, found.seats, known, deals=deals, rounds=rounds, hidden=tuple(hidden or recipe.Recipe.hidden),
        rate=rate, judged=judged, final=final, seed=seed, players=players
    )  # fmt: skip
    kept = folder or default_folder(asked)
    with needed_by("tefuda train", "train"):
        new_run = training_run.TrainingRun
    prepare(found.description)
    training = new_run(kept, asked, device, threads)
    follow(
        training,
        f"Trains {found.name} in {kept}: {asked.deals:,} deals in {asked.rounds} rounds, after each of which "
        f"{asked.judged:,} deals judge the network. What is new is compiled first.",
    )
    bots = [f"net:{kept}", *[players] * (training.game.seats - 1)]
    sys.stdout.write(f"Network: {kept}\nTo play it:\n{command('match', found.name, *bots)}\n")


def follow(training: "training_run.TrainingRun", what: str) -> None:
    """Follow a run to its end, which is announced as ``what``, and show how far it is; Ctrl-C ends the command."""
    from rich.console import Console
    from rich.progress import TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    progress.announce(console, what)
    done = TextColumn("{task.completed}/{task.total} {task.fields[note]}")
    with progress.bar(console, "deals", done, TimeElapsedColumn(), TimeRemainingColumn()) as update:
        try:
            training.follow(TrainingProgress(console, update, training.curve))
        except KeyboardInterrupt:
            sys.stderr.write(f"Interrupted; the same command goes on. Kept in {training.folder}\n")
            raise typer.Exit(INTERRUPTED) from None


@app.command(example="exploit luk-fu net --minutes 10 --output my-response")
def exploit(
    game: GameName,
    bot: Annotated[str, Argument(help="The bot to exploit, as in 'tefuda match'.", metavar="BOT")],
    settings: Settings = None,
    minutes: Annotated[float, Option(min=0.01, help="Minutes of training.")] = 10,
    deals: Annotated[int, Option(min=300, help="Deals after which training ends, if that is earlier.")] = 10_000_000,
    judged: Annotated[int, Option(min=2, help="Fresh duplicate deals that judge the response.")] = 1000,
    seed: Annotated[int, Option(min=0, help="Seed of the deals and of the first weights.")] = 0,
    threads: Annotated[int | None, Option(min=1, help="Deals to play in parallel.")] = None,
    output: Annotated[Path | None, Option("-o", "--output", help="Folder of the response.", metavar="FOLDER")] = None,
) -> None:
    """Train a best response to a bot, and say what it gains against it. The same command goes on after Ctrl-C."""
    found, frozen = game_with(game, None, settings), bots.bot(bot)
    with needed_by("tefuda exploit", "train"):
        new_run = training_run.TrainingRun
    prepare(found.description)
    bots.warm_bot(frozen, (deal := found.deal(0)).view(deal.mover))  # a network says what it has not learned
    asked = recipe.best_response(found, bot, minutes, deals, seed)
    kept = output or default_folder(asked)
    training = new_run(kept, asked, threads=threads)
    follow(training, f"Trains a best response to {asked.against} in {kept}, for {minutes:g} minutes.")
    teams = objective.teams_of(found.template[0])
    seated, fresh = [f"net:{kept}" if team == teams[0] else bot for team in teams], seed + recipe.OWN_SEEDS
    save = kept / re.sub(r"\W+", "-", f"match-{bot}")
    result = match_command.play_match(matches.Match(found, seated, judged, fresh, threads=threads, folder=save))
    match_command.show_match(result, save)
    sys.stdout.write(gained(result, asked, training.curve[-1]["deals"]))
    chosen = [word for setting in settings or () for word in ("--set", setting)]
    again = command("match", game, *seated, *chosen, "--deals", str(judged), "--seed", str(fresh))
    sys.stdout.write(f"Network: {kept}\nTo play it again:\n{again}\n")
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


def gained(result: "tefuda.MatchResult", asked: "recipe.Recipe", deals: int) -> str:
    """Say what the first bot, a response, gains over the last one, what its training took, and what that means."""
    bot, gain = result.entries[-1].bot, result.entries[0].gain
    stands_in = "" if asked.against == bot else f", which stands in for {bot}"
    meaning = "at least this can be gained; more training may find more"
    if gain.margin is None or gain.mean <= gain.margin:
        meaning = "not clearly above 0, so this budget found nothing; that does not show that there is nothing to find"
    return (
        f"Best response to {bot}: {gain} a deal over the bot in the same seats, in {result.deals:,} fresh deals.\n"
        f"Budget: {asked.minutes:g} minutes at most; {deals:,} deals against {asked.against}{stands_in}.\n"
        f"A lower bound: {meaning}.\n"
    )


def default_folder(asked: "recipe.Recipe") -> Path:
    """Return where a run is kept unless ``--folder`` says otherwise."""
    how = f"-against-{asked.against}" if asked.against else "" if asked.players == "hints" else "-on"
    name = re.sub(r"[^\w-]+", "-", f"{asked.game}-{asked.seats}-{asked.seed}{how}")
    return platformdirs.user_data_path("tefuda") / "training" / name


class TrainingProgress:
    """A bar for the deals on a terminal; a line for each round, those of an earlier run too, everywhere."""

    def __init__(self, console: "Console", update: Callable[..., None], curve: Sequence[dict[str, Any]]) -> None:
        self._console, self._update = console, update
        self._lines = progress.PaceLines(lambda line: progress.announce(console, line), "deals", 0)
        self._first: tuple[float, int] | None = None
        for row in curve:
            self.judged(row)

    def deals(self, done: int, wanted: int, loss: float) -> None:
        """Note that so many deals of so many are learned from, with the loss of the last."""
        self._lines.reach(done, wanted)
        now = perf_counter()
        if self._first is None:
            self._first = (now, done)
        began, before = self._first
        speed = f"{(done - before) / (now - began):.0f}/s, " if now > began else ""
        self._update(completed=done, total=wanted, note=f"{speed}loss {loss:.4f}")

    def judged(self, row: dict[str, Any]) -> None:
        """Print the line of the curve of a finished round."""
        before = "the round before" if row["round"] > 1 else "the network it learns on from"
        past = f", {row['past_gain']:+.2f} ± {row['past_margin']:.2f} against {before}" if "past_gain" in row else ""
        self._console.print(
            f"round {row['round']}: {row['deals']} deals, {row['positions']} positions, {row['seconds'] / 60:.1f} min; "
            f"{row['gain']:+.2f} ± {row['margin']:.2f} a deal against {row.get('against', 'hints')}{past}",
            highlight=False,
            soft_wrap=True,
        )


@data.command(example="data make gong-zhu --deals 1000 -o my-data")
def make(
    game: GameName,
    output: DatasetFolder = None,
    bots: Bots = None,
    deals: Annotated[int, Option(min=1, help="Deals, each played in every rotation.")] = 10_000,
    seats: Seats = None,
    settings: Settings = None,
    seed: Seed = 0,
    values: Annotated[bool, Option("--values", help="Also keep the value that searches find for each action.")] = False,
    records: Annotated[bool, Option("--records", help="Also keep the record of each game.")] = False,
    worlds: Worlds = 0,
    threads: Annotated[int | None, Option(min=1, help="Games to play in parallel if bots think.")] = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play and write every decision to Parquet files. After Ctrl-C the same command goes on."""
    with needed_by("tefuda data", "lab"):
        make_parts = datasets.make
    progress.check_count(ray, "--threads", threads)
    found, named = game_with(game, seats, settings), bots or ["hints"]
    seated = [*named, *[named[-1]] * (found.seats - len(named))]
    dataset = datasets.Dataset(found, seated, deals, seed, values, records, worlds)
    with progress.playing(
        f"Dataset of {game}: {', '.join(seated)}; {deals:,} deals.", replace(dataset, threads=1), found.description,
        unit="deals", total=deals, ray=ray, processes=threads,
    ) as (advance, backend):  # fmt: skip
        made = make_parts(dataset, output or Path(f"data-{game}"), threads, lambda done, _: advance(done), backend)
    _end(made, as_json)


@data.command("from", example="data from games/ game.tfd -o my-data")
def from_records(
    paths: Annotated[list[Path], Argument(help="Records (.tfd), or folders of them.", metavar="RECORD…")],
    output: DatasetFolder = None,
    game: Annotated[str | None, Option(help="Only this game, with the seats and options of its first record.")] = None,
    review: Annotated[bool, Option("--review", help="Also judge the decisions of people, which takes long.")] = False,
    worlds: Worlds = 0,
    as_json: AsJson = False,
) -> None:
    """Write the decisions of recorded games to Parquet files. After Ctrl-C the same command goes on.

    Who played is a pseudonym, made with the salt in FOLDER.salt. Never publish that file."""
    from rich.console import Console

    with needed_by("tefuda data", "lab"):
        make_parts = datasets.make
    console, left_out, folder = Console(stderr=True), Counter[str](), (output or Path("data-records")).absolute()
    files = [file for path in paths for file in (sorted(path.rglob("*.tfd")) if path.is_dir() else [path])]

    def leave_out(reason: str, line: str) -> None:
        left_out[reason] += 1
        console.print(f"left out ({reason}): {line}", markup=False, highlight=False, soft_wrap=True)

    with progress.progress(console, "records", len(files)) as advance:
        found, deals = record_dataset.read_records(files, game, prepare, leave_out, advance)
    salt = record_dataset.read_salt(folder.with_name(f"{folder.name}.salt"))
    dataset = record_dataset.RecordDataset(
        found,
        ["hints"] * found.seats,
        len(deals),
        worlds=worlds,
        recorded=deals,
        left_out=left_out,
        salt=salt,
        review=review,
    )
    with progress.progress(console, "deals", len(deals)) as advance:
        made = make_parts(dataset, folder, None, lambda done, _: advance(done))
    for reason, count in left_out.items():
        console.print(f"{count:,} {reason}: left out", highlight=False)
    _end(made, as_json)


def _end(made: "datasets.DatasetState", as_json: bool) -> None:
    """Say what has been made, and end as after Ctrl-C if that is not all."""
    if as_json:
        print_json(made)
    else:
        sys.stdout.write(
            f"{made.folder}: {made.decisions:,} decisions in {made.games:,} games of {made.deals:,} deals, "
            f"{made.bytes / 2**20:.1f} MiB\n"
        )
        if made.interrupted:
            sys.stdout.write("Interrupted: the same command goes on.\n")
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)
