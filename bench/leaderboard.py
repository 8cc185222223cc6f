"""The leaderboard's file and tables: what an entry says, in what order entries stand, and the decks they are played by.

``docs/baselines/leaderboard.toml`` holds one entry for each player and game. A submission is a file of the same form.
"""

import hashlib
import tomllib
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Literal

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import tefuda
from tefuda.engine.errors import TefudaError
from tefuda.games import description, names

FOLDER = Path(__file__).parents[1] / "docs" / "baselines"
FILE = "leaderboard.toml"

OURS = "Tefuda"  #: who our own players are by
SEED = 1  #: of the published decks: deal k is ``game.deal((SEED, k))``
HASHED = 1000  #: decks that the published hash is of

Track = Literal["reference", "learning", "search", "language model"]
TRACKS: dict[Track, str] = {
    "learning": "Learning",
    "search": "Search",
    "language model": "Language models",
    "reference": "For comparison",
}
"""The headings of the parts of a game's table, in their order."""

Name = Annotated[str, Field(min_length=1)]
Amount = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]


class LeaderboardError(TefudaError):
    """A leaderboard or a submission that cannot be read; the message names the file, the entry and what is wrong."""


class Row(BaseModel):
    """A table of the file, with exactly these fields, each of exactly this type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Gain(Row):
    """What a player gains over one bot in all other seats, by duplicate deals.

    Attributes:
        mean, margin: points a deal more than the mean of the others, and half of the 95% interval.
        deals: how many, each played in every rotation.
        luck_out: whether the luck of the cards is taken out.
    """

    mean: Amount
    margin: Annotated[Amount, Field(ge=0)]
    deals: Annotated[int, Field(ge=1)]
    luck_out: bool

    def __str__(self) -> str:
        star = r" \*" if self.luck_out else ""
        return f"{self.mean:+.2f} ± {self.margin:.2f}{star}".replace("-", "−")


class Entry(Row):
    """One player in one game.

    Attributes:
        game, rules: which, and the version of its rules.
        measured: the month, such as ``2026-11``: ``hints`` and ``net`` change between releases.
        track: in which part of the table it stands.
        player: what it is called.
        by: whose it is: names, a paper.
        spec: as ``tefuda match`` takes it; empty if it plays elsewhere only.
        code: where to get it.
        training: what it cost to train, in words; empty if it was not trained.
        hardware: on which ``decisions_a_second`` were measured, in words.
        decisions_a_second: of one core's time; 0 if they were not measured.
        tokens_a_decision: read and written by a language model; 0 for others.
        seed: of the decks.
        over_hints: the gain over the heuristic bot.
        over_net: the gain over the shipped network, in games that have one; ``None`` if it was not measured.
        exploitability: of the player in the tiny game, in points; ``None`` if it was not measured.
    """

    game: str
    rules: int
    measured: Annotated[str, Field(pattern=r"^\d{4}-\d{2}$")]
    track: Track
    player: Name
    by: Name
    spec: str
    code: str
    training: str
    hardware: str
    decisions_a_second: Count
    tokens_a_decision: Count = 0
    seed: Count
    over_hints: Gain
    over_net: Gain | None = None
    exploitability: Annotated[Amount, Field(ge=0)] | None = None


def read(path: Path) -> list[Entry]:
    """The entries of a file.

    Raises:
        LeaderboardError: it cannot be read or has no entries; an entry lacks something, has something else, or a value
            of another type or range, or names a game or rules that there are not.
    """
    try:
        rows = tomllib.loads(path.read_text("utf-8")).get("entry")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LeaderboardError(f"{path}: {error}") from error
    if not isinstance(rows, list) or not rows:
        raise LeaderboardError(f"{path}: it has no [[entry]]")
    found = []
    for number, row in enumerate(rows, 1):
        place = f"{path.name}, entry {number} ({row.get('game')}, {row.get('player')})"
        try:
            entry = Entry.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise LeaderboardError(f"{place}: {where}: {first['msg']}, not {first['input']!r}") from error
        if entry.game not in names() or not 1 <= entry.rules <= description(entry.game).rules_version:
            raise LeaderboardError(f"{place}: there are no such rules")
        found.append(entry)
    return found


def ordered(entries: Iterable[Entry]) -> list[Entry]:
    """Game by game and track by track, the best first."""
    tracks = list(TRACKS)
    return sorted(entries, key=lambda each: (each.game, tracks.index(each.track), -each.over_hints.mean, each.player))


def write(entries: Iterable[Entry], folder: Path) -> None:
    """Write the file, and a table for each game."""
    listed = ordered(entries)
    folder.mkdir(parents=True, exist_ok=True)
    rows = [each.model_dump(exclude_none=True) for each in listed]
    (folder / FILE).write_text(tomli_w.dumps({"entry": rows}), "utf-8")
    for game, its in groupby(listed, lambda each: each.game):
        (folder / f"{game}.txt").write_text(table(list(its)), "utf-8")


def table(entries: Sequence[Entry]) -> str:
    """The entries of one game in Markdown, those of a track below its heading."""
    lines = [
        "| player | over `hints` | over `net` | exploitability | decisions a second | training | deals | measured |",
        "|---|---:|---:|---:|---:|---|---:|---|",
    ]
    for track, its in groupby(entries, lambda each: each.track):
        lines.append(f"| **{TRACKS[track]}** | | | | | | | |")
        lines += [_line(each) for each in its]
    return "\n".join([*lines, ""])


def _line(entry: Entry) -> str:
    name = entry.player if entry.by == OURS else f"{entry.player}, {entry.by}"
    cells = [
        f"[{name}]({entry.code})" if entry.code.startswith("http") else f"`{name}`",
        str(entry.over_hints),
        str(entry.over_net or ""),
        "" if entry.exploitability is None else f"{entry.exploitability:.3f}",
        f"{entry.decisions_a_second:,}" if entry.decisions_a_second else "",
        entry.training,
        f"{entry.over_hints.deals:,}",
        entry.measured,
    ]
    return f"| {' | '.join(cells)} |"


def deck_hash(game: str) -> str:
    """SHA-256 of the first ``HASHED`` published decks of a game, a byte for each card, in hexadecimal digits."""
    table_of, digest = tefuda.load(game), hashlib.sha256()
    for number in range(HASHED):
        deck = table_of.deal((SEED, number)).deck
        assert deck is not None, "every game has a pack"
        digest.update(bytes(deck.tolist()))
    return digest.hexdigest()
