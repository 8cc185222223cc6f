"""Records (.tfd) in two other forms, and back. What a file's name ends in says its form.

    uv run python examples/record_formats.py game.tfd game.txt     # a line for each deal
    uv run python examples/record_formats.py game.tfd game.jsonl   # events, as in mjai
    uv run python examples/record_formats.py game.jsonl again.tfd  # the same record as game.tfd

A line of text has these fields, with tabs between them: game, version of its rules, seats, options, players, seed;
number of the deal, what it began from, its random number, deck, plays, payoff, proof of the shuffle. Decks and plays
are words with blanks between them; options, players, what a deal began from, payoff and proof are JSON; a hyphen stands
for none.

Events are ``start_game``; for each deal ``start_deal`` with all hands, a ``play`` for each play and ``end_deal``, if it
was finished; then ``end_game``."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tefuda.engine.errors import TefudaError
from tefuda.engine.files import load_json, read_text
from tefuda.table.record import Record
from tefuda.table.record_lines import FORMAT, write_rows

Row = dict[str, Any]

NONE = "-"
FIELDS = ["game", "rules", "seats", "options", "players", "seed"]
DEAL_FIELDS = ["deal", "before", "chance", "deck", "plays", "payoff", "proof"]


def rows(record: Record) -> Iterator[Row]:
    """Yield the lines of a record file."""
    yield {"tefuda": FORMAT, **{name: getattr(record, name) for name in FIELDS}}
    for deal in record.deals:
        before = {} if deal.before is None else {"before": deal.before}
        proof = {} if deal.proof is None else {"proof": deal.proof.to_json()}
        yield {"deal": deal.number, **before, "chance": deal.chance, "deck": deal.deck, **proof}
        yield from ({"play": play} for play in deal.plays)
        if deal.payoff is not None:
            yield {"payoff": deal.payoff}


def to_text(record: Record) -> str:
    """Write a line for each deal; ``TefudaError`` if there is none, since the rest of the record stands in these."""
    if not record.deals:
        raise TefudaError(f"{record.source}: it has no deal, so it has no line of text")
    lines = []
    for deal in record.deals:
        words = {"deck": deal.deck, "plays": " ".join(deal.plays)}
        data: Row = {"deal": deal.number, "before": deal.before, "chance": deal.chance, "payoff": deal.payoff}
        data["proof"] = deal.proof and deal.proof.to_json()
        head = [getattr(record, name) for name in FIELDS]
        fields = [*head, *(words.get(name, data.get(name)) for name in DEAL_FIELDS)]
        lines.append("\t".join(map(_field, fields)) + "\n")
    return "".join(lines)


def from_text(text: str) -> Iterator[Row]:
    """Yield the lines of the record file whose deals these are; ``ValueError`` if they are not."""
    begun: list[str] = []
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) != len(FIELDS) + len(DEAL_FIELDS):
            raise ValueError(f"a line has {len(FIELDS) + len(DEAL_FIELDS)} fields, with tabs between them")
        head, (number, before, chance, deck, plays, payoff, proof) = fields[: len(FIELDS)], fields[len(FIELDS) :]
        if not begun:
            game, *others = head
            yield {"tefuda": FORMAT, "game": game, **dict(zip(FIELDS[1:], map(_value, others), strict=True))}
        elif begun != head:
            raise ValueError(f"deal {number} is of another game or other players than the first: make a file of each")
        begun = head
        row = {"deal": number, "before": before, "chance": chance, "deck": json.dumps(deck), "proof": proof}
        yield {name: load_json(field) for name, field in row.items() if field != NONE}
        yield from ({"play": play} for play in plays.split() if plays != NONE)
        if payoff != NONE:
            yield {"payoff": _value(payoff)}


def to_events(record: Record) -> str:
    """Write the events of a record, which is replayed for the hands."""
    dealt = iter(record.replay().deals)
    events: list[Row] = []
    for row in rows(record):
        if "tefuda" in row:
            events.append({"type": "start_game", **row})
        elif "deck" in row:
            beginning = next(dealt).at(0)
            hands = [beginning.view(seat).to_dict()["hands"] for seat in range(record.seats)]
            events.append({"type": "start_deal", **row, "hands": hands})
        elif "play" in row:
            seat, _, word = row["play"].partition(":")
            events.append({"type": "play", "actor": int(seat), "play": word})
        else:
            events.append({"type": "end_deal", **row})
    return write_rows([*events, {"type": "end_game"}])


def from_events(text: str) -> Iterator[Row]:
    """Yield the lines of the record file whose events these are; ``ValueError`` if they are not."""
    for line in text.splitlines():
        event = load_json(line)
        if not isinstance(event, dict):
            raise ValueError("an event is a JSON object")
        kind = event.pop("type", None)
        if kind == "play":
            yield {"play": f"{event.get('actor')}:{event.get('play')}"}
        elif kind in ("start_game", "start_deal", "end_deal"):
            event.pop("hands", None)
            yield event
        elif kind != "end_game":
            raise ValueError(f"there is no event {kind!r}")


def _field(value: object) -> str:
    if value is None or value == "":
        return NONE
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(field: str) -> Any:
    return None if field == NONE else load_json(field)


WRITERS: dict[str, Callable[[Record], str]] = {
    ".tfd": lambda record: write_rows(rows(record)),
    ".txt": to_text,
    ".jsonl": to_events,
}
READERS: dict[str, Callable[[str], Iterator[Row]]] = {".txt": from_text, ".jsonl": from_events}


def read(path: Path) -> Record:
    """Read a record in any of the forms; ``TefudaError`` names the file if it is none."""
    if path.suffix not in READERS:
        return Record.read(path)
    try:
        return Record.parse(write_rows(READERS[path.suffix](read_text(path, TefudaError))), str(path))
    except ValueError as error:
        raise TefudaError(f"{path}: {error}") from error


def main(words: list[str]) -> None:
    """Convert a file; one line says what is wrong with it."""
    if len(words) != 2 or Path(words[1]).suffix not in WRITERS:
        sys.exit(
            "record_formats.py: name two files that end in .tfd, .txt or .jsonl: record_formats.py game.tfd game.txt"
        )
    given, wanted = map(Path, words)
    try:
        text = WRITERS[wanted.suffix](read(given))
        wanted.write_text(text, "utf-8")
    except (TefudaError, OSError) as error:
        sys.exit(f"record_formats.py: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
