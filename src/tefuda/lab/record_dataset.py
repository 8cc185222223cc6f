"""Datasets of what people decided: their records (``.tfd``), replayed, with pseudonyms and what reviews say."""

import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tefuda.bots.advice import listed
from tefuda.bots.players import ANNOUNCED, BOTS, LEVELS
from tefuda.bots.review import KeptReviews, Reviewer, choices
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.lab.dataset import Dataset, DatasetPart, tables
from tefuda.lab.jobs import Stop
from tefuda.lab.measure.rows import parquet_bytes
from tefuda.lab.play.python_game import DecisionPoints
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.record import Record
from tefuda.table.record_lines import head

PEOPLE = {"person": pl.Boolean, "player": pl.String}
REVIEW = {"best": pl.String, "given_away": pl.Float32, "low": pl.Float32, "high": pl.Float32}

_NOBODY = ("", "-", "—")  # a seat without a name, and a name that a server has erased

RecordedDeal = tuple[Deal, Sequence[str]]  #: a finished deal, and the names of its players, if any


def seated(name: str, salt: bytes) -> tuple[str | None, bool | None, str | None]:
    """Tell who has this name in a record: the spec of a bot, whether it is a person, and a pseudonym, always the same
    under one salt; each None where the name does not tell."""
    known = "|".join(map(re.escape, (*BOTS, *LEVELS, *entry_points(group=ANNOUNCED).names)))
    if found := re.fullmatch(rf"((?:{known})(?::\S*)?)(?: \(?\d+\)?)?", name):
        return found[1], False, None
    if name in _NOBODY:
        return None, None, None
    is_anybody = name == "human"  # whoever sat at a terminal
    return None, True, None if is_anybody else hmac.digest(salt, name.encode(), "sha256").hex()[:12]


def read_salt(path: Path) -> bytes:
    """Read the salt of pseudonyms; make the file if there is none. ``TefudaError`` if that cannot be done."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(0o600)
            path.write_text(secrets.token_hex(16), "utf-8")
        return path.read_bytes()
    except OSError as error:
        raise TefudaError(f"{file_fault(error)}; name another folder by -o") from error


def read_records(
    files: Iterable[Path],
    name: str | None,
    prepare: Callable[[Description], None],
    leave_out: Callable[[str, str], None],
    advance: Callable[[int], None],
) -> tuple[Game, list[RecordedDeal]]:
    """Replay records. Return the game of the first, or of the first that has this ``name``, and each finished deal of
    it once; other seats, options and rules are another game. ``leave_out`` is called with a reason and a line on each
    thing left out, ``prepare`` before the game is played. ``TefudaError`` if no deal is left."""
    found, kept = None, dict[str, RecordedDeal]()
    for file in files:
        advance(1)
        try:
            record = Record.read(file)
            game = record.load_game()
            if found is None and name in (None, game.name):
                found = game
                prepare(game.description)
            if found is None or head(game, (), None) != head(found, (), None):
                leave_out("records of another game, or with other seats, options or rules", f"{file}: {game!r}")
                continue
            deals = record.replay().deals
        except TefudaError as error:
            if not file.exists():
                raise
            leave_out("records that cannot be read or contradict the rules", str(error))
            continue
        for number, deal in enumerate(deals, 1):
            text = deal.record()
            if not deal.over or text in kept:
                reason = "deals that are there already" if deal.over else "deals that were not finished"
                leave_out(reason, f"{file}: deal {number}")
            else:
                kept[text] = deal, record.players
    if found is None or not kept:
        raise TefudaError(f"the records have no finished deal{f' of {name}' if name else ''}")
    return found, list(kept.values())


@dataclass(frozen=True)
class RecordDataset(Dataset):
    """A dataset of recorded deals, which have numbers instead of a seed; ``bots`` are not looked at."""

    recorded: Sequence[RecordedDeal] = ()
    left_out: Mapping[str, int] | None = None  #: how many, by reason
    salt: bytes = b""

    def origin(self) -> dict[str, Any]:
        texts = "".join(f"{deal.record()}{players}" for deal, players in self.recorded)
        digest = hmac.digest(self.salt, texts.encode(), "sha256").hex()
        return {
            "records": digest,
            "left_out": self.left_out,
            "people": True,
            "review": self.review,
            "worlds": self.worlds,
        }

    def player(self, stop: Stop) -> Callable[[tuple[int, range]], DatasetPart]:
        reviewer, kept = Reviewer(), KeptReviews()

        def make_part(piece: tuple[int, range]) -> DatasetPart:
            number, numbers = piece
            some = self.recorded[numbers.start : numbers.stop]
            who = [[seated(name, self.salt) for name in players or [""] * self.game.seats] for _, players in some]
            bots, deals = [[spec for spec, _, _ in seats] for seats in who], np.array(numbers)
            finals, points = np.concatenate([deal.array for deal, _ in some]), [_points(deal) for deal, _ in some]
            rows, games = tables(self.game, bots, deals, 0 * deals, finals, points)
            places = [(deal - numbers.start, seat) for deal, seat in rows.select("deal", "seat").iter_rows()]
            rows = rows.hstack(pl.DataFrame([who[k][seat][1:] for k, seat in places], PEOPLE, orient="row"))
            if self.review:
                found = {}
                for k, seat in sorted({(k, seat) for k, seat in places if who[k][seat][1]}):
                    review = kept.read(some[k][0], seat) or reviewer.review(some[k][0], seat)
                    kept.keep(some[k][0], review)
                    found[k, seat] = iter(review.decisions)
                said = [next(found[place]) if place in found else None for place in places]
                columns = {name: [getattr(each, name, None) for each in said] for name in REVIEW}
                rows = rows.hstack(pl.DataFrame(columns, REVIEW))
            rows = self.with_worlds(rows, points, number)
            return DatasetPart(number, len(some), len(rows), parquet_bytes(rows), parquet_bytes(games))

        return make_part


def _points(deal: Deal) -> DecisionPoints:
    made = [(each.moment, listed(each.moment, each.action)) for each in choices(deal)]
    states = np.concatenate([deal.array[:0], *(moment.array for moment, _ in made)])
    return DecisionPoints(0, states, np.array([action for _, action in made], np.int64))
