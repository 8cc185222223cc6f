"""Reads an experiment from its TOML file, or makes one from the words of ``tefuda lab compare``.

Every error names the file, the place in it, and the key."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.bots.players import bot
from tefuda.engine import toml
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.files import read_text
from tefuda.engine.record import Visible
from tefuda.engine.toml import Table
from tefuda.lab import experiment as definition
from tefuda.lab.experiment import Arm, Experiment, is_of_one_deal, line_names, places, recovery_figures
from tefuda.lab.play.question_bots import HabitBot, PlayPattern
from tefuda.lab.play.runner import ScoringFunction
from tefuda.table.game import Game, load

OF_ARMS = ("seats", "options", "values", "bots", "play", "score")  #: keys of an arm, or of the file for all arms

DEALS, SAMPLE = 10_000, 200

MOST_DEALS = 10**9 - 1  #: deals of one seed at most; docs/lab.md says how more are played by several seeds
MOST_SEED = 2**63 - 1  #: most that the column ``seed`` holds
NAME, QUESTION = 100, 1000  # characters at most of an arm's name, and of the question


def read(path: Path, **instead: int | None) -> Experiment:
    """Read an experiment from its file; values of ``instead`` that are not None replace the file's own. TefudaError if
    it cannot be read, or is not as docs/lab.md says."""
    replaced = {key: value for key, value in instead.items() if value is not None}
    return _experiment(path.stem, Table({**toml.read(path), **replaced}, str(path)), path.parent)


def parse(name: str, given: Mapping[str, object]) -> Experiment:
    """Make an experiment from the keys of a file; TefudaError if one is not as docs/lab.md says. No code is read."""
    return _experiment(name, Table(given))


def _experiment(name: str, given: Table, folder: Path | None = None) -> Experiment:
    given.only((*definition.KEYS, *OF_ARMS))
    with given.errors_named():
        game = load(given.value("game", str))
    arms = _arms(given, folder)
    measures = _measures(given)
    behind = _behind(given, measures)
    made = Experiment(
        name=name,
        question=_line(given, "question", QUESTION),
        about=given.value("about", str, ""),
        arms=arms,
        deals=given.number("deals", DEALS, 1, MOST_DEALS),
        seed=given.number("seed", 0, 0, MOST_SEED),
        measures=measures,
        fields=_fields(given, game.description),
        sample=given.number("sample", SAMPLE, 1, MOST_DEALS) if set(definition.SAMPLED).intersection(measures) else 0,
        adviser=_adviser(given),
        answer=given.value("answer", str, "spread"),
        compare=given.value("compare", bool, True),
        smallest=_smallest(given),
        stop=given.value("stop", bool, False),
        whole_games=given.value("whole_games", bool, False),
        behind=behind,
        luck=given.value("luck", bool, True),
    )
    _check_measures(given, made)
    _check_answer(given, made)
    _check_stop(given, made)
    return made


# Values of keys


def _line(given: Table, key: str, most: int) -> str:
    """A text that reports show in one line, and in a cell of Markdown's tables."""
    text = given.value(key, str)
    if not text.strip() or len(text) > most or not text.isprintable() or "|" in text:
        shown = text if len(text) <= most else f"{text[:20]}…"
        raise given.error(f"{key}: {shown!r} is not one line of 1 to {most} characters without |")
    return text


def _arms(given: Table, folder: Path | None) -> tuple[Arm, ...]:
    tables = given.tables("arms") if "arms" in given else [Table({"name": "as it is"}, given.place)]
    arms = tuple(_arm(each, given, folder) for each in tables)
    names = [arm.name for arm in arms]
    if len(set(names)) < len(names):
        raise given.error(f"arms: two are called {next(each for each in names if names.count(each) > 1)!r}")
    return arms


def _arm(own: Table, given: Table, folder: Path | None) -> Arm:
    """An arm: what it says itself, else what the file says for all arms."""
    own.only(("name", *OF_ARMS))
    said_by = {key: own if key in own else given for key in OF_ARMS}
    options = {k: v for key in ("options", "values") for place in (given, own) for k, v in place.table(key).items()}
    bots = said_by["bots"].words("bots", ["hints"])
    play, spec = (said_by[key].value(key, str, "") for key in ("play", "score"))
    with own.errors_named():
        game = Game(games.description(given["game"]), said_by["seats"].get("seats"), options)
        bots = _seat_bots(bots, game, own)
        if play:
            PlayPattern.read(play).check(game.description, game.template)
        name = _line(own, "name", NAME)
        source = read_text(folder / spec.partition(":")[0], TefudaError) if spec and folder else ""
        score = ScoringFunction(name, spec, source) if spec else None
        if score and folder:
            score.function()
    return Arm(name, game, tuple(bots), play, score)


def _seat_bots(bots: Sequence[str], game: Game, place: Table) -> list[str]:
    """A bot for each seat: the last one named plays all the seats that are left."""
    if not bots:
        raise place.error('bots: write them as ["hints"]')
    for each in bots:
        made = bot(each)
        if isinstance(made, HabitBot):
            made.plays.check(game.description, game.template)
    if len(bots) > game.seats:
        raise place.error(f"bots: {len(bots)} for {game.seats} seats")
    return [*bots, *[bots[-1]] * (game.seats - len(bots))]


def _measures(given: Table) -> tuple[str, ...]:
    found = given.words("measures", definition.USUAL)
    for each in found:
        if each not in definition.MEASURES:
            raise given.error(f"measures: there is no {each!r}{nearest(each, definition.MEASURES)}")
    return tuple(each for each in definition.MEASURES if each in found)


def _fields(given: Table, game: Description) -> tuple[str, ...]:
    known = [each.name for each in game.fields if not each.shape and each.visible is Visible.PUBLIC]
    found = given.words("fields")
    for each in found:
        if each not in known:
            raise given.error(f"fields: {game.name} has no public number {each!r}{nearest(each, known)}")
        if each in definition.TAKEN:
            raise given.error(f"fields: {each!r} is the name of a figure or a column of every experiment; leave it out")
    return tuple(each for each in found if each not in places(game))


def _adviser(given: Table) -> str:
    spec = given.value("adviser", str, definition.ADVISER)
    with given.errors_named("adviser"):
        bot(spec)
    return spec


def _behind(given: Table, measures: Sequence[str]) -> tuple[float, ...]:
    found: list[Any] = given.value("behind", list, [])
    if "recovery" not in measures:
        if found:
            raise given.error("behind: only 'recovery' asks about it, which is not among the measures")
        return ()
    if not found or not all(type(each) in (int, float) and each > 0 for each in found):
        raise given.error("behind: 'recovery' needs to be told how many points, such as behind = [200, 500]")
    return tuple(sorted(set(found)))


def _smallest(given: Table) -> float | None:
    if "smallest" not in given:
        return None
    smallest = given.value("smallest", float)
    if not 0 < smallest < math.inf:
        raise given.error(f"smallest: {given['smallest']!r} is not a number above 0")
    return smallest


# What goes together


def _check_measures(given: Table, made: Experiment) -> None:
    if "play" in made.measures and not all(arm.play for arm in made.arms):
        raise given.error("measures: 'play' needs to be told which play, in every arm")
    if any(arm.score for arm in made.arms) and (made.whole_games or {"decisions", "play"}.intersection(made.measures)):
        raise given.error("score: whole games, and the measures 'decisions' and 'play', need the game's own payments")
    if "recovery" in made.measures and not made.whole_games:
        raise given.error("measures: 'recovery' is measured of whole games: add whole_games = true")
    if not made.whole_games:
        return
    if not (made.measures and definition.OF_WHOLE_GAMES.issuperset(made.measures)):
        raise given.error("whole_games: of whole games only length, outcome, seats and recovery are measured")
    if not all(arm.compiled for arm in made.arms):
        raise given.error("whole_games: they are played by hints and random only")
    for key, named in (("fields", given.words("fields")), ("answer", [made.answer])):
        for each in named:
            if is_of_one_deal(made.description, each):
                raise given.error(f"{key}: {each!r} belongs to one deal, and a whole game has many; leave it out")


def _check_answer(given: Table, made: Experiment) -> None:
    name, game = made.answer, made.description
    known = {**definition.ANSWERS, **dict.fromkeys((*places(game), *made.fields), "seats")}
    known |= dict.fromkeys(recovery_figures(made.behind), "recovery")
    known |= {f"line.{line}": "lines" for line in line_names(game)}
    if name not in known:
        raise given.error(f"answer: there is no figure {name!r}{nearest(name, known)}")
    if known[name] not in made.measures:
        raise given.error(f"answer: {name!r} needs {known[name]!r} among the measures")
    if name in definition.OF_FIRST_BOT and not all(arm.rotations > 1 for arm in made.arms):
        raise given.error(f"answer: {name!r} needs bots that differ, in every arm")
    if name in ("wins", "rank") and not made.whole_games:
        raise given.error(f"answer: {name!r} needs whole_games")
    if name in ("binds", "advice") and len(made.arms) < 2:
        why = "it reads the decisions of one under the options of another"
        raise given.error(f"answer: {name!r} needs two arms: {why}")


def _check_stop(given: Table, made: Experiment) -> None:
    if not made.stop:
        return
    if len(made.arms) < 2 or not made.compare:
        why = "with one arm" if len(made.arms) < 2 else "without comparing"
        raise given.error(f"stop: {why} there is no difference that could become clear")
    if definition.ANSWERS.get(made.answer) in definition.SAMPLED:
        raise given.error(f"stop: {made.answer!r} is measured in the sample only")


# Experiments without a file


def comparison_keys(game: str, words: Sequence[str], bots: Sequence[str], **more: object) -> dict[str, object]:
    """The keys of an experiment file for ``tefuda lab compare``. A word is an arm: ``option=value``, several joined by
    commas; ``seats=5``; ``default`` for the plain rules; else TefudaError."""
    if list(words) == ["default"]:
        raise TefudaError("'default': say what to compare the plain rules with, as option=value or seats=5")
    words = words if len(words) > 1 else ["default", *words]
    arms = [{"name": word, **_arm_keys(word)} for word in words]
    return {"question": f"{game}: {' or '.join(words)}?", "game": game, "bots": list(bots), "arms": arms, **more}


def different_arms(experiment: Experiment) -> Experiment:
    """The experiment, if it asks something; TefudaError if two arms are the same game with the same bots."""
    for other, arm in combinations(experiment.arms, 2):
        if {**arm.as_dict(), "name": ""} == {**other.as_dict(), "name": ""}:
            same = f"{arm.name!r} is the same game as {other.name!r}"
            raise TefudaError(f"{same}, so there is nothing to compare; name another value")
    return experiment


def with_players(experiment: Experiment, spec: str, deals: int | None = None) -> Experiment:
    """An experiment's question, put to other players, for so many deals: a bot in every seat of every arm.

    TefudaError if bots differ, so that they belong to the question, or this one cannot play what is asked."""
    if len({each for arm in experiment.arms for each in arm.bots}) > 1:
        raise TefudaError(f"--players {spec}: the experiment says itself who plays, with bots that differ")
    asked = experiment.as_dict()
    asked["arms"] = [{**arm, "bots": [spec]} for arm in asked["arms"]]
    if deals is not None:
        asked["deals"] = deals
    if not asked["sample"]:
        del asked["sample"]
    made = parse(experiment.name, asked)
    arms = zip(made.arms, experiment.arms, strict=True)
    return replace(made, arms=tuple(replace(arm, score=before.score) for arm, before in arms))


def players_and_deals(word: str) -> tuple[str, int | None]:
    """Split a word of ``--players``: a bot, and perhaps its number of deals (``search:100it@400``)."""
    spec, at, deals = word.rpartition("@")
    if not at:
        return word, None
    if not (spec and deals.isdecimal() and int(deals) > 0):
        raise TefudaError(f"--players {word}: write a bot, or a bot and its number of deals, as search:100it@400")
    return spec, int(deals)


def _arm_keys(word: str) -> dict[str, Any]:
    arm: dict[str, Any] = {"options": {}}
    for part in [] if word == "default" else word.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise TefudaError(f"{part!r}: write an arm as option=value, several joined by commas, or 'default'")
        key = key.strip()
        if key in arm or key in arm["options"]:
            raise TefudaError(f"{word!r}: {key} is said twice; write each arm as a word of its own")
        if key == "seats":
            arm["seats"] = int(value) if value.isdecimal() else value
        else:
            arm["options"][key] = value.strip()
    return arm
