"""Datasets of decisions on disk: parts of deals as Parquet files, made one after the other, with a card.

| file | content |
|---|---|
| dataset.json | game, seats, options, rules version, bots, seed; the planes of the observations |
| decisions-00000.parquet | the decisions of the first part, a row each |
| deals-00000.parquet | the games of that part, a row each; written last: the part counts once it is there |
| README.md | the dataset card |
"""

import json
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tefuda.bots.play_estimates import ActionEstimate
from tefuda.bots.players import Bot, bot
from tefuda.bots.search import SearchBot
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.objective import gain_weights
from tefuda.engine.record import StateRecord, States
from tefuda.engine.recorder import write_choices
from tefuda.engine.rng import Rng, generator
from tefuda.engine.views import observe_all
from tefuda.lab.jobs import Backend, Stop, played
from tefuda.lab.measure.rows import is_readable, parquet_bytes, write_bytes
from tefuda.lab.play.python_game import DecisionPoints
from tefuda.lab.play.runner import DealRunner, is_compiled, rotation_count, warm_bots
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.planes import Observation
from tefuda.table.view import View

ESTIMATES = {"estimated": pl.List(pl.Int16), "worths": pl.List(pl.Float32), "visits": pl.List(pl.Int32)}
"""Findings of a search: actions, what each is worth to the mover, and in how many simulations."""

FILE, CARD = "dataset.json", "README.md"

CARD_TEXT = Path(__file__).with_name("dataset_card.toml")

DEALS_COMPILED, DEALS_THOUGHT = 2000, 20  # deals of a part: where bots play in compiled code, and where they think

Progress = Callable[[int, int], None]  #: called with the deals and the decisions of each part that is there


@dataclass(frozen=True)
class DatasetPart:
    """A part of a dataset: its number, counts of deals and decisions, and its two Parquet files as bytes."""

    number: int
    deals: int
    rows: int
    decisions: bytes
    games: bytes


@dataclass(frozen=True)
class Dataset:
    """A dataset to be made, a ``jobs.LabJob``: a piece is the number of a part and its deals."""

    game: Game
    bots: Sequence[str]  #: one for each seat; they rotate, so that every kind of bot sits everywhere
    deals: int
    seed: int = 0  #: deal k is ``game.deal((seed, k))``
    values: bool = False  #: keep what searches find of each action
    records: bool = False  #: keep the record of each game
    worlds: int = 0  #: of each decision, keep so many deals in which its mover believes
    threads: int | None = None  #: games played at a time where bots think; they do not change the rows
    review: bool = False  #: judge the decisions of people, in records

    def __post_init__(self) -> None:
        for each in self.bots:
            bot(each)
        if len(self.bots) != self.game.seats:
            raise TefudaError(f"{len(self.bots)} bots for {self.game.seats} seats")
        if self.values and not any(each.startswith("search") for each in self.bots):
            raise TefudaError("--values: none of the bots searches; --bot search:200it does")

    @property
    def parts(self) -> list[range]:
        """The numbers of the deals of each part."""
        size = DEALS_COMPILED if is_compiled(self.bots) and not (self.worlds or self.review) else DEALS_THOUGHT
        return [range(k, min(k + size, self.deals)) for k in range(0, self.deals, size)]

    @property
    def words(self) -> str:
        return f"dataset {self.game} {list(self.bots)}"

    def compile(self) -> None:
        """Compile what the parts need, by making one of a deal that is played fast."""
        warm_bots(self.game, self.bots)
        replace(self, bots=["hints"] * self.game.seats, values=False).player(threading.Event())((0, range(1)))

    def player(self, stop: Stop) -> Callable[[tuple[int, range]], DatasetPart]:
        """Make the function that makes parts."""
        if not is_compiled(self.bots):
            warm_bots(self.game, self.bots)
        runner = DealRunner(self.game, self.bots, self.seed, threads=self.threads, stop=stop, wrapped=RememberingBot)

        def make_part(piece: tuple[int, range]) -> DatasetPart:
            number, deals = piece
            batch = runner.play(deals, keep_decisions=True)
            bots = [[self.bots[k] for k in sitting] for sitting in batch.sitting]
            decisions, games = tables(self.game, bots, batch.deals, batch.rotations, batch.finals, batch.decisions)
            if self.values:
                decisions = decisions.hstack(_estimates(batch.decisions))
            decisions = self.with_worlds(decisions, batch.decisions, number)
            if self.records:
                made = zip(batch.deals.tolist(), batch.decisions, strict=True)
                texts = [played_again(self.game, (self.seed, k), points.chosen).record() for k, points in made]
                games = games.with_columns(record=pl.Series(texts))
            return DatasetPart(number, len(deals), len(decisions), parquet_bytes(decisions), parquet_bytes(games))

        return make_part

    def with_worlds(self, rows: pl.DataFrame, decisions: Sequence[DecisionPoints], number: int) -> pl.DataFrame:
        """The rows of a part, with what the others hold: truly, and in the worlds that are wanted, if any are."""
        if not self.worlds:
            return rows
        states, movers = np.concatenate([each.states for each in decisions]), rows["seat"].to_numpy().astype(np.int64)
        drawn = draw_worlds(states, movers, self.worlds, generator((self.seed, number, 16)))
        worlds = others_hands(self.game, drawn, movers.repeat(self.worlds)).reshape(len(rows), -1)
        return rows.hstack(pl.DataFrame({"hands": others_hands(self.game, states, movers), "worlds": worlds}))

    def identity(self) -> dict[str, Any]:
        """All that its rows depend on, but for how many deals there are."""
        description = self.game.description
        return {
            "game": description.name,
            "rules_version": description.rules_version,
            "seats": self.game.seats,
            "options": self.game.changed_options(),
            **self.origin(),
            "tefuda": version("tefuda"),
            "actions": description.actions,
            "planes": [[plane.name, plane.start, plane.size, plane.meaning] for plane in Observation(self.game).planes],
        }

    def origin(self) -> dict[str, Any]:
        """Origin of its rows, as ``identity`` has it."""
        kept = {"values": self.values, "records": self.records, "worlds": self.worlds}
        return {"bots": list(self.bots), "seed": self.seed, **kept}


@dataclass(frozen=True)
class DatasetState:
    """A dataset as far as it has been made, with the bytes of all files; Ctrl-C may have interrupted it."""

    folder: Path
    deals: int
    games: int
    decisions: int
    bytes: int
    interrupted: bool


def make(
    dataset: Dataset,
    folder: Path,
    threads: int | None = None,
    progress: Progress = lambda deals, rows: None,
    backend: Backend | None = None,
) -> DatasetState:
    """Make what is missing of a dataset, here with so many threads or by a backend of it, in a folder that is created
    if it does not exist. ``TefudaError`` if the folder holds another dataset, or cannot be written, or the backend
    cannot go on. ``progress`` is called for each part that is there, those made earlier first."""
    interrupted = False
    try:
        _open(dataset, folder)
        try:
            missing = list(_missing(dataset, folder, progress))
            with backend or nullcontext():
                for part in played(replace(dataset, threads=threads), missing, backend):
                    games, decisions = _paths(folder, part.number)
                    write_bytes(decisions, part.decisions)
                    write_bytes(games, part.games)
                    progress(part.deals, part.rows)
        except KeyboardInterrupt:
            interrupted = True
        made = _count(folder, interrupted)
        write_bytes(folder / CARD, card_of(dataset.identity(), made.deals, made.games, made.decisions).encode())
    except OSError as error:
        raise TefudaError(f"{file_fault(error)}; name another folder by -o") from error
    return made


def _open(dataset: Dataset, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    head = json.dumps(dataset.identity(), indent=1, ensure_ascii=False) + "\n"
    path = folder / FILE
    if not path.exists():
        if any(folder.iterdir()):
            raise TefudaError(f"{folder}: it holds something else; name an empty folder by -o")
        write_bytes(path, head.encode())
    elif path.read_text("utf-8") != head:
        raise TefudaError(f"{folder}: it holds another dataset ({FILE} says which); name another folder by -o")


def _missing(dataset: Dataset, folder: Path, progress: Progress) -> Iterator[tuple[int, range]]:
    """The parts that are not there, or have too few deals, by number and deals; ``progress`` is called for others."""
    rotations = rotation_count(dataset.bots)
    for number, deals in enumerate(dataset.parts):
        games, decisions = _paths(folder, number)
        if is_readable(games) and is_readable(decisions) and _rows(games) >= len(deals) * rotations:
            progress(len(deals), _rows(decisions))
        else:
            yield number, deals


def _paths(folder: Path, number: int) -> tuple[Path, Path]:
    """The files of the games and of the decisions of a part."""
    return folder / f"deals-{number:05}.parquet", folder / f"decisions-{number:05}.parquet"


def _rows(path: Path) -> int:
    return int(pl.scan_parquet(path).select(pl.len()).collect().item())


def _count(folder: Path, interrupted: bool) -> DatasetState:
    deals = [path for path in sorted(folder.glob("deals-*.parquet")) if is_readable(path)]
    numbers = [pl.read_parquet(path, columns=["deal"])["deal"] for path in deals]
    return DatasetState(
        folder=folder,
        deals=sum(each.n_unique() for each in numbers),
        games=sum(map(len, numbers)),
        decisions=sum(_rows(path.with_name(path.name.replace("deals-", "decisions-"))) for path in deals),
        bytes=sum(path.stat().st_size for path in folder.iterdir()),
        interrupted=interrupted,
    )


# Rows of the tables; dataset_card.toml describes the columns


class RememberingBot:
    """A bot that keeps in ``found`` what its search found at the last decision; nothing if it does not search."""

    def __init__(self, player: Bot) -> None:
        self._player = player
        self.found: Sequence[ActionEstimate] = ()

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """The bot's choice."""
        self.found = ()
        if not isinstance(self._player, SearchBot) or len(legal) == 1:
            return self._player.choose(view, legal, rng)
        self.found = self._player.think(view, rng)
        return self.found[0].action


def tables(
    game: Game,
    bots: Sequence[Sequence[str | None]],
    deals: NDArray[np.int64],
    rotations: NDArray[np.int64],
    finals: NDArray[np.void],
    decisions: Sequence[DecisionPoints],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A row for each decision of some games, in their order, and a row for each game, from what is known of each game:
    the bots by seat, the numbers of its deal and rotation, its end and its decisions."""
    observation, counts = Observation(game), [len(each.chosen) for each in decisions]
    states = np.concatenate([each.states for each in decisions])
    movers, masks = np.zeros(len(states), np.int64), np.zeros((len(states), game.description.actions), np.bool_)
    write_choices(states, movers, masks)
    payoffs = np.array([payoffs_of(final, game.seats) for final in finals])
    gains = payoffs @ gain_weights(game.template[0])
    games = np.repeat(np.arange(len(counts)), counts)
    who = [bots[row][seat] for row, seat in zip(games.tolist(), movers.tolist(), strict=True)]
    rows = {
        "deal": deals[games],
        "rotation": rotations[games].astype(np.int8),
        "decision": np.concatenate([np.arange(count) for count in counts]).astype(np.int16),
        "seat": movers.astype(np.int8),
        "bot": pl.Series(who, dtype=pl.Categorical),
        "observation": observation.encode(observe_all(states, movers)),
        "mask": masks,
        "action": np.concatenate([each.chosen for each in decisions]).astype(np.int16),
        "gain": gains[games, movers].astype(np.float32),
    }
    seated = pl.Series(bots, dtype=pl.List(pl.String))
    ends = {"deal": deals, "rotation": rotations.astype(np.int8), "bots": seated, "payoffs": payoffs.tolist()}
    return pl.DataFrame(rows), pl.DataFrame(ends)


def draw_worlds(
    states: States, movers: NDArray[np.int64], count: int, rng: Rng, draw: Callable[..., None] = verbs.believe
) -> States:
    """Draw so many deals that each state's mover finds likely; with ``verbs.imagine`` any that fit what it knows.
    Of shape (states × count,), those of a state side by side."""
    views = observe_all(states.repeat(count), movers.repeat(count))
    drawn = np.zeros_like(views)
    for view, world in zip(views, drawn, strict=True):
        draw(view, rng, world)
    return drawn


def others_hands(game: Game, states: States, movers: NDArray[np.int64]) -> NDArray[np.int8]:
    """Count the copies of each card that each other holds, the next to play first; shape (states, others × cards)."""
    observation = Observation(game)
    seen = [observe_all(states, (movers + k) % game.seats) for k in range(1, game.seats)]
    return np.concatenate([observation.encode(each)[:, observation["hands"]] for each in seen], axis=1)


def played_again(game: Game, seed: tuple[int, int], chosen: NDArray[np.int64]) -> Deal:
    """The deal from its deck and the actions chosen; where there was one action only, it was made."""
    deal, choices = game.deal(seed), iter(chosen.tolist())
    while not deal.over:
        legal = deal.legal_actions()
        deal.act(legal[0] if len(legal) == 1 else next(choices))
    return deal


def payoffs_of(final: StateRecord, seats: int) -> NDArray[np.int64]:
    """Every seat's payoff in the smallest unit, int64 of shape (seats,), from the record of a game's end."""
    payoffs = np.zeros(seats, np.int64)
    verbs.payoff(final, payoffs)
    return payoffs


def _estimates(decisions: Sequence[DecisionPoints]) -> pl.DataFrame:
    found = [each for points in decisions for each in points.estimates or [()] * len(points.chosen)]
    return pl.DataFrame(
        {
            "estimated": [[each.action for each in some] for some in found],
            "worths": [[each.worth for each in some] for some in found],
            "visits": [[each.visits for each in some] for some in found],
        },
        schema=ESTIMATES,
    )


# The card of a dataset, as Hugging Face's hub and people read it


def card_of(identity: Mapping[str, Any], deals: int, games: int, decisions: int) -> str:
    """The card of a dataset (``Dataset.identity``) that has so many deals, games and decisions, as Markdown."""
    texts = tomllib.loads(CARD_TEXT.read_text("utf-8"))
    planes, left_out = identity["planes"], identity.get("left_out", {})
    fields = {
        **identity,
        "deals": deals,
        "games": games,
        "decisions": decisions,
        "bots": ", ".join(dict.fromkeys(identity.get("bots", ()))),
        "left_out": "; ".join(f"{count:,} {reason}" for reason, count in left_out.items()) or "nothing",
        "options": ", ".join(f"{name}={value}" for name, value in identity["options"].items()) or "the usual options",
        "size": planes[-1][1] + planes[-1][2],
        "columns": "".join(text.format(**identity) for name, text in texts["columns"].items() if identity.get(name)),
        "record": texts["record"] if identity.get("records") is True else "",
        "planes": "\n".join(f"| {name} | {start} | {size} | {meaning} |" for name, start, size, meaning in planes),
    }
    own = texts["recorded" if "left_out" in identity else "played"]
    return str(texts["card"].format(**fields, **{name: text.format(**fields) for name, text in own.items()}))
