"""Plays read from sentences, such as a language model's answer. ``typed_play`` reads what is meant to be a play and
nothing else; here it is found among other words, and what cannot be read comes back with a reason."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tefuda.engine.description import Description
from tefuda.engine.notation import NotationError, is_declaration, plain
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, typed
from tefuda.table.reasons import LONGEST, Reason, listed, no_play, say
from tefuda.table.typed_play import is_begun, near, understood
from tefuda.table.view import View

MOST_READ = 4000  #: characters of an answer that are read, the last
LONG = 120  #: characters; in a longer answer somebody thinks aloud, and their last sentence about a play counts

_MOST_WORDS, _WORDS_READ = 16, 400  # of what names a play, and of an answer, the last
_WORD = re.compile(r"[~♠♥♦♣]*[A-Za-z0-9][A-Za-z0-9+:=~♠♥♦♣\ufe0f]*|[^\x00-\x7f\W]")
_JOINING = ("and", "和", "與", "与", "と")
_MARKED = re.compile(r"^\W*(?:final answer|answer|play)[^\w\n]*?[:=](.*)$", re.IGNORECASE | re.MULTILINE)
_NOTE = re.compile(r"([A-Za-z0-9+:=~]+)\s*\([^()\n]*\)")
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？\n]+")


class PlayReading(NamedTuple):
    """An answer that was read: the legal play that it names, for ``Deal.play``, or the reason why it names none."""

    play: str | None
    reason: Reason | None = None


def parse_play(view: View, text: str, language: str = LANGUAGES[0]) -> PlayReading:
    """Read a seat's play from an answer in free words: as notation in any spelling (``SQ``, ``♠Q``, ``QS``), or as
    cards and declarations are called in any language. ``TefudaError`` if there are no texts in this language.

    A line ``PLAY: SQ`` counts before all else. Of an answer of more than ``LONG`` characters the last sentence with a
    legal play counts. Two plays are none.

    Example:
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu").position({"hands": ["SQ H2", "SK H3", "SA H4", "SJ H5"]})
        >>> tefuda.parse_play(deal.view(0), "I play the queen of spades.").play
        'SQ'
    """
    legal, common = view.legal(), catalogue(TEXTS, language)
    answer = _NOTE.sub(partial(_without_note, view.game), plain(str(text or "")[-MOST_READ:]))
    if not answer:
        said = common("why.silent", play=next(iter([*legal, *view.game.display.faces])))
        return PlayReading(None, Reason("", "silent", said))
    found = next(filter(None, map(partial(_named, view.game, legal), _parts(answer))), [])
    if len(found) > 1:
        said = common("why.two_plays", plays=listed(found, language).replace("`", ""))
        return PlayReading(None, Reason("", "two_plays", said, tuple(found)))
    # If no legal play is named, the reason is about cards that are: a declaration may be an ordinary word.
    others = (play for play in _named(view.game, None, answer) if not is_declaration(play))
    word = found[0] if found else next(others, understood(view.game, None, answer) or answer)
    try:
        if not found and len(word) > LONG:
            raise NotationError(word)
        why = view.game.rules.why_not(view.array[0], view.seat, word)
    except NotationError:
        word = " ".join(word.split())[:LONGEST]
        return PlayReading(None, no_play(view.game, word, language, legal, near(view.game, legal, word), typed))
    return PlayReading(None, say(view.game, why, language)) if why else PlayReading(word)


def _parts(answer: str) -> Iterator[str]:
    """Yield the parts of an answer that may name its play, the surest first; the first that names one counts."""
    yield "\n".join(_MARKED.findall(answer))
    if len(answer) > LONG:
        yield from reversed(_SENTENCE.split(answer))
    yield answer


def _without_note(game: Description, found: re.Match[str]) -> str:
    """Leave out what stands in brackets behind a play: its name, as ``view_text`` writes it."""
    try:
        return f"{game.notation.normal(found[1])} "
    except NotationError:
        return found[0]


def _named(game: Description, legal: Sequence[str] | None, text: str) -> list[str]:
    """List the different plays that a text names in its order, of the legal ones or, for None, of all."""
    if whole := understood(game, legal, text):
        return [whole]
    words = [word for found in _WORD.findall(text) if (word := found.rstrip(":=+~")) not in _JOINING]
    words, plays, start = words[-_WORDS_READ:], dict[str, None](), 0
    while start < len(words):
        most = min(len(words), start + _MOST_WORDS)  # fewer words where no name begins: answers can be essays
        ends = range(most if is_begun(game, " ".join(words[start:most])) else start + 1, start, -1)
        # A rank alone may be an ordinary word ("a"); a declaration names all its cards, be it legal or not.
        for end, piece in ((end, " ".join(words[start:end])) for end in ends):
            play = understood(game, legal, piece) if len(piece) > 1 else None
            if play or ":" in (understood(game, None, piece) or ""):
                plays |= {play: None} if play else {}
                start = end
                break
        else:
            start += 1
    return list(plays)
