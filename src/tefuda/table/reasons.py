"""Reasons for refusing a play, and other sentences of a game, in the reader's language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import SUMMARY
from tefuda.engine.sentence import Refusal, Sentence
from tefuda.engine.texts import TEXTS, Spell, catalogue, spelled, typed

_SEAT = re.compile(r"#(\d+)")

LONGEST = 40  #: characters of a word that is repeated to its writer
MOST_LISTED = 4  #: legal plays named to whoever writes what is no play


@dataclass(frozen=True, repr=False)
class Reason:
    """The reason why a play is illegal.

    Attributes:
        rule: number of the rule that forbids it, such as ``GZ-12``; empty for a word that is no play of the game.
        code: of the text, the same in every language.
        text: one or two sentences for the player.
        plays: legal plays that it recommends instead, if any.

    Example:
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
        >>> reason = deal.why_not("SK")
        >>> reason.rule, reason.text
        ('GZ-13', 'You do not hold SK. Lead a card from your hand.')
        >>> str(reason)
        'You do not hold SK. Lead a card from your hand. [GZ-13]'
    """

    rule: str
    code: str
    text: str
    plays: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Reason {self.rule or self.code}: {self.text}>"

    def __str__(self) -> str:
        return f"{self.text} [{self.rule}]" if self.rule else self.text


class IllegalPlay(TefudaError):  # noqa: N818 - the name the design gives it
    """A play that the rules forbid; the deal is unchanged.

    Attributes:
        play: as it was written.
        reason: with the rule that forbids it.
    """

    def __init__(self, play: str, reason: Reason) -> None:
        super().__init__(f"{play}: {reason}")
        self.play, self.reason = play, reason


def say(game: Description, why: Refusal, language: str, names: Sequence[str] = (), spell: Spell = typed) -> Reason:
    """Say a refusal in this language; see ``say_line``."""
    fields = {**why.fields, "plays": listed(why.plays, language)} if why.plays else why.fields
    text = say_line(game, Sentence(f"why.{why.code}", fields), language, names, spell)
    # A sentence begins with a capital, but not with something to type.
    typed_first = spell is typed and catalogue(game.files.texts, language)(f"why.{why.code}").startswith("`")
    return Reason(why.rule, why.code, text if typed_first else text[:1].upper() + text[1:], why.plays)


def no_play(
    game: Description, word: str, language: str, legal: Sequence[str], near: Sequence[str], spell: Spell
) -> Reason:
    """Say that a word is no play of this game, with the ``legal`` plays that are ``near`` it, else some that are legal
    now, else an example. No rule says so, and all games share the texts."""
    texts, said = catalogue(TEXTS, language), str(word)[:LONGEST]
    if not near and (not legal or any(map(SUMMARY.fullmatch, legal))):
        example = catalogue(game.files.texts, language)("example")
        return Reason("", "no_play", texts("why.no_play", word=said, example=example))
    code = "near" if near else "now" if len(legal) <= MOST_LISTED else "such_as"
    plays = spelled(listed(near or legal[:MOST_LISTED], language), spell)
    return Reason("", "no_play", texts(f"why.no_play_{code}", word=said, plays=plays), tuple(near))


def listed(plays: Sequence[str], language: str) -> str:
    """List plays to choose from, each as notation: "`A`, `B` or `C`"."""
    texts = catalogue(TEXTS, language)
    *others, last = [f"`{play}`" for play in plays]
    return texts("choice.between").join(others) + texts("choice.last") + last if others else last


def say_line(game: Description, line: Sentence, language: str, names: Sequence[str] = (), spell: Spell = typed) -> str:
    """Say a sentence about a deal in this language; in a field ``@key`` stands for a text and ``#2`` for a seat.

    Seats are called "seat 2" and the like unless names are given, and notation is as it is typed unless it is spelt."""
    return name_seats(unnamed_line(game, line, language, spell), language, names)


def unnamed_line(game: Description, line: Sentence, language: str, spell: Spell = typed) -> str:
    """Say a sentence with its seats still as ``#0``, ``#1`` …, for several readers who call them differently."""
    texts = catalogue(game.files.texts, language)
    fields = {name: texts(value[1:]) if value.startswith("@") else value for name, value in line.fields.items()}
    return spelled(texts(line.code, **fields), spell)


def name_seats(text: str, language: str, names: Sequence[str] = ()) -> str:
    """Fill in the names of the seats for ``#0``, ``#1`` …"""
    return _SEAT.sub(lambda found: seat_name(int(found[1]), language, names), text)


def say_all(game: Description, section: str, language: str, spell: Spell = typed) -> dict[str, str]:
    """Say the game's texts under a section, by the rest of their keys."""
    keys = catalogue(game.files.texts, language).under(section)
    return {key: say_line(game, Sentence(f"{section}.{key}"), language, spell=spell) for key in keys}


def seat_name(seat: int, language: str, names: Sequence[str] = ()) -> str:
    """Name of a seat."""
    return names[seat] if names else catalogue(TEXTS, language)("seat", number=seat)
