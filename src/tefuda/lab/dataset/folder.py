"""A dataset on disk: parts of deals as Parquet files, made one after the other, with a card that says what they hold.

| file | what it holds |
|---|---|
| dataset.json | what is made: game, seats, options, rules version, bots, seed; the planes of the observations |
| decisions-00000.parquet | the decisions of the first part, a row each |
| deals-00000.parquet | the games of that part, a row each; written last: the part counts once it is there |
| README.md | the dataset card |
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from tefuda.bots.players import bot
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.lab.backends.job import Backend, SentGame, played
from tefuda.lab.dataset.card import card_of
from tefuda.lab.dataset.decisions import DecisionPlayer, deal_table, decision_table
from tefuda.lab.play.rotations import is_compiled, rotation_count, warm_bots
from tefuda.lab.run.files import is_readable, parquet_bytes, write_bytes
from tefuda.table.game import Game
from tefuda.table.planes import Observation

FILE, CARD = "dataset.json", "README.md"

DEALS_COMPILED, DEALS_THOUGHT = 2000, 20
"""Deals of a part: where bots play in compiled code, and where they think."""


@dataclass(frozen=True)
class Dataset:
    """What a dataset holds.

    Attributes:
        game: with its seats and options.
        bots: one for each seat.
        deals: how many.
        seed: deal k is ``game.deal((seed, k))``.
        values: whether to keep what searches find of each action.
        records: whether to keep the record of each game.
    """

    game: Game
    bots: Sequence[str]
    deals: int
    seed: int = 0
    values: bool = False
    records: bool = False

    def __post_init__(self) -> None:
        for each in self.bots:
            bot(each)
        if len(self.bots) != self.game.seats:
            raise TefudaError(f"{len(self.bots)} bots for {self.game.seats} seats")
        if self.values and not any(each.startswith("search") for each in self.bots):
            raise TefudaError("--values: none of the bots searches; --bot search:200it does")

    @property
    def deals_a_part(self) -> int:
        """Deals of one part."""
        return DEALS_COMPILED if is_compiled(self.bots) else DEALS_THOUGHT

    @property
    def parts(self) -> list[range]:
        """The numbers of the deals of each part."""
        return [range(k, min(k + self.deals_a_part, self.deals)) for k in range(0, self.deals, self.deals_a_part)]

    def job(self, threads: int | None = None) -> "DatasetJob":
        """What is made, for any process; ``threads`` games are played at a time where bots think."""
        return DatasetJob(SentGame(self.game), list(self.bots), self.seed, self.values, self.records, threads)

    def identity(self) -> dict[str, Any]:
        """What its rows depend on, but for how many deals there are."""
        description = self.game.description
        return {
            "game": description.name,
            "rules_version": description.rules_version,
            "seats": self.game.seats,
            "options": self.game.changed_options(),
            "bots": list(self.bots),
            "seed": self.seed,
            "values": self.values,
            "records": self.records,
            "tefuda": version("tefuda"),
            "actions": description.actions,
            "planes": [[plane.name, plane.start, plane.size, plane.meaning] for plane in Observation(self.game).planes],
        }


@dataclass(frozen=True)
class Made:
    """How far a dataset is.

    Attributes:
        deals, games, decisions: how many there are.
        bytes: of all files.
        interrupted: whether Ctrl-C cut it short.
    """

    folder: Path
    deals: int
    games: int
    decisions: int
    bytes: int
    interrupted: bool


@dataclass(frozen=True)
class DatasetJob:
    """A dataset as plain data; its pieces are the numbers of parts and of their deals.

    Attributes:
        sent: its game.
        bots, seed, values, records: of the dataset.
        threads: games played at a time where bots think.
    """

    sent: SentGame
    bots: Sequence[str]
    seed: int
    values: bool
    records: bool
    threads: int | None

    @property
    def words(self) -> str:
        return f"dataset {self.sent.game} {self.bots}"

    def compile(self) -> None:
        """Compile what its parts need, by making one of a deal that is played fast."""
        game = self.sent.game
        warm_bots(game, self.bots)
        replace(self, bots=["hints"] * game.seats).player(None)((0, range(1)))

    def player(self, stop: Any) -> "Callable[[tuple[int, range]], Part]":
        """What makes parts."""
        game = self.sent.game
        player = DecisionPlayer(game, self.bots, self.seed, self.threads)

        def make_part(piece: tuple[int, range]) -> Part:
            number, deals = piece
            games = player.play(deals)
            decisions = decision_table(game, self.bots, games, values=self.values)
            told = deal_table(game, self.bots, games, self.seed, records=self.records)
            return Part(number, len(deals), len(decisions), parquet_bytes(decisions), parquet_bytes(told))

        return make_part


@dataclass(frozen=True)
class Part:
    """A part of a dataset, as it will lie on disk.

    Attributes:
        number: of the part.
        deals, rows: how many there are, and how many decisions.
        decisions, told: the Parquet files of the decisions and of the games.
    """

    number: int
    deals: int
    rows: int
    decisions: bytes
    told: bytes


def make(
    dataset: Dataset,
    folder: Path,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    backend: Backend | None = None,
) -> Made:
    """Make what is missing of a dataset.

    Args:
        dataset: what to make.
        folder: where; it is made. Parts that are there stay as they are.
        threads: games played at a time where bots think.
        progress: called with the deals and the decisions of each part that is there, those made earlier first.
        backend: where else it is made, a backend of ``dataset.job()``; it does not change the files.

    Raises:
        TefudaError: the folder holds another dataset, or cannot be written; the backend cannot go on.
    """
    progress, interrupted = progress or (lambda deals, rows: None), False
    try:
        _open(dataset, folder)
        try:
            missing = list(_missing(dataset, folder, progress))
            with backend or nullcontext():
                for part in played(dataset.job(threads), missing, backend):
                    write_bytes(_decisions(folder, part.number), part.decisions)
                    write_bytes(_deals(folder, part.number), part.told)
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


def _missing(dataset: Dataset, folder: Path, progress: Callable[[int, int], None]) -> Iterator[tuple[int, range]]:
    """The parts that are not there, by number and deals; ``progress`` is called for the others."""
    rotations = rotation_count(dataset.bots)
    for number, deals in enumerate(dataset.parts):
        if _is_made(folder, number, len(deals), rotations):
            progress(len(deals), _rows(_decisions(folder, number)))
        else:
            yield number, deals


def _decisions(folder: Path, number: int) -> Path:
    return folder / f"decisions-{number:05}.parquet"


def _deals(folder: Path, number: int) -> Path:
    return folder / f"deals-{number:05}.parquet"


def _is_made(folder: Path, number: int, deals: int, rotations: int) -> bool:
    """Whether a part is there and whole; one that had fewer deals is made again."""
    paths = _deals(folder, number), _decisions(folder, number)
    return all(path.exists() and is_readable(path) for path in paths) and _rows(paths[0]) >= deals * rotations


def _rows(path: Path) -> int:
    rows: int = pl.scan_parquet(path).select(pl.len()).collect().item()
    return rows


def _count(folder: Path, interrupted: bool) -> Made:
    deals = [path for path in sorted(folder.glob("deals-*.parquet")) if is_readable(path)]
    numbers = [pl.read_parquet(path, columns=["deal"])["deal"] for path in deals]
    decisions = [path.with_name(path.name.replace("deals-", "decisions-")) for path in deals]
    return Made(
        folder=folder,
        deals=sum(each.n_unique() for each in numbers),
        games=sum(map(len, numbers)),
        decisions=sum(map(_rows, decisions)),
        bytes=sum(path.stat().st_size for path in folder.iterdir()),
        interrupted=interrupted,
    )
