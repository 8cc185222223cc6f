"""The recipe of a training run, all of whose settings are kept with the run and in the network's model card."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.bots.net import Network, is_learned, load_network
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import Value
from tefuda.engine.play import POLICIES
from tefuda.table.game import Game

DEVICES = ("cpu", "cuda")

NET = "net"  #: players that are a network; ``net:FOLDER`` is the one of a folder
OWN_SEEDS = 3  #: seeds, from its own on, by which a run plays and judges; it has met no deal of those above


@dataclass(frozen=True)
class Recipe:
    """Settings of a run that learns what each play of a real deal brings, when the same players play on."""

    game: str
    seats: int
    options: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    """the options that vary, each with its values; the others have their defaults"""
    deals: int = 500_000  #: played in all rounds together
    block: int = 1000  #: deals that are played at a time, and then learned from
    rounds: int = 5  #: after each the network is judged
    hidden: tuple[int, ...] = (256, 128)  #: numbers of hidden units
    batch: int = 1024  #: positions a step; each is learned from once
    rate: float = 1e-3  #: learning rate at first; it falls to 0
    judged: int = 1000  #: duplicate deals against ``hints``, and against the round before, after each round
    final: int = 4000  #: duplicate deals by which the finished network's trust is chosen, and as many that judge it
    seed: int = 0
    players: str = "hints"
    """who plays the deals and plays on; ``hints``, the rules of thumb, or a network, ``net`` (that of the game) or
    ``net:FOLDER``. From a network this one learns on: it begins with its weights, and has its seats, options and hidden
    units."""
    against: str | None = None
    """whom a best response is learned against: ``random``, ``hints`` or the network of ``players``. The learner plays a
    team of each deal, at first as ``players``, after each round as it has learned."""
    minutes: float | None = None  #: of playing and learning, after which the run ends before its deals

    def __post_init__(self) -> None:
        if self.players not in ("hints", NET) and not self.players.startswith(f"{NET}:"):
            raise TefudaError(f"players: {self.players!r} is not hints, net or net:FOLDER")
        if self.against not in (None, *POLICIES, self.players):
            raise TefudaError(f"against: {self.against!r} is neither random nor hints nor the players")
        for name in ("deals", "block", "rounds", "batch", "judged", "final"):
            if getattr(self, name) < 1:
                raise TefudaError(f"{name}: {getattr(self, name)} is below 1")
        if self.rounds > self.blocks:
            blocks = "1 block" if self.blocks == 1 else f"{self.blocks} blocks"
            played = f"{self.deals} deals are played {self.block} at a time"
            raise TefudaError(f"rounds: {self.rounds} are more than {blocks}; {played}")

    def start(self) -> Network | None:
        """The network that plays the deals; None: the rules of thumb do. ``TefudaError`` if there is none, or its files
        are damaged or belong to another game."""
        if self.players == "hints":
            return None
        folder = self.players.removeprefix(NET).removeprefix(":")
        return load_network(games.description(self.game), Path(folder) if folder else None)

    @property
    def blocks(self) -> int:
        """Blocks of deals, in all rounds."""
        return -(-self.deals // self.block)

    def deals_of(self, blocks: int) -> int:
        """Deals in the first so many blocks together; the last one may be short."""
        return min(blocks * self.block, self.deals)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self) | {"hidden": list(self.hidden)}


def best_response(game: Game, bot: str, minutes: float, deals: int, seed: int) -> Recipe:
    """A recipe for a budget, with few deals at a time. It begins as the bot if that is a network, else as the network
    that knows the table, else as ``hints``, and trains against the bot; those stand in for a bot that is neither
    ``random`` nor ``hints`` nor a network."""
    own = bot.partition(":")[0] == NET
    players = bot if own else NET if is_learned(game.description, game.template[0]) else "hints"
    return Recipe(
        game.name, game.seats, {name: [value] for name, value in game.changed_options().items()}, deals=deals,
        block=min(250, deals // 3), rounds=3, batch=128, rate=1e-3 if players == "hints" else 5e-4, judged=200,
        final=1000, seed=seed, players=players, against=bot if bot in POLICIES else players, minutes=minutes,
    )  # fmt: skip


def varying(game: Game, names: Sequence[str]) -> dict[str, list[Value]]:
    """Options that vary, each with all its values, that of the game first. ``TefudaError`` if there is no such option,
    or it is a number and has no list of values."""
    found: dict[str, list[Value]] = {}
    for name in names:
        option = game.description.rules.option_by_name.get(name)
        if option is None:
            known = ", ".join(game.description.rules.option_by_name)
            raise TefudaError(f"{game.name} has no option {name!r}; it has {known}")
        values: list[Value] = [*option.values] or ([True, False] if isinstance(option.default, bool) else [])
        if not values:
            raise TefudaError(f"{name} is a number; only choices and switches can vary")
        now = option.word(int(game.template[name][0]))
        found[name] = [now, *(value for value in values if value != now)]
    return found
