"""Sentences of a game about a deal, as texts of its catalogue with fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Refusal:
    """Why a play is illegal: the rule's number, and a text of the catalogue (under ``why``) with its fields.

    Fields are written as in ``Sentence``. ``plays`` are legal plays, by their words, that the text names as what to do
    instead; where it has the field ``{plays}``, they are listed there."""

    rule: str
    code: str
    fields: Mapping[str, str] = field(default_factory=dict)
    plays: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sentence:
    """A sentence about a deal: a text of the catalogue, by its whole key, with its fields.

    A field's value may be ``@key`` for another text, ``#2`` for the name of seat 2."""

    code: str
    fields: Mapping[str, str] = field(default_factory=dict)


def advised_declaration(word: str) -> Sentence:
    """Why rules of thumb say something: the text ``advice.<word>``, of ``supreme:12+24`` that of ``supreme``."""
    return Sentence(f"advice.{word.partition(':')[0]}", {"cards": word.partition(":")[2]})


def likelihood(chance: float) -> str:
    """End of a text's key for a chance from 0 to 1: ``sure``, ``likely`` or ``unlikely``."""
    return "sure" if chance == 1.0 else "likely" if chance >= 0.5 else "unlikely"
