"""The built-in bots, and what a bot is."""

from collections.abc import Sequence
from typing import Protocol

from tefuda.engine import verbs
from tefuda.engine.description import nearest
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import Rng, below, generator
from tefuda.table.deal import Deal
from tefuda.table.view import View


class Bot(Protocol):
    """A player: given what one seat sees, it chooses one of the legal kernel actions."""

    name: str

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``, the ascending kernel actions of the seat whose view this is."""


class RandomBot:
    """Any legal action, each as likely."""

    name = "random"

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        return legal[below(rng, len(legal))]


class HintsBot:
    """The game's rules of thumb."""

    name = "hints"

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        return int(verbs.advise(view.record, rng))


BOTS: dict[str, type[RandomBot] | type[HintsBot]] = {bot.name: bot for bot in (RandomBot, HintsBot)}


def bot(name: str) -> Bot:
    """A bot by name.

    Raises:
        TefudaError: there is no such bot.
    """
    if name not in BOTS:
        raise TefudaError(f"there is no bot {name!r}{nearest(name, BOTS)}; there are: {', '.join(BOTS)}")
    return BOTS[name]()


def choose_play(player: Bot, deal: Deal, seed: int) -> None:
    """Let a bot make the mover's whole play.

    Args:
        player: the bot.
        deal: not over.
        seed: of its choices; the same at the same moment of the same deal.
    """
    made = len(deal.history)
    while len(deal.history) == made:
        rng = generator((seed, made))
        deal.act(player.choose(deal.view(deal.mover), deal.legal_actions(), rng))


def advice(deal: Deal, seed: int = 0) -> str:
    """The play that the rules of thumb advise to the mover, as a word."""
    copy = deal.copy()
    choose_play(HintsBot(), copy, seed)
    return copy.history[-1][1]
