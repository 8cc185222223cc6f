"""Experiments: a question, the arms that are compared, and how many deals decide it; read from TOML files.

An *arm* is a way of playing: a game with its seats and options, and who plays. Every arm plays the same deals. The
first arm is the one with which the others are compared. docs/lab.md describes the files.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tefuda.bots.players import bot
from tefuda.engine import cache, toml
from tefuda.engine.description import Description, nearest
from tefuda.engine.errors import TefudaError
from tefuda.engine.record import Holds, Visible
from tefuda.engine.texts import catalogue
from tefuda.lab.habits import HabitBot
from tefuda.lab.keys import check_keys, line_of, number_of, value_of
from tefuda.lab.match import POLICIES, is_compiled
from tefuda.lab.measures import ANSWERS, MEASURES, OF_WHOLE_GAMES, SAMPLED, USUAL, recovery_figures
from tefuda.lab.plays import Plays
from tefuda.table.game import Game, load

DECIDING = ("game", "seed", "measures", "fields", "sample", "adviser", "whole_games", "arms")
"""The keys on which it depends how deals go and what is written down of them."""

ARM_KEYS = ("name", "seats", "options", "bots", "play")

KEYS = (
    *("question", "about", "game", "seats", "options", "bots", "play", "arms"),
    *(
        "deals",
        "seed",
        "measures",
        "fields",
        "sample",
        "adviser",
        "answer",
        "compare",
        "smallest",
        "stop",
        "whole_games",
        "behind",
    ),
)

DEALS, SAMPLE, ADVISER = 10_000, 200, "hints"

MOST_DEALS = 10**9 - 1
"""Of one seed; docs/lab.md says how many are played as seeds of a few million each."""

MOST_SEED = 2**63 - 1
"""What the column ``seed`` holds."""

NAME, QUESTION = 100, 1000
"""Characters of an arm's name and of the question at most."""


@dataclass(frozen=True)
class Arm:
    """One way of playing.

    Attributes:
        name: unique in the experiment.
        game: with its seats and options.
        bots: one for each seat.
        play: the plays that ``play`` measures, as ``Plays.read`` takes them; empty for none.
    """

    name: str
    game: Game
    bots: tuple[str, ...]
    play: str = ""

    @property
    def rotations(self) -> int:
        """How often each deal is played so that every kind of bot sits everywhere: once where all are alike."""
        seats = len(self.bots)
        return next(k for k in range(1, seats + 1) if self.bots[k:] + self.bots[:k] == self.bots)

    @property
    def compiled(self) -> bool:
        return is_compiled(self.bots)

    def has_pack_of(self, other: "Arm") -> bool:
        """Whether a deal of one is a deal of the other, card for card."""
        return self.game.seats == other.game.seats and self.game.pack.tolist() == other.game.pack.tolist()

    def as_dict(self) -> dict[str, Any]:
        options = self.game.changed_options()
        plain = {"name": self.name, "seats": self.game.seats, "options": options, "bots": list(self.bots)}
        return {**plain, "play": self.play} if self.play else plain


@dataclass(frozen=True)
class Experiment:
    """A question and how it is put to the cards.

    Attributes:
        name: of the file, without its ending.
        question: in a sentence.
        about: what else a reader should know: where the question comes from, what the bots' play limits.
        arms: what is compared; the first is the standard.
        deals: numbers 0 … deals − 1 of the seed's decks, in every arm.
        measures: of ``MEASURES``.
        fields: numbers of the game's record whose values at the end are figures; of seats, what they receive.
        sample: the first so many deals are those in which the sampled measures look closely.
        adviser: the bot whose advice ``binds`` reads under the arms' options.
        answer: the figure that answers the question (``ANSWERS``).
        compare: whether the answer is how the other arms differ from the first, or else what each shows.
        smallest: the smallest difference of it that would matter to players; None if nobody has said.
        stop: stop as soon as the answer is clear.
        whole_games: every number is a whole game, deal after deal as at a table, and stands where else a deal does.
        behind: points that ``recovery`` asks about.
    """

    name: str
    question: str
    about: str
    arms: tuple[Arm, ...]
    deals: int
    seed: int
    measures: tuple[str, ...]
    fields: tuple[str, ...]
    sample: int
    adviser: str
    answer: str
    compare: bool
    smallest: float | None
    stop: bool
    whole_games: bool
    behind: tuple[float, ...]

    @property
    def description(self) -> Description:
        return self.arms[0].game.description

    @property
    def title(self) -> str:
        """What the game is called."""
        return catalogue(self.description.files.texts, "en")("title")

    @property
    def paired(self) -> bool:
        """Whether the arms play the same deals card for card."""
        return all(arm.has_pack_of(self.arms[0]) for arm in self.arms)

    @property
    def repeatable(self) -> bool:
        """Whether playing it again gives the same: no bot thinks by the clock, or in a way of its own."""
        return all(map(is_repeatable, (self.adviser, *(each for arm in self.arms for each in arm.bots))))

    @property
    def places(self) -> list[str]:
        """The places whose advantage is a figure: those that the game hands on, and the seats among ``fields``."""
        return places(self.description) + [each for each in self.fields if is_seat(self.description, each)]

    @property
    def numbers(self) -> list[str]:
        """The ``fields`` that are no seats."""
        return [each for each in self.fields if not is_seat(self.description, each)]

    def as_dict(self) -> dict[str, Any]:
        """As plain data, as an experiment file would say it."""
        return {
            "question": self.question,
            "about": self.about,
            "game": self.description.name,
            "deals": self.deals,
            "seed": self.seed,
            "measures": list(self.measures),
            "fields": list(self.fields) or None,
            "sample": self.sample,
            "adviser": self.adviser if self.adviser != ADVISER else None,
            "answer": self.answer,
            "compare": None if self.compare else False,
            "smallest": self.smallest,
            "stop": self.stop,
            "whole_games": self.whole_games or None,
            "behind": list(self.behind) or None,
            "arms": [arm.as_dict() for arm in self.arms],
        }

    def as_file(self) -> dict[str, Any]:
        """The keys with values of a file that says the same, for ``experiment``."""
        return {key: value for key, value in self.as_dict().items() if value is not None}

    def what_deals_depend_on(self) -> dict[str, Any]:
        """All that decides how a deal goes and what is written down of it; not how many are played, nor the words."""
        plain = self.as_dict()
        kept = {key: plain[key] for key in DECIDING}
        return {**kept, "rules": self.description.rules_version, "sources": cache.key()}

    def digest(self) -> str:
        """A short name for what the deals depend on."""
        text = json.dumps(self.what_deals_depend_on(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:10]


def read(path: Path, **instead: int | None) -> Experiment:
    """An experiment from its file.

    Args:
        path: of the file.
        instead: keys with values to be taken in place of the file's own; None for none.

    Raises:
        TefudaError: it cannot be read; or it is not as docs/lab.md says, in one line that names file and key.
    """
    given = toml.read(path)
    try:
        return experiment(path.stem, {**given, **{key: value for key, value in instead.items() if value is not None}})
    except TefudaError as error:
        raise TefudaError(f"{path}: {error}") from error


def experiment(name: str, given: Mapping[str, Any]) -> Experiment:
    """An experiment from the keys of its file.

    Raises:
        TefudaError: a key, name or value that will not do.
    """
    check_keys(given, KEYS, "")
    game = load(value_of(given, "game", str))
    tables = value_of(given, "arms", list, [{"name": "as it is"}])
    if not tables or not all(isinstance(each, dict) for each in tables):
        raise TefudaError("arms: write each arm as a table [[arms]]")
    arms = tuple(_arm(k, each, given) for k, each in enumerate(tables))
    names = [arm.name for arm in arms]
    if len(set(names)) < len(names):
        raise TefudaError(f"arms: two are called {next(each for each in names if names.count(each) > 1)!r}")
    measures, fields = _measures(given), _fields(given, game.description)
    behind = _behind(given, measures)
    adviser = value_of(given, "adviser", str, ADVISER)
    bot(adviser)
    if "play" in measures and not all(arm.play for arm in arms):
        raise TefudaError("measures: 'play' needs to be told which play, in every arm")
    made = Experiment(
        name=name,
        question=line_of(given, "question", QUESTION),
        about=value_of(given, "about", str, ""),
        arms=arms,
        deals=number_of(given, "deals", DEALS, 1, MOST_DEALS),
        seed=number_of(given, "seed", 0, 0, MOST_SEED),
        measures=measures,
        fields=fields,
        sample=number_of(given, "sample", SAMPLE, 1, MOST_DEALS) if set(SAMPLED).intersection(measures) else 0,
        adviser=adviser,
        answer=_answer(value_of(given, "answer", str, "spread"), game.description, measures, fields, behind, arms),
        compare=value_of(given, "compare", bool, True),
        smallest=_smallest(given),
        stop=value_of(given, "stop", bool, False),
        whole_games=value_of(given, "whole_games", bool, False),
        behind=behind,
    )
    if made.stop and (len(arms) < 2 or not made.compare):
        why = "with one arm" if len(arms) < 2 else "without comparing"
        raise TefudaError(f"stop: {why} there is no difference that could become clear")
    if made.whole_games and not (made.measures and OF_WHOLE_GAMES.issuperset(measures)):
        raise TefudaError("whole_games: of whole games only length, outcome, seats and recovery are measured")
    if "recovery" in measures and not made.whole_games:
        raise TefudaError("measures: 'recovery' is measured of whole games: add whole_games = true")
    if made.whole_games and not all(arm.compiled for arm in arms):
        raise TefudaError("whole_games: they are played by hints and random only")
    if made.stop and made.answer in ANSWERS and ANSWERS[made.answer] in SAMPLED:
        raise TefudaError(f"stop: {made.answer!r} is measured in the sample only")
    return made


def _arm(k: int, own: Mapping[str, Any], given: Mapping[str, Any]) -> Arm:
    """An arm: what it says itself, or else what the file says for all of them."""
    where = f"arms[{k}]"
    check_keys(own, ARM_KEYS, f"{where}: ")
    try:
        options = {**value_of(given, "options", dict, {}), **value_of(own, "options", dict, {})}
        seats = own.get("seats", given.get("seats"))
        game = load(given["game"], seats, **options)
        bots = value_of(own, "bots", list, value_of(given, "bots", list, ["hints"]))
        play = value_of(own, "play", str, value_of(given, "play", str, ""))
        if play:
            Plays.read(play).check(game.description, game.template)
        return Arm(line_of(own, "name", NAME), game, _seated(bots, game), play)
    except TefudaError as error:
        raise TefudaError(f"{where}: {error}") from error


def _seated(bots: Sequence[Any], game: Game) -> tuple[str, ...]:
    """A bot for each seat: the last one named plays all that are left."""
    if not bots or not all(isinstance(each, str) for each in bots):
        raise TefudaError('bots: write them as ["hints"]')
    for each in bots:
        found = bot(each)
        if isinstance(found, HabitBot):
            found.plays.check(game.description, game.template)
    if len(bots) > game.seats:
        raise TefudaError(f"bots: {len(bots)} for {game.seats} seats")
    return (*bots, *[bots[-1]] * (game.seats - len(bots)))


def _measures(given: Mapping[str, Any]) -> tuple[str, ...]:
    found = value_of(given, "measures", list, list(USUAL))
    for each in found:
        if each not in MEASURES:
            raise TefudaError(f"measures: there is no {each!r}{nearest(str(each), MEASURES)}")
    return tuple(each for each in MEASURES if each in found)


def places(game: Description) -> list[str]:
    """The places that a deal hands on, such as ``dealer``."""
    return [each.name for each in game.fields if each.carried and each.holds is Holds.SEAT and not each.shape]


def is_seat(game: Description, field: str) -> bool:
    return any(each.name == field and each.holds is Holds.SEAT for each in game.fields)


def is_repeatable(spec: str) -> bool:
    """Whether this bot does the same again: it does not think by the clock, or in a way of its own."""
    return spec in POLICIES or spec.startswith(("never:", "always:")) or spec.endswith("it")


def line_names(game: Description) -> list[str]:
    """The lines of the game's score sheet."""
    return list(catalogue(game.files.texts, "en").under("sheet"))


def _fields(given: Mapping[str, Any], game: Description) -> tuple[str, ...]:
    known = [each.name for each in game.fields if not each.shape and each.visible is Visible.PUBLIC]
    found = value_of(given, "fields", list, [])
    for each in found:
        if each not in known:
            raise TefudaError(f"fields: {game.name} has no public number {each!r}{nearest(str(each), known)}")
    return tuple(each for each in found if each not in places(game))


def _behind(given: Mapping[str, Any], measures: Sequence[str]) -> tuple[float, ...]:
    found = value_of(given, "behind", list, [])
    if "recovery" not in measures:
        if found:
            raise TefudaError("behind: only 'recovery' asks about it, which is not among the measures")
        return ()
    if not found or not all(
        isinstance(each, int | float) and not isinstance(each, bool) and each > 0 for each in found
    ):
        raise TefudaError("behind: 'recovery' needs to be told how many points, such as behind = [200, 500]")
    return tuple(sorted(set(found)))


def _answer(
    name: str,
    game: Description,
    measures: Sequence[str],
    fields: Sequence[str],
    behind: Sequence[float],
    arms: Sequence[Arm],
) -> str:
    known = {**ANSWERS, **dict.fromkeys((*places(game), *fields), "seats")}
    known |= dict.fromkeys(recovery_figures(behind), "recovery")
    known |= {f"line.{line}": "lines" for line in line_names(game)}
    if name not in known:
        raise TefudaError(f"answer: there is no figure {name!r}{nearest(name, known)}")
    if known[name] not in measures:
        raise TefudaError(f"answer: {name!r} needs {known[name]!r} among the measures")
    if name == "gain" and not all(arm.rotations > 1 for arm in arms):
        raise TefudaError("answer: 'gain' needs bots that differ, in every arm")
    if name in ("binds", "advice") and len(arms) < 2:
        raise TefudaError(f"answer: {name!r} needs two arms: it reads the moments of one under the options of another")
    return name


def _smallest(given: Mapping[str, Any]) -> float | None:
    smallest = given.get("smallest")
    number = isinstance(smallest, int | float) and not isinstance(smallest, bool)
    if smallest is not None and not (number and 0 < smallest < math.inf):
        raise TefudaError(f"smallest: {smallest!r} is not a number above 0")
    return None if smallest is None else float(smallest)
