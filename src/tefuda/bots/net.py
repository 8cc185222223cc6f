"""Networks that learned a game, and ``net``, the bot that plays by them, as compiled code over plain arrays.

A multi-layer perceptron reads its seat's view (``table/planes.py``), the options it was trained to know, and the advice
of the rules of thumb, and rates every action; the bot makes the best that is legal. Where a game names features of
single plays (``verbs.features``), it reads those instead, and rates one action at a time. ``tefuda train`` makes such
networks. No machine-learning library is needed to play them.

A network is two files in one folder: ``net.npz``, the arrays, and ``net.json``, its model card, which says what the
arrays belong to and how they were made."""

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.perceptron import NONE, Layers, best, choose_each, choose_each_play, rate_plays, rate_view
from tefuda.engine import verbs
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.files import whole
from tefuda.engine.option import Value
from tefuda.engine.play import MOST_ACTIONS
from tefuda.engine.record import Ints, States
from tefuda.engine.rng import Rng, generator
from tefuda.table.game import Game
from tefuda.table.planes import Observation, words_of
from tefuda.table.view import View

ARRAYS, CARD = "net.npz", "net.json"

FORMAT = 1  #: the version of the files; another is refused
LEAST_TRUST = 1e-6  #: the lead of the advised action over others that are rated alike


@dataclass(frozen=True)
class ModelCard:
    """A network's purpose and origin."""

    game: str  #: of its tables, as are the next two
    rules_version: int
    seats: int
    #: the options it knows, each with the values it was trained with; every other has its default. The first value is
    #: the one that it met most.
    options: Mapping[str, Sequence[Value]]
    indifferent: Sequence[str]  #: options that change nothing in a deal, with which it plays under any value
    planes: Sequence[tuple[str, int]]  #: names and sizes of its inputs: planes of a position, or features of a play
    #: in the rules of thumb: by how much its rating of a play must exceed that of the advised one for it to be made
    #: instead. With 0 they are not asked.
    trust: float = 0.0
    sha256: str = ""  #: of the file of arrays
    recipe: Mapping[str, Any] = field(default_factory=dict)  #: every setting of the training run, and its seed
    #: its cost: hours, deals, positions, with those of the networks that it learned on from
    training: Mapping[str, Any] = field(default_factory=dict)
    #: its gains over others: the table's changed options, the opponents, deals, gain a deal and its 95% margin
    results: Sequence[Mapping[str, Any]] = ()
    format: int = FORMAT  #: of these files


def several(options: Mapping[str, Sequence[Value]]) -> tuple[str, ...]:
    """List the options with more than one value, which a network must be told."""
    return tuple(name for name, values in options.items() if len(values) > 1)


class LearnedTables:
    """The tables that a network knows, by its model card."""

    def __init__(self, card: ModelCard, game: Description) -> None:
        self._seats, self._options = card.seats, game.rules.settings
        self.numbers = {
            name: {option.number(value) for value in card.options.get(name, (option.default,))}
            for name, option in self._options.items()
            if name not in card.indifferent
        }

    def unknown(self, record: np.void) -> str:
        """Say what of a table the network does not know, such as ``5 seats``; empty if it knows the table."""
        if record["seats"] != self._seats:
            return f"{record['seats']} seats"
        for name, numbers in self.numbers.items():
            if (number := self._options[name].number_in(record)) not in numbers:
                return f"{name}={self._options[name].word(number)}"
        return ""


def is_learned(game: Description, record: np.void) -> bool:
    """Tell if a game's own network knows the table of a record."""
    learned = learned_tables(game)
    return learned is not None and not learned.unknown(record)


@cache
def learned_tables(game: Description) -> LearnedTables | None:
    """Read which tables a game's own network knows; None if it has no network."""
    return LearnedTables(_read(game.files.net)[0], game) if game.files.net else None


class Weights:
    """The layers of a network: float32 matrices of shape (inputs, outputs), and their biases."""

    def __init__(self, matrices: Sequence[NDArray[np.floating]], biases: Sequence[NDArray[np.floating]]) -> None:
        self.matrices = tuple(np.ascontiguousarray(each, np.float32) for each in matrices)
        self.biases = tuple(np.ascontiguousarray(each, np.float32) for each in biases)

    @property
    def inputs(self) -> int:
        """Count of the numbers that the first layer reads."""
        return len(self.matrices[0])

    def layers(self) -> Layers:
        """Make the layers, with a workplace of their own."""
        return Layers(self.matrices, self.biases, tuple(map(np.zeros_like, self.biases)))

    def packed(self) -> bytes:
        """Write the bytes of an ``.npz`` file, in half precision."""
        file = BytesIO()
        named = {f"weight{k}": each for k, each in enumerate(self.matrices)}
        named |= {f"bias{k}": each for k, each in enumerate(self.biases)}
        np.savez_compressed(file, **{name: each.astype(np.float16) for name, each in named.items()})  # type: ignore[arg-type]
        return file.getvalue()

    @classmethod
    def unpacked(cls, data: bytes) -> "Weights":
        """Read the bytes of an ``.npz`` file; ``ValueError`` if they are something else, or lack an array."""
        try:
            with np.load(BytesIO(data), allow_pickle=False) as file:
                layers = range(len(file.files) // 2)
                return cls([file[f"weight{k}"] for k in layers], [file[f"bias{k}"] for k in layers])
        except (KeyError, OSError, zipfile.BadZipFile) as error:
            raise ValueError(str(error)) from error


class Network:
    """A network with its model card, for tables with one number of seats; ``TefudaError`` if it does not fit."""

    def __init__(self, card: ModelCard, weights: Weights, game: Description) -> None:
        self.card, self.weights = card, weights
        self.tables = LearnedTables(card, game)
        try:
            all_planes = Observation(Game(game, card.seats), several(card.options))
            self.observation = all_planes.reading([] if self.rates_plays else card.planes)
        except TefudaError as error:
            raise TefudaError(f"the net for {card.game} does not fit the game as it is now: {error}") from None
        if not self._fits(game):
            raise TefudaError(f"the net for {card.game} does not fit the game as it is now: train it again")
        self.features = np.zeros(self.weights.inputs if self.rates_plays else 0, np.int8)
        self.places = np.zeros(self.observation.size + 1, np.int64)
        self.numbers = np.zeros(self.observation.size + 1, np.float32)
        self.layers = weights.layers()
        self.rated = np.zeros(game.actions, np.float32) if self.rates_plays else self.layers.outputs[-1]

    def _fits(self, game: Description) -> bool:
        """Tell if the arrays are as large as the game's planes or features now."""
        if self.rates_plays:
            features = [(name, size) for name, size in self.card.planes]
            return features == list(game.features) and self.weights.inputs == sum(size for _, size in features)
        sizes = {plane.name: plane.size for plane in self.observation.planes}
        moved = [name for name in several(self.card.options) if max(self.tables.numbers[name]) >= sizes.get(name, 0)]
        return not moved and self.weights.inputs - self.observation.size in (0, game.actions)

    @property
    def rates_plays(self) -> bool:
        """True if it reads features of a single play and rates that; else it reads planes and rates every action."""
        return len(self.weights.biases[-1]) == 1

    @property
    def asks(self) -> bool:
        """True if it must be told the advice of the rules of thumb: it reads that, or trusts them."""
        return self.card.trust > 0 or self.weights.inputs > self.observation.size  # features tell of the advised play

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Choose the best of the legal actions for the viewer; ``rng`` is for the rules of thumb."""
        advised, actions = self._advised(view, rng), np.array(legal, np.int64)
        return int(best(self._rated(view, actions, advised), actions, advised, self.card.trust))

    def ratings(self, view: View, rng: Rng, legal: Sequence[int] | None = None) -> NDArray[np.float32]:
        """Rate every legal action for the viewer, or these; others with 0. The best is the one that ``choose`` chooses.

        The advised one's rating is higher by the network's trust in the rules of thumb, at least by ``LEAST_TRUST``."""
        advised, wanted = self._advised(view, rng), np.zeros(MOST_ACTIONS, np.int64)
        wanted = wanted[: verbs.legal(view.record, wanted)] if legal is None else np.array(legal, np.int64)
        self.rated[:] = 0
        rated = self._rated(view, wanted, advised).copy()
        if advised != NONE:
            rated[advised] += max(self.card.trust, LEAST_TRUST)
        return rated

    def _advised(self, view: View, rng: Rng) -> int:
        return int(verbs.advise(view.record, rng)) if self.asks else NONE

    def _rated(self, view: View, legal: NDArray[np.int64], advised: int) -> NDArray[np.float32]:
        if self.rates_plays:
            rate_plays(view.record, legal, advised, self.features, self.layers, self.rated)
        else:
            (words,), layout = words_of(view.array), self.observation.layout
            rate_view(words, layout, self.card.seats, advised, self.places, self.numbers, legal, self.layers)
        return self.rated

    def answer_all(self, views: States, masks: NDArray[np.bool_], advised: Ints | None = None) -> Ints:
        """Choose the best legal actions at many tables, like ``choose_all``, from views of shape (tables,)."""
        if not self.rates_plays:
            return self.choose_all(self.observation.encode(views), masks, advised)
        assert advised is not None
        chosen, features = advised.copy(), np.zeros_like(self.features)
        choose_each_play(views, masks, features, self.weights.layers(), self.card.trust, chosen)
        return chosen

    def choose_all(self, inputs: NDArray[np.int8], masks: NDArray[np.bool_], advised: Ints | None = None) -> Ints:
        """Choose the best legal actions at many tables, in compiled code, by a network that reads planes.

        ``inputs``, shape (tables, inputs), are views as ``observation`` encodes them, ``masks``, shape (tables,
        actions), the legal actions. Only a network that ``asks`` needs those that are advised, shape (tables,)."""
        chosen = np.full(len(inputs), NONE) if advised is None else advised.copy()
        choose_each(inputs, masks, self.weights.layers(), self.card.trust, chosen)
        return chosen


class NetBot:
    """Plays as the network in a folder has learned; by default that of the game played, if it comes with one."""

    name = "net"

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._networks: dict[str, Network] = {}

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Choose the action that the network rates highest; errors as in ``network``."""
        return legal[0] if len(legal) == 1 else self.network(view).choose(view, legal, rng)

    def warm(self, view: View) -> None:
        """Load the network and compile what runs it."""
        self.network(view).choose(view, [0], generator(0))

    def network(self, view: View) -> Network:
        """Return the network for the table of a view; ``TefudaError`` if there is none that knows it."""
        name = view.game.name
        if name not in self._networks:
            self._networks[name] = load_network(view.game, self.folder)
        found = self._networks[name]
        unknown = found.tables.unknown(view.array[0])
        if unknown:
            raise TefudaError(f"the net for {name} has not learned to play with {unknown}; hints and search have")
        return found


def save_network(folder: Path, card: ModelCard, weights: Weights) -> None:
    """Write a network's files; each appears whole or not at all."""
    data = weights.packed()
    told = asdict(card) | {"sha256": hashlib.sha256(data).hexdigest()}
    for name, content in ((ARRAYS, data), (CARD, (json.dumps(told, indent=1) + "\n").encode())):
        with whole(folder / name) as file:
            file.write_bytes(content)


def load_network(game: Description, folder: Path | None = None) -> Network:
    """Load a game's network, its own by default; ``TefudaError`` if it is damaged or belongs to something else."""
    home = folder or game.files.net
    if home is None:
        raise TefudaError(f"{game.name} has no net yet; play against hints or search, or train one: tefuda train")
    card, data = _read(home)
    if card.game != game.name:
        raise TefudaError(f"{home} is a net for {card.game}, not for {game.name}")
    if card.rules_version != game.rules_version:
        learned = f"learned rules version {card.rules_version}"
        raise TefudaError(f"the net for {game.name} {learned}; the game has {game.rules_version}")
    try:
        weights = Weights.unpacked(data)
    except ValueError as error:
        raise TefudaError(f"{home / ARRAYS} is damaged: {error}") from None
    return Network(card, weights, game)


@cache
def own_network(game: Description) -> Network:
    """Load the network that comes with a game, once; its work arrays must not be used."""
    return load_network(game)


def _read(folder: Path) -> tuple[ModelCard, bytes]:
    try:
        told, data = json.loads((folder / CARD).read_bytes()), (folder / ARRAYS).read_bytes()
    except OSError as error:
        raise TefudaError(f"{folder} holds no net: {error.strerror} ({Path(error.filename).name})") from None
    except ValueError:
        raise TefudaError(f"{folder / CARD} is damaged: it is not JSON") from None
    missing = {each.name for each in fields(ModelCard)}.symmetric_difference(told if isinstance(told, dict) else ())
    if missing or told["format"] != FORMAT:
        raise TefudaError(f"{folder / CARD} is damaged or from another version of Tefuda")
    if hashlib.sha256(data).hexdigest() != told["sha256"]:
        raise TefudaError(f"{folder / ARRAYS} is damaged: it is not the file that {CARD} describes")
    return ModelCard(**told), data
