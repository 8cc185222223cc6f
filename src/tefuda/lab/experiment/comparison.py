"""Experiments without a file: the arguments of ``tefuda lab compare`` as the keys of an experiment."""

from collections.abc import Sequence
from typing import Any

from tefuda.engine.errors import TefudaError
from tefuda.lab.experiment.reader import parse
from tefuda.lab.experiment.schema import Experiment


def comparison_keys(game: str, words: Sequence[str], bots: Sequence[str], **more: Any) -> dict[str, Any]:
    """The keys of an experiment file for ``tefuda lab compare``.

    Args:
        game: its name.
        words: an arm each: ``option=value``, several joined by commas; ``seats=5``; ``default`` for the plain rules.
        bots: of every arm.
        more: other keys, with their values.

    Raises:
        TefudaError: a word that is not written like this.
    """
    if list(words) == ["default"]:
        raise TefudaError("'default': say what to compare the plain rules with, as option=value or seats=5")
    words = words if len(words) > 1 else ["default", *words]
    arms = [{"name": word, **_arm_keys(word)} for word in words]
    return {"question": f"{game}: {' or '.join(words)}?", "game": game, "bots": list(bots), "arms": arms, **more}


def different_arms(experiment: Experiment) -> Experiment:
    """The experiment, if it asks something: no two arms are the same game with the same bots.

    Raises:
        TefudaError: two are.
    """
    for k, arm in enumerate(experiment.arms):
        for other in experiment.arms[:k]:
            if arm.is_same_as(other):
                same = f"{arm.name!r} is the same game as {other.name!r}"
                raise TefudaError(f"{same}, so there is nothing to compare; name another value")
    return experiment


def with_players(experiment: Experiment, spec: str, deals: int | None = None) -> Experiment:
    """The same question, put to other players: a bot in every seat of every arm.

    Args:
        experiment: whose arms are each played by one kind of bot.
        spec: of the bot.
        deals: how many they play; None for as many.

    Raises:
        TefudaError: bots differ within an arm or between arms, so that they belong to the question; there is no such
            bot, or it cannot play what is asked.
    """
    if len({each for arm in experiment.arms for each in arm.bots}) > 1:
        raise TefudaError(f"--players {spec}: the experiment says itself who plays, with bots that differ")
    asked = experiment.as_file()
    asked["arms"] = [{**arm, "bots": [spec]} for arm in asked["arms"]]
    if deals is not None:
        asked["deals"] = deals
    if not asked["sample"]:
        del asked["sample"]
    return parse(experiment.name, asked)


def players_and_deals(word: str) -> tuple[str, int | None]:
    """What ``--players`` takes: a bot, and perhaps its number of deals (``search:100it@400``).

    Raises:
        TefudaError: it is not written like this.
    """
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
