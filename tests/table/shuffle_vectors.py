"""Writes ``shuffle_vectors.json``: ``uv run python -m tests.table.shuffle_vectors``. They must never change.

Whoever checks proofs in another language checks these: from context, pack, secret and entropy follow commitment, deck
(card numbers, and as words) and chance."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.table import shuffle
from tefuda.table.game import Game

FILE = Path(__file__).parent / "shuffle_vectors.json"
EACH = 20

VERSIONS = {"gong-zhu": 1, "kakkuri": 2, "luk-fu": 1, "ma-diao": 1, "sap-ng-wu": 1}
"""Of the rules, as contexts name them: the vectors stay as they are when the rules of a game change."""


def vector(name: str, k: int) -> dict[str, Any]:
    """The k-th vector of a game; secrets and entropy are hashes of what they are for."""
    description = games.description(name).as_of(VERSIONS[name])
    option = description.rules.options[k % len(description.rules.options)]
    options = {} if k % 2 else {option.name: option.default}
    game = Game(description, description.seats[k % len(description.seats)], options)
    secret = sha256(f"secret {name} {k}".encode()).digest()
    entropy = [
        sha256(f"entropy {name} {k} {seat}".encode()).digest()[: 8 * ((k + seat) % 5)] for seat in range(game.seats)
    ]
    table, deal = f"table-{k}", 1 + k % 7
    bound_to = shuffle.context(game, table, deal)
    deck, chance = shuffle.shuffle(game.pack, bound_to, secret, entropy)
    return {
        "context": bound_to.decode(),
        "pack": game.pack.tolist(),
        "secret": secret.hex(),
        "entropy": [part.hex() for part in entropy],
        "commitment": shuffle.commit(bound_to, secret).hex(),
        "deck": deck.tolist(),
        "words": game.write_deck(deck),
        "chance": chance,
    }


def vectors() -> list[dict[str, Any]]:
    return [vector(name, k) for name in games.names() for k in range(EACH)]


if __name__ == "__main__":
    FILE.write_text("[\n" + ",\n".join(json.dumps(each) for each in vectors()) + "\n]\n")
