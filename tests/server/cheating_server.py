"""A server that cheats at tables whose first seat has the name of a cheat; else it is ``tefuda serve``.

``python -m tests.server.cheating_server serve …`` is the real server with a few functions changed. Each cheat would
give the house the cards that it likes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tefuda.cli.app import main
from tefuda.server.live.scheduler import Scheduler
from tefuda.server.store.port import Draft
from tefuda.server.table import events, replays, table_messages
from tefuda.server.table.table_state import TableState
from tefuda.table import shuffle

CHEATS = {
    "grind": "began again",
    "names a bot": "a seat was named",
    "names me early": "a seat was named",
    "names me first": "nothing that this program sealed",
    "downgrade": "old protocol",
    "silent": "showed no shuffle",
    "swap": "was left out",
    "recommit": "the commitment is not the one",
    "deals at once": "without waiting",
    "pack": "the deck is not the one that follows",
    "hand": "not those that follow from the deck",
    "context": "not what the commitment",
}
"""What a program finds: part of what it says."""


def cheat_of(table: TableState) -> str:
    """How the house cheats at a table."""
    return table.chairs[0].name if table.chairs else ""


def changed(module: Any, name: str, change: Callable[..., Any]) -> None:
    """Put a function in another's place, which it is given first."""
    honest = getattr(module, name)
    setattr(module, name, lambda *given, **named: change(honest, *given, **named))


def commit(honest: Any, table: TableState, secret: bytes) -> list[Draft]:
    drafts, cheat = honest(table, secret), cheat_of(table)
    if cheat == "silent":
        return [*drafts, Draft("closed_seals", {"attempt": 1}), Draft("dealt", {"deal": table.deals + 1})]
    if cheat == "names me first":
        return [*drafts, Draft("unrevealed", {"seats": [0]})]
    if cheat == "context":
        commitment = shuffle.commit(shuffle.context(table.game, "another/1", table.deals + 1), secret)
        return [Draft("committed", {**drafts[0].body, "commitment": commitment.hex()})]
    return list(drafts)


def next_of_shuffle(honest: Any, scheduler: Any, table: TableState) -> Any:
    """Wait for the program, which would else come when it has been named and the cards are dealt."""
    if cheat_of(table) == "names me first" and not scheduler._table.is_here(0):
        return None
    return honest(scheduler, table)


def close_seals(honest: Any, table: TableState) -> list[Draft]:
    assert table.shuffle is not None
    if cheat_of(table) == "names me early" and table.shuffle.attempt == 1:
        return [Draft("unrevealed", {"seats": [0]})]
    if cheat_of(table) == "deals at once":
        return [Draft("closed_seals", {"attempt": 1}), Draft("dealt", {"deal": table.deals + 1})]
    return list(honest(table))


def deal(honest: Any, table: TableState) -> list[Draft]:
    assert table.shuffle is not None
    if table.shuffle.attempt < 3 and cheat_of(table) in ("grind", "names a bot"):
        return [Draft("unrevealed", {"seats": [table.shuffle.attempt] if cheat_of(table) == "names a bot" else []})]
    return list(honest(table))


def apply_dealt(honest: Any, state: TableState, deal: int) -> None:
    honest(state, deal)
    if cheat_of(state) == "pack" and state.deal is not None:
        order, chance = np.sort(state.game.pack)[::-1].copy(), int(state.deal.before["chance"][0])  # type: ignore[index]
        state.deal = state.game.deal(0, deck=order, chance=chance, proof=state.deal.proof)


def proofs(honest: Any, table: TableState) -> list[dict[str, Any]]:
    found = honest(table)
    for row in found:
        if cheat_of(table) == "pack":
            this_round = shuffle.round_of(row["context"].encode(), row["attempt"])
            entropy = [bytes.fromhex(part) for part in row["entropy"]]
            places, _ = shuffle.shuffle(np.arange(len(row["pack"])), this_round, bytes.fromhex(row["secret"]), entropy)
            row["pack"] = [row["deck"][places.tolist().index(place)] for place in range(len(places))]
        if cheat_of(table) == "hand":
            row["hands"][0] = row["hands"][1]
    return list(found)


def shuffle_state(honest: Any, table: TableState) -> Any:
    shown, cheat = honest(table), cheat_of(table)
    if shown is not None and cheat == "downgrade":
        return {key: shown[key] for key in ("deal", "commitment", "ready")}
    if shown is not None and cheat == "recommit" and shown["seals"]:
        return {**shown, "commitment": "00" * 32}
    if shown is not None and cheat == "swap" and shown["seals"]:
        return {**shown, "seals": ["", shown["seals"][0], *shown["seals"][2:]]}
    return shown


def deal_state(honest: Any, table: TableState, perspective: Any, *seen: Any) -> Any:
    shown = honest(table, perspective, *seen)
    if cheat_of(table) == "hand" and perspective.seat == 0:
        return {**shown, "scene": replace(shown["scene"], hand=table.view(1).scene.hand)}
    return shown


def serve() -> None:
    """Serve, with all of it changed."""
    changed(Scheduler, "_next_of_shuffle", next_of_shuffle)
    changed(events, "commit", commit)
    changed(events, "close_seals", close_seals)
    changed(events, "deal", deal)
    changed(replays, "proofs", proofs)
    changed(table_messages, "shuffle_state", shuffle_state)
    changed(table_messages, "_deal_state", deal_state)
    honest = events._APPLY["dealt"]
    events._APPLY["dealt"] = lambda state, **body: apply_dealt(honest, state, **body)
    main()


if __name__ == "__main__":
    serve()
