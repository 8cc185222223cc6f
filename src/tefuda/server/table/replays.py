"""A finished deal, step by step with every hand open: what a replay shows."""

from collections.abc import Iterator, Sequence
from typing import Any

from tefuda.engine.description import Description
from tefuda.engine.scene import Scene
from tefuda.engine.texts import TEXTS, catalogue, signed
from tefuda.server.table.notation_text import notation_text
from tefuda.server.table.table_messages import named
from tefuda.server.table.table_state import TableState
from tefuda.table import shuffle
from tefuda.table.deal import Deal
from tefuda.table.reasons import say_line
from tefuda.table.shuffle import Proof

ReplayStep = dict[str, Any]


def replay_steps(deal: Deal, number: int, names: Sequence[str], language: str) -> list[ReplayStep]:
    """The deal before its first play, after it, and so on to the last.

    Args:
        deal: finished, or broken off when the table was closed.
        number: of the deal in its session.
        names: of the seats.
        language: of the sentences.

    Returns:
        for each step ``seat``, ``play``, ``lines``: who played what and the sentences about it, null before the first
        play; ``deal``: as in a message of the table to a spectator; ``hands``: each seat's groups of cards; ``played``:
        what lies before each seat, as that seat knows it; ``trick``: the trick that has just ended, or null.
    """
    return list(_steps(deal, number, names, language))


def _steps(deal: Deal, number: int, names: Sequence[str], language: str) -> Iterator[ReplayStep]:
    description, seats = deal.game.description, range(deal.game.seats)
    spell = notation_text(description, language)
    again = deal.at(0)
    own = _own(again)
    yield {"seat": None, "play": None, "lines": [], "trick": None, **_now(again, number, own)}
    for seat, word in deal.history:
        before, lay = again.state, [own[each].seats[each].played for each in seats]
        again.play(word, seat)
        own = _own(again)
        lines = description.display.events(before, seat, word, again.state)
        ending = next((line for line in lines if line.code.startswith("events.trick")), None)
        lay[seat] = word
        yield {
            "seat": seat,
            "play": word,
            "lines": [say_line(description, line, language, names, spell) for line in lines]
            or [said(description, word, names[seat], language)],
            "trick": ending
            and {
                "plays": lay,
                "named": named(description, lay),
                "seat": int(ending.fields["seat"].removeprefix("#")),
            },
            **_now(again, number, own),
        }


def said(game: Description, word: str, name: str, language: str) -> str:
    """The sentence for a play about which the game says nothing."""
    texts = catalogue(game.files.texts, language)
    named = texts(f"plays.{word}") if f"plays.{word}" in texts else notation_text(game, language)(word)
    return catalogue(TEXTS, language)("replay.played", name=name, play=named)


def _own(deal: Deal) -> list[Scene]:
    """The table as each seat sees it."""
    return [deal.view(seat).scene for seat in range(deal.game.seats)]


def _now(deal: Deal, number: int, own: Sequence[Scene]) -> ReplayStep:
    played = [scene.seats[seat].played for seat, scene in enumerate(own)]
    return {
        "deal": {
            "number": number,
            "mover": None if deal.over else deal.mover,
            "over": deal.over,
            "legal": [],
            "equal": {},
            "named": named(deal.game.description, played),
            "answered": False,
            "since": 0,
            "scene": deal.view(-1).scene,
        },
        "hands": [scene.hand for scene in own],
        "played": played,
    }


def proof(deal: Deal) -> dict[str, Any] | None:
    """What a reader needs to compute the deck again: the proof, its context, the pack in its order, the deck dealt and
    the hands dealt from it; cards as words. None of a deal that is tried again, which proves nothing new."""
    if deal.proof is None:
        return None
    assert deal.deck is not None
    assert deal.before is not None
    words = deal.game.description.cards
    return {
        **deal.proof.to_json(),
        "context": shuffle.context(deal.game, deal.proof.table, deal.proof.deal).decode("ascii"),
        "pack": [words[card] for card in sorted(deal.game.pack.tolist())],
        "deck": [words[card] for card in deal.deck.tolist()],
        "chance": int(deal.before["chance"][0]),
        "hands": [[card for group in scene.hand for card in group.cards] for scene in _own(deal.at(0))],
    }


def proofs(table: TableState) -> list[dict[str, Any]]:
    """The proofs of this session that may be shown, as ``proof`` gives them; hands of the latest deal alone."""
    return [_proof_of(table, shown) for shown in table.revealed]


def _proof_of(table: TableState, shown: Proof) -> dict[str, Any]:
    latest = proof(table.deal) if table.deal is not None and table.deal.proof == shown else None
    if latest is not None:
        return latest
    words, pack = table.game.description.cards, table.game.pack
    bound_to = shuffle.context(table.game, shown.table, shown.deal, shown.attempt)
    deck, chance = shuffle.shuffle(pack, bound_to, shown.secret, shown.entropy)
    return {
        **shown.to_json(),
        "context": shuffle.context(table.game, shown.table, shown.deal).decode("ascii"),
        "pack": [words[card] for card in sorted(pack.tolist())],
        "deck": [words[card] for card in deck.tolist()],
        "chance": chance,
    }


def results(deal: Deal, names: Sequence[str], language: str) -> list[dict[str, Any]]:
    """What a finished deal paid each seat, the totals after it, and how the payment came about, all as text; nothing of
    an unfinished deal."""
    if not deal.over:
        return []
    description, totals = deal.game.description, deal.facts()["totals"]
    spell, state = notation_text(description, language), deal.state
    return [
        {
            "name": names[seat],
            "points": signed(points, description.rules.unit),
            "total": signed(totals[seat], description.rules.unit),
            "lines": [
                say_line(description, line, language, names, spell) for line in description.display.sheet(state, seat)
            ],
        }
        for seat, points in enumerate(deal.payoff())
    ]
