"""Records of games: small text files (``.tfd``) that replay for ever.

One JSON object a line. The first names the game, the version of its rules, seats, options and players. Then for each
deal: a line with its number, what it began from, its random number, its deck and, of a fair shuffle, the proof
(``shuffle``); a line for each play (``"2:SQ"``); a line with the payoff. Lines are only ever appended, so that a file
cut short anywhere still replays up to there.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from tefuda import games
from tefuda.engine.description import Value
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import seat_and_play
from tefuda.engine.record import duplicate
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.session import Session
from tefuda.table.shuffle import Proof, check_proof

FORMAT = 1

_KEYS = {
    "tefuda": {"tefuda", "game", "rules", "seats", "options", "players", "seed"},
    "deal": {"deal", "before", "chance", "deck", "proof"},
    "play": {"play"},
    "payoff": {"payoff"},
}
"""What a line may hold, by what tells of which kind it is."""

Entry = TypeVar("Entry")


class RecordError(TefudaError):
    """A file that is no record, or one that contradicts the rules; the message names the line."""


@dataclass
class DealRecord:
    """One deal as recorded."""

    number: int
    before: dict[str, Any]
    chance: int
    deck: str
    plays: list[str] = field(default_factory=list)
    payoff: list[int] | None = None
    proof: Proof | None = None


@dataclass
class Record:
    """A recorded game: one deal or several.

    Attributes:
        source: what the record is called in messages, such as the name of its file.
    """

    game: str
    rules: int
    seats: int
    options: dict[str, Value]
    players: list[str]
    seed: int | None
    deals: list[DealRecord] = field(default_factory=list)
    source: str = "record"

    def load_game(self) -> Game:
        """The game it was played with.

        Raises:
            RecordError: this version plays by other rules, or has no such game, seats or options.
        """
        try:
            description = games.description(self.game)
            game = Game(description, self.seats, self.options)
        except TefudaError as error:
            raise RecordError(f"{self.source}: {error}") from error
        if self.rules != description.rules_version:
            raise RecordError(
                f"{self.source}: it follows version {self.rules} of the rules of {self.game}; "
                f"this Tefuda plays version {description.rules_version}"
            )
        return game

    def replay(self) -> Session:
        """The whole game, played again by the rules.

        Raises:
            RecordError: a deck, play or payoff contradicts the rules.
        """
        session = Session(self.load_game(), self.seed)
        for recorded in self.deals:
            try:
                if session.deals:
                    _check_follows(session.deal, recorded)
                session.deals.append(_replay_deal(session.game, recorded))
            except RecordError as error:
                raise RecordError(f"{self.source}: deal {recorded.number}: {error}") from error
        return session


def verify(record: Record) -> list[Deal]:
    """All deals of a record, replayed and each proved to be shuffled fairly.

    What no proof can show: that the players had these names, and that a play was made and not another legal one after
    which all others are legal too and everybody is paid the same. The server that kept the table can tell.

    Raises:
        RecordError: a proof does not hold or is missing, a play contradicts the rules, or there is no deal.
    """
    if not record.deals:
        raise RecordError(f"{record.source}: it has no deal")
    if record.seed is not None:
        raise RecordError(f"{record.source}: its deals come from a seed, not from a fair shuffle")
    for recorded in record.deals:
        if recorded.proof is None:
            raise RecordError(f"{record.source}: deal {recorded.number}: it has no proof of a fair shuffle")
    tables = {recorded.proof.table for recorded in record.deals if recorded.proof}
    if len(tables) > 1:
        raise RecordError(f"{record.source}: its deals come from several tables: {', '.join(sorted(tables))}")
    if record.deals[0].before:
        raise RecordError(f"{record.source}: deal 1: it does not begin as a game does")
    deals = record.replay().deals
    for number, (deal, recorded) in enumerate(zip(deals, record.deals, strict=True), 1):
        if deal.over and recorded.payoff is None:
            raise RecordError(f"{record.source}: deal {number}: it is finished, but its payoff is missing")
    return deals


def _check_follows(earlier: Deal, recorded: DealRecord) -> None:
    """Whether a deal begins from what the deal before it hands on."""
    if not earlier.over:
        raise RecordError("the deal before it is not finished")
    given, handed_on = _state_before(earlier.game, recorded), earlier.following()
    for each in earlier.game.description.fields:
        if each.carried and not np.array_equal(given[each.name], handed_on[each.name]):
            raise RecordError(f"{each.name} is not what the deal before it hands on")


def _replay_deal(game: Game, recorded: DealRecord) -> Deal:
    before = _state_before(game, recorded)
    try:
        deal = game.deal(0, deck=recorded.deck, chance=recorded.chance, before=before)
        if recorded.proof is not None:
            assert deal.deck is not None
            check_proof(game, recorded.number, recorded.proof, deal.deck, recorded.chance)
            deal.attach_proof(recorded.proof)
    except TefudaError as error:
        raise RecordError(str(error)) from error
    for number, text in enumerate(recorded.plays, 1):
        try:
            seat, word = seat_and_play(text)
            deal.play(word, seat)
        except TefudaError as error:
            raise RecordError(f"play {number} ({text}): {error}") from error
    if recorded.payoff is not None and not deal.over:
        raise RecordError("it has a payoff but is not finished")
    if recorded.payoff is not None and recorded.payoff != deal.payoff():
        raise RecordError(f"recorded payoff {recorded.payoff}, by the rules {deal.payoff()}")
    return deal


def _state_before(game: Game, recorded: DealRecord) -> Any:
    before = duplicate(game.template)
    carried = {each.name for each in game.description.fields if each.carried}
    for name, value in recorded.before.items():
        if name not in carried:
            raise RecordError(f"{name!r} is not something a deal hands on in {game.name}")
        given = np.array(value)
        room = np.iinfo(before[name].dtype)
        fits = given.dtype.kind == "i" and given.shape == before[name][0].shape
        if not fits or given.min() < room.min or given.max() > room.max:
            raise RecordError(f"{name}: {value!r} will not do")
        before[name][0] = given
    fault = game.description.setup.start_fault(before[0])
    if fault:
        raise RecordError(f"{fault}")
    return before


def head(game: Game, players: Sequence[str], seed: int | None) -> dict[str, Any]:
    """The first line of a record."""
    return {
        "tefuda": FORMAT,
        "game": game.name,
        "rules": game.description.rules_version,
        "seats": game.seats,
        "options": game.changed_options(),
        "players": list(players),
        "seed": seed,
    }


def deal_head(deal: Deal, number: int) -> dict[str, Any]:
    """The line with which a deal begins.

    Raises:
        ValueError: a position has no deck, so it cannot be recorded.
    """
    if deal.deck is None or deal.before is None:
        raise ValueError("a position has no deck, so it cannot be recorded")
    before, template = deal.before[0], deal.game.template[0]
    carried = {
        each.name: before[each.name].tolist()
        for each in deal.game.description.fields
        if each.carried and not np.array_equal(before[each.name], template[each.name])
    }
    deck = deal.game.write_deck(deal.deck)
    row = {"deal": number, "before": carried, "chance": int(before["chance"]), "deck": deck}
    return row if deal.proof is None else {**row, "proof": deal.proof.to_json()}


def play_line(seat: int, word: str) -> dict[str, Any]:
    """The line of one play."""
    return {"play": f"{seat}:{word}"}


def deal_lines(deal: Deal, number: int) -> Iterator[dict[str, Any]]:
    """All lines of a deal."""
    yield deal_head(deal, number)
    for seat, word in deal.history:
        yield play_line(seat, word)
    if deal.over:
        yield {"payoff": deal.payoff()}


def write_deal(deal: Deal) -> str:
    """A record of this deal alone."""
    return "".join(_line(row) for row in [head(deal.game, [], None), *deal_lines(deal, 1)])


def write_session(session: Session, players: Sequence[str]) -> str:
    """A record of a whole session."""
    return write_deals(session.game, session.deals, players, session.seed)


def write_deals(game: Game, deals: Sequence[Deal], players: Sequence[str], seed: int | None = None) -> str:
    """A record of the first deals of a game."""
    rows = [head(game, players, seed)]
    for number, deal in enumerate(deals, 1):
        rows += deal_lines(deal, number)
    return "".join(_line(row) for row in rows)


def append(file: IO[str], row: dict[str, Any]) -> None:
    """Add one line and hand it to the operating system at once: a game that is cut off loses nothing."""
    file.write(_line(row))
    file.flush()


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def read(path: Path) -> Record:
    """A record file.

    Raises:
        RecordError: it cannot be read, or is not a record; the message names file and line.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise RecordError(f"{path}: {reason}") from error
    return parse(text, str(path))


def parse(text: str, source: str = "record") -> Record:
    """A record from its text; a last line that was cut short is left out.

    Raises:
        RecordError: it is not a record; the message names ``source`` and the line.
    """
    lines = text.split("\n")
    record = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = _read_line(record, json.loads(line), source)
        except (ValueError, RecursionError) as error:
            if record is not None and number == len(lines):
                break
            reason = str(error) if isinstance(error, TefudaError) else "it is not JSON"
            raise RecordError(f"{source}, line {number}: not a line of a record ({reason})") from error
    if record is None:
        raise RecordError(f"{source}: empty, not a record")
    return record


def _read_line(record: Record | None, row: Any, source: str) -> Record:
    if not isinstance(row, dict):
        raise RecordError("not a JSON object")
    known = next((keys for first, keys in _KEYS.items() if first in row), set[str]())
    if not known >= set(row):
        raise RecordError(f"{', '.join(sorted(set(row) - known))}: not known")
    if record is None:
        return _read_head(row, source)
    if "deal" in row:
        if row["deal"] != len(record.deals) + 1:
            raise RecordError(f"deal {row['deal']!r} instead of deal {len(record.deals) + 1}")
        before, deck = _entry(row, "before", dict), _entry(row, "deck", str)
        proof = Proof.from_json(_entry(row, "proof", dict)) if "proof" in row else None
        chance = _entry(row, "chance", int)
        record.deals.append(DealRecord(len(record.deals) + 1, before, chance, deck, proof=proof))
    elif not record.deals:
        raise RecordError("it belongs to no deal")
    elif record.deals[-1].payoff is not None:
        raise RecordError("it comes after the payoff of its deal")
    elif "play" in row:
        record.deals[-1].plays.append(_entry(row, "play", str))
    else:
        record.deals[-1].payoff = _entry(row, "payoff", list)
    return record


def _read_head(row: dict[str, Any], source: str) -> Record:
    if _entry(row, "tefuda", int) != FORMAT:
        raise RecordError(f"format {row['tefuda']}; this version reads {FORMAT}")
    seats, players, seed = _entry(row, "seats", int), _entry(row, "players", list), row.get("seed")
    if players and (len(players) != seats or not all(isinstance(player, str) for player in players)):
        raise RecordError(f"players: {players!r} are not {seats} names")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise RecordError(f"seed: {seed!r} is not a whole number from 0")
    rules, options = _entry(row, "rules", int), _entry(row, "options", dict)
    return Record(_entry(row, "game", str), rules, seats, options, players, seed, source=source)


def _entry(row: dict[str, Any], key: str, kind: type[Entry]) -> Entry:
    if key not in row:
        raise RecordError(f"it lacks {key!r}")
    value = row[key]
    if type(value) is not kind:
        raise RecordError(f"{key}: {value!r} will not do")
    return value
