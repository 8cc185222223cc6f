"""Records of games: small text files (``.tfd``) that replay for ever.

One JSON object a line. The first names the game, the version of its rules, seats, options and players. Then for each
deal: a line with its number, what it began from, its random number, its deck and, of a fair shuffle, the proof
(``shuffle``); a line for each play (``"2:SQ"``); a line with the payoff. Lines are only ever appended, so that a file
cut short anywhere still replays up to there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from json import JSONDecodeError
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tefuda import games
from tefuda.engine import files
from tefuda.engine.errors import TefudaError
from tefuda.engine.files import read_text
from tefuda.engine.notation import seat_and_play
from tefuda.engine.option import Value
from tefuda.engine.record import duplicate
from tefuda.table.deal import Deal
from tefuda.table.game import Game, Session
from tefuda.table.record_lines import FORMAT
from tefuda.table.shuffle import Proof, check_proof
from tefuda.table.table_rules import TableRules

_KEYS = {
    "tefuda": {"tefuda", "game", "rules", "seats", "options", "players", "seed"},
    "deal": {"deal", "before", "chance", "deck", "proof"},
    "play": {"play"},
    "payoff": {"payoff"},
}
"""Keys that a line may hold, by the key that tells its kind."""

Entry = TypeVar("Entry")


class RecordError(TefudaError):
    """A file that is no record, or one that contradicts the rules; the message names the line."""


@dataclass
class DealRecord:
    """One deal as recorded."""

    number: int  #: of the deal, from 1
    #: fields handed on by the deal before it, where they differ from the start of a game. None where it was written
    #: without knowing the rules: then the deal before it in the record hands them on.
    before: dict[str, object] | None
    chance: int
    deck: str  #: the order of the pack, words with blanks between them
    plays: list[str] = field(default_factory=list)  #: as ``seat:play``
    payoff: list[int] | None = None  #: of each seat, in the game's smallest unit; None if the deal is not finished
    proof: Proof | None = None  #: of a fair shuffle, or None

    def replay(self, game: Game) -> Deal:
        """Play this deal again by the rules, as it stands by itself; ``RecordError`` if it contradicts them."""
        return _replay_deal(game, self, _state_before(game, self, []))


@dataclass(repr=False)
class Record:
    """A recorded game: one deal or several. Read by ``Record.read`` or ``Record.parse``.

    ``Deal.record`` and ``Session.record`` write the text of a record.

    Attributes:
        game: its name.
        rules: version of its rules.
        seats: number of players.
        options: those that differ from the defaults.
        players: a name for each seat, or none.
        seed: of the session, None where the decks do not come from one.
        deals: as they stand in the file.
        source: name of the record in messages, such as that of its file.

    Example:
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu", exposing=False).deal(seed=7)
        >>> deal.play(deal.legal()[0])
        >>> record = tefuda.Record.parse(deal.record())
        >>> record
        <Record of gong-zhu, 4 seats: 1 deal, 1 play>
        >>> record.replay().deal.history == deal.history
        True
    """

    game: str
    rules: int
    seats: int
    options: dict[str, Value]
    players: list[str]
    seed: int | None
    deals: list[DealRecord] = field(default_factory=list)
    source: str = "record"

    def __repr__(self) -> str:
        counts = {"deal": len(self.deals), "play": sum(len(deal.plays) for deal in self.deals)}
        counted = ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for what, count in counts.items())
        return f"<Record of {self.game}, {self.seats} seats: {counted}>"

    @classmethod
    def read(cls, path: str | Path) -> "Record":
        """Read a record file; ``RecordError`` names file and line if it is none."""
        return cls.parse(read_text(Path(path), RecordError), str(path))

    @classmethod
    def parse(cls, text: str, source: str = "record") -> "Record":
        """Read a record from its text, JSON lines; a last line that was cut short is left out. ``RecordError`` if it is
        none; the message names ``source`` and the line."""
        lines = text.split("\n")
        record = None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = _read_line(record, files.load_json(line), source)
            except (ValueError, RecursionError) as error:
                if record is not None and number == len(lines) and _is_cut(line, error):
                    break
                reason = "it is not JSON" if isinstance(error, JSONDecodeError | RecursionError) else str(error)
                raise RecordError(f"{source}, line {number}: not a line of a record ({reason})") from error
        if record is None:
            raise RecordError(f"{source}: empty, not a record")
        return record

    def load_game(self) -> Game:
        """Load the game that it is a record of; ``RecordError`` if this version has not its rules or options."""
        try:
            return Game(games.description(self.game).as_of(self.rules), self.seats, self.options)
        except TefudaError as error:
            raise RecordError(f"{self.source}: {error}") from error

    def replay(self) -> Session:
        """Play the whole game again by the rules: a session with every deal of the record. ``RecordError`` if a deck,
        play or payoff contradicts the rules."""
        session = Session(self.load_game(), self.seed)
        for recorded in self.deals:
            try:
                before = _state_before(session.game, recorded, session.deals)
                if session.deals:
                    _check_follows(session.deal, before)
                session.deals.append(_replay_deal(session.game, recorded, before))
            except RecordError as error:
                raise RecordError(f"{self.source}: deal {recorded.number}: {error}") from error
        return session

    def verify(self) -> list[Deal]:
        """Replay all deals, and prove of each that it was shuffled fairly; return them.

        No proof can show that the players had these names, nor that a play was made and not another legal one after
        which all others are legal too and everybody is paid the same. Only the server that kept the table can tell.
        ``RecordError`` if a proof does not hold or is missing, a play contradicts the rules, or there is no deal."""
        if not self.deals:
            raise RecordError(f"{self.source}: it has no deal")
        if self.seed is not None:
            raise RecordError(f"{self.source}: its deals come from a seed, not from a fair shuffle")
        for recorded in self.deals:
            if recorded.proof is None:
                raise RecordError(f"{self.source}: deal {recorded.number}: it has no proof of a fair shuffle")
        tables = {recorded.proof.table for recorded in self.deals if recorded.proof}
        if len(tables) > 1:
            raise RecordError(f"{self.source}: its deals come from several tables: {', '.join(sorted(tables))}")
        if self.deals[0].before:
            raise RecordError(f"{self.source}: deal 1: it does not begin as a game does")
        deals = self.replay().deals
        for number, (deal, recorded) in enumerate(zip(deals, self.deals, strict=True), 1):
            if deal.over and recorded.payoff is None:
                raise RecordError(f"{self.source}: deal {number}: it is finished, but its payoff is missing")
        return deals


def _is_cut(line: str, error: Exception) -> bool:
    """Tell if a line may be the beginning of one, as a power cut leaves it; nothing else may stand at the end."""
    is_open = isinstance(error, JSONDecodeError) and not error.msg.startswith("Extra data")
    return is_open and line.startswith("{") and line.isprintable()


def _check_follows(earlier: Deal, given: NDArray[np.void]) -> None:
    """Refuse a deal that does not begin from what the deal before it hands on."""
    if not earlier.over:
        raise RecordError("the deal before it is not finished")
    handed_on = earlier.following()
    for each in earlier.game.description.fields:
        if each.carried and not np.array_equal(given[each.name], handed_on[each.name]):
            raise RecordError(f"{each.name} is not what the deal before it hands on")


def _replay_deal(game: Game, recorded: DealRecord, before: NDArray[np.void]) -> Deal:
    try:
        deal = game.deal(0, deck=recorded.deck, chance=recorded.chance, before=before, proof=recorded.proof)
        if recorded.proof is not None:
            assert deal.deck is not None
            check_proof(game, recorded.number, recorded.proof, deal.deck, recorded.chance)
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


def _state_before(game: TableRules, recorded: DealRecord, deals: Sequence[Deal]) -> NDArray[np.void]:
    if recorded.before is None:
        if not deals or not deals[-1].over:
            raise RecordError("the deal before it is not finished")
        return deals[-1].following()
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


def _read_line(record: Record | None, row: object, source: str) -> Record:
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
        is_first, deck = not record.deals, _entry(row, "deck", str)
        before = _entry(row, "before", dict) if is_first or "before" in row else None
        proof = Proof.from_json(_entry(row, "proof", dict)) if "proof" in row else None
        record.deals.append(DealRecord(len(record.deals) + 1, before, _entry(row, "chance", int), deck, proof=proof))
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
