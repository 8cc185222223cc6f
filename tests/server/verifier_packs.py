"""Writes ``verify/packs.json``, all packs and who is dealt what: ``python -m tests.server.verifier_packs``.

A pack stands in the order in which a shuffle begins with it. ``hands`` has, for each turn, the places in the shuffled
deck from which each seat is dealt, where the rules let that be known from the deck alone: ``turn`` says by what."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import games
from tefuda.engine.option import OptionError
from tefuda.table.game import Game

FILE = Path(__file__).parent.parent.parent / "verify" / "packs.json"

TURNS = {"gong-zhu": "", "luk-fu": "dealer", "sap-ng-wu": "dealer", "ma-diao": "dealer+value", "kakkuri": None}
"""By what a game finds who is dealt first: nothing, the dealer, or the dealer and a number on the last card of the
deck; None where more than the deck decides what is dealt."""


def packs() -> list[dict[str, Any]]:
    """Every pack, with the options that decide it, and the hands that are dealt from it."""
    return [pack(Game(games.description(row["game"]), row["seats"], row["options"])) for row in rows()]


def rows() -> list[dict[str, Any]]:
    """The games, seats and options that have a pack of their own: an option decides it where it changes the pack."""
    found = []
    for name in games.names():
        description = games.description(name)
        for seats in description.seats:
            usual = Game(description, seats).pack.tolist()
            found.append({"game": name, "seats": seats, "options": {}})
            for option in description.rules.options:
                for value in option.values:
                    with suppress(OptionError):  # not at a table of so many
                        if Game(description, seats, {option.name: value}).pack.tolist() != usual:
                            found.append({"game": name, "seats": seats, "options": {option.name: value}})
    return found


def pack(game: Game) -> dict[str, Any]:
    """One pack."""
    order = np.sort(game.pack)
    kind = TURNS[game.name]
    options = {name: value for name, value in game.changed_options().items() if name == "five_deck"}
    row: dict[str, Any] = {"game": game.name, "seats": game.seats, "options": options, "turn": kind}
    if kind == "dealer+value":
        row["values"] = {game.description.cards[card]: value_of(game, card) for card in order.tolist()}
    if kind is not None:
        row["hands"] = [places(game, turn) for turn in range(game.seats if kind else 1)]
    return {**row, "pack": game.write_deck(order)}


def dealt(game: Game, order: Any, dealer: int) -> list[list[str]]:
    """The hands dealt from a deck."""
    deal = game.deal(0, deck=order, chance=dealer)
    return [[card for group in deal.view(seat).scene.hand for card in group.cards] for seat in range(game.seats)]


def value_of(game: Game, card: int) -> int:
    """How far the last card of the deck moves the turn on."""
    others = [each for each in np.sort(game.pack).tolist() if each != card]
    deck = np.array([*others, card], np.int64)
    first = game.description.cards[others[0]]
    return next(seat for seat, hand in enumerate(dealt(game, deck, 0)) if first in hand)


def places(game: Game, turn: int) -> list[list[int]]:
    """The places from which each seat is dealt; equal cards are told apart by many decks."""
    rng, count = np.random.default_rng(1), len(game.pack)
    could = [set(range(count)) for _ in range(game.seats)]
    values = {card: value_of(game, card) for card in game.pack.tolist()} if TURNS[game.name] == "dealer+value" else {}
    for _ in range(60):
        order = rng.permutation(np.sort(game.pack))
        dealer = (turn - values.get(int(order[-1]), 0)) % game.seats
        words = game.write_deck(order).split()
        for seat, hand in enumerate(dealt(game, order, dealer)):
            could[seat] = {place for place in could[seat] if words[place] in hand}
    return [sorted(found) for found in could]


def text() -> str:
    """The file: a line for each pack."""
    return "[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in packs()) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
