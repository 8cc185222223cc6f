"""Experiments without a file: the arguments of ``tefuda lab compare`` as the keys of an experiment."""

from collections.abc import Sequence
from typing import Any

from tefuda.engine.errors import TefudaError


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
