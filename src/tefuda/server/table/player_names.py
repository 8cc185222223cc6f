"""The names of players: cleaned when somebody brings one, and as sentences call the seats."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import chain, groupby, islice

from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.table.arguments import BOTS
from tefuda.server.table.faces import FLOWERS
from tefuda.server.table.lookalikes import skeleton, visible
from tefuda.server.table.refused import Refused
from tefuda.server.table.table_state import TableState

MOST_NAME = 24
"""Characters of a name."""

MOST_MARKS = 3
"""Accents on one letter of a name; more of them would grow over the line above."""

_SEAT = re.compile(r"#(\d+)")
_WITHIN_EVENT = re.compile(r"\w \Z")
_WITHIN_SENTENCE = re.compile(r"(?:[\w,;] |\()\Z")
"""What stands before a word within a sentence; in the sentence of an event, names after a comma begin a play."""


def clean_name(text: str) -> str:
    """A name in one form: composed characters, no invisible ones, few accents on one letter, single blanks.

    Raises:
        Refused: nothing visible is left, or the name is too long.
    """
    seen = visible(unicodedata.normalize("NFC", text))
    runs = (islice(run, MOST_MARKS if is_mark else None) for is_mark, run in groupby(seen, _is_mark))
    name = " ".join("".join(chain.from_iterable(runs)).split())
    if all(map(_is_mark, name)) or len(name) > MOST_NAME:
        raise Refused("name", 422, most=MOST_NAME)
    return name


def free_name(table: TableState, text: str) -> str:
    """The cleaned name, with a number after it if somebody at the table, or a bot that may come, has one that looks the
    same.

    Raises:
        Refused: see ``clean_name``.
    """
    name, taken = clean_name(text), {skeleton(chair.name) for chair in table.chairs} | _of_bots(len(table.chairs))
    return next(each for each in (name, *(f"{name} {k}" for k in range(2, 99))) if skeleton(each) not in taken)


@cache
def _of_bots(seats: int) -> frozenset[str]:
    """The skeletons of what bots are called on these seats, in messages and by the pages in any language."""
    told = {seated_bot_name(bot, seat) for bot in BOTS for seat in range(seats)}
    shown = {bot_name(seat, language) for seat in range(seats) for language in LANGUAGES}
    return frozenset(map(skeleton, told | shown))


def seated_bot_name(bot: str, seat: int) -> str:
    """What messages call a bot on a seat."""
    return f"{bot.partition(':')[0]} {seat}"


def seat_names(table: TableState, language: str) -> list[str]:
    """What sentences in this language call the seats: on one that nobody has, a bot plays."""
    return [chair.name if chair.person else bot_name(seat, language) for seat, chair in enumerate(table.chairs)]


def with_names(text: str, names: Sequence[str], language: str, reader: int) -> str:
    """The sentence of an event with what the seats are called for ``#0``, ``#1`` …; the reader is "you", or "You".

    Args:
        text: the sentence.
        names: of the seats.
        language: of the sentence.
        reader: their seat; −1 if they have none.
    """
    return _with_names(text, names, language, reader, _WITHIN_EVENT)


def addressed(text: str, names: Sequence[str], language: str, reader: int) -> str:
    """The same for other sentences, such as those of a score sheet."""
    return _with_names(text, names, language, reader, _WITHIN_SENTENCE)


def _with_names(text: str, names: Sequence[str], language: str, reader: int, within: re.Pattern[str]) -> str:
    if f"#{reader}" not in text:
        return _SEAT.sub(lambda found: names[int(found[1])], text)
    texts = catalogue(TEXTS, language)

    def name(found: re.Match[str]) -> str:
        if int(found[1]) != reader:
            return names[int(found[1])]
        return texts("page.table.you" if within.search(text, 0, found.start()) else "you")

    return _SEAT.sub(name, text)


def bot_name(seat: int, language: str) -> str:
    """What a bot is called: its flower, with a number where there are more seats than flowers."""
    again, flower = divmod(seat, len(FLOWERS))
    name = catalogue(TEXTS, language)(f"page.table.flower_{flower}")
    return f"{name} {again + 1}" if again else name


def _is_mark(character: str) -> bool:
    """Whether this is an accent, or something else that is set over or around the letter before it."""
    return unicodedata.category(character) in ("Mn", "Me")
