"""Lines of a record file (``.tfd``), written; ``record`` reads them."""

import json
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING

import numpy as np

from tefuda.engine.errors import TefudaError
from tefuda.engine.files import JsonObject
from tefuda.table.table_rules import TableRules

if TYPE_CHECKING:
    from tefuda.table.deal import Deal

FORMAT = 1  #: version of the format


def head(game: TableRules, players: Sequence[str], seed: int | None) -> JsonObject:
    """Build the first line of a record: game, options, players."""
    return {
        "tefuda": FORMAT,
        "game": game.name,
        "rules": game.description.rules_version,
        "seats": game.seats,
        "options": game.changed_options(),
        "players": list(players),
        "seed": seed,
    }


def deal_head(deal: "Deal", number: int) -> JsonObject:
    """Build the line with which a deal begins, numbered from 1; ``TefudaError`` for a position, which has no deck."""
    if deal.deck is None or deal.before is None:
        raise TefudaError("a position has no deck, so it cannot be recorded")
    before, template = deal.before[0], deal.game.template[0]
    carried = {
        each.name: before[each.name].tolist()
        for each in deal.game.description.fields
        if each.carried and not np.array_equal(before[each.name], template[each.name])
    }
    deck = deal.game.write_deck(deal.deck)
    row: JsonObject = {"deal": number, "before": carried, "chance": int(before["chance"]), "deck": deck}
    return row if deal.proof is None else {**row, "proof": deal.proof.to_json()}


def play_line(seat: int, word: str) -> JsonObject:
    """Build the line of one play."""
    return {"play": f"{seat}:{word}"}


def write_deals(game: TableRules, deals: Sequence["Deal"], players: Sequence[str], seed: int | None = None) -> str:
    """Write the text of a record: the first deals of a game, players' names or none, the session's seed if any.

    ``TefudaError`` if a position is among the deals."""
    rows = [head(game, players, seed)]
    for number, deal in enumerate(deals, 1):
        rows += [deal_head(deal, number), *(play_line(seat, word) for seat, word in deal.history)]
        if deal.over:
            rows.append({"payoff": deal.payoff()})
    return write_rows(rows)


def write_rows(rows: Iterable[JsonObject]) -> str:
    """Write the text of a record from its lines."""
    return "".join(map(_line, rows))


def append(file: IO[str], row: JsonObject) -> None:
    """Add one line and hand it to the operating system at once: a game that is cut off loses nothing."""
    file.write(_line(row))
    file.flush()


def _line(row: JsonObject) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"
