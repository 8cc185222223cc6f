"""Plays read from sentences, such as a language model's answer. ``engine.notation`` reads a word that is meant to be a
play and nothing else; here it is found among other words, and what cannot be read comes back with a reason."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.notation import NotationError, is_declaration, plain
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.table.reasons import LONGEST, Reason, listed, no_play, say
from tefuda.table.view import View
from tefuda.table.view_text import declaration_meaning

MOST_READ = 20_000  #: characters of an answer that are read, the last
LONG = 120  #: characters; in a longer answer somebody thinks aloud, and their last sentence about a play counts

_CARDS = "{cards}"  # stands for the cards where a declaration is called
_SIGNS = "♠♥♦♣十拾万萬索貫贯銭錢钱"
_WORD = re.compile(rf"[~{_SIGNS}]*[A-Za-z0-9][A-Za-z0-9+:=~{_SIGNS}]*")
_MARKED = re.compile(r"^\W*(?:final answer|answer|play)[^\w\n]*?[:=](.*)$", re.IGNORECASE | re.MULTILINE)
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？\n]+")
_JOIN = re.compile(r"(?:\s*\+\s*|[\s,、&]+(?:and\s+)?|\s*[和與与と]\s*)")


class PlayReading(NamedTuple):
    """An answer that was read: the legal play that it names, as ``Deal.play`` takes it, or the reason why it names
    none."""

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
    answer, common = _coded(view.game, plain(str(text)[-MOST_READ:])), catalogue(TEXTS, language)
    if not answer:
        said = common("why.silent", play=next(iter([*view.legal(), *view.game.display.faces])))
        return PlayReading(None, Reason("", "silent", said))
    if not _is_read(view, answer):
        for found in map(partial(_plays, view), _parts(answer)):
            if len(found) > 1:
                said = common("why.two_plays", plays=listed(found, language).replace("`", ""))
                return PlayReading(None, Reason("", "two_plays", said, tuple(found)))
            if found:
                return PlayReading(found[0])
        # The reason is about a card that is named: a declaration may be an ordinary word.
        answer = next((code for code, _, _ in _codes(view, answer) if not is_declaration(code)), str(text))
    return _judged(view, answer, language)


def _judged(view: View, word: str, language: str) -> PlayReading:
    try:
        why = view.game.rules.why_not(view.array[0], view.seat, word)
    except NotationError:
        return PlayReading(None, no_play(view.game, " ".join(word.split())[:LONGEST], language))
    return PlayReading(None, say(view.game, why, language)) if why else PlayReading(view.game.notation.normal(word))


def _is_read(view: View, word: str) -> bool:
    reason = _judged(view, word, LANGUAGES[0]).reason
    return reason is None or reason.code != "no_play"


def _parts(answer: str) -> Iterator[str]:
    """Yield the parts of an answer that may name its play, the surest first; the first that names one counts."""
    yield "\n".join(_MARKED.findall(answer))
    if len(answer) > LONG:
        yield from reversed(_SENTENCE.split(answer))
    yield answer


def _codes(view: View, text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a text that are plays, legal or not, each with its start and end."""
    for word in _WORD.finditer(text):
        code = word[0].rstrip(":=+~")
        if _is_read(view, code):
            yield code, word.start(), word.start() + len(code)


def _plays(view: View, text: str) -> list[str]:
    """List the different legal plays that a text names, in its order; cards that follow each other may be one play."""
    runs, last = list[list[str]](), 0

    def legal(words: Sequence[str]) -> list[str]:
        return [play for word in words if (play := _judged(view, word, LANGUAGES[0]).play)]

    for code, start, end in _codes(view, text):
        joined = bool(runs) and _JOIN.fullmatch(text, last, start) and not is_declaration(code)
        if joined and (":" in runs[-1][0] or not is_declaration(runs[-1][0])):
            runs[-1].append(code)
        else:
            runs.append([code])
        last = end
    found: dict[str, None] = {}
    for run in runs:
        together = "+".join(run)
        whole = [together, f"~{together.replace('~', '')}"] if len(run) > 1 else []
        parts = [] if ":" in together else run  # a declaration names all its cards
        found |= dict.fromkeys(legal(whole)[:1] or legal(parts or [together]))
    return list(found)


def _coded(game: Description, text: str) -> str:
    """Write the codes in the place of what cards and declarations are called."""
    codes, pattern, declarations = _names(game)
    if alone := codes.get(_key(text)):
        return alone
    text = pattern.sub(lambda found: f" {codes.get(_key(found[0]), found[0])} ", text)
    for called, declaration in declarations:
        text = called.sub(rf" {declaration}\1 ", text)
    return re.sub(r"\s*\+\s*", "+", text).strip()


def _key(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name.casefold()).strip(" .!。！").removeprefix("the ")


@cache
def _names(game: Description) -> tuple[dict[str, str], re.Pattern[str], list[tuple[re.Pattern[str], str]]]:
    """The codes of plays by what they are called; a pattern of all that is longer than a character, the longest first;
    and patterns of declarations that name cards, with how such a play begins."""
    codes, declarations = dict[str, str](), dict[tuple[str, str], None]()
    for language in LANGUAGES:
        codes = {_key(plain(name)): word for name, word in _card_names(game, language)} | codes
        texts = catalogue(game.files.texts, language)
        for word in filter(is_declaration, getattr(game.notation, "words", ())):
            begins = word[: word.find(":") + 1]
            if begins and not word.endswith(":none"):
                called = f"{begins[:-1]} {_CARDS}", plain(texts(f"plays.{begins}"))
                declarations |= dict.fromkeys((each, begins) for each in called)
            elif meaning := declaration_meaning(texts, word):
                codes |= {_key(plain(meaning)): word, word.replace(":", " "): word}
    codes = {name: word for name, word in codes.items() if name != word.casefold()}
    longer = sorted((name for name in codes if len(name) > 1), key=len, reverse=True)
    some = "|".join(re.escape(name).replace(r"\ ", r"[\s_-]+") for name in longer) or "(?!)"
    pattern = re.compile(rf"(?<![A-Za-z0-9])(?:the )?(?:{some})(?![A-Za-z0-9])", re.IGNORECASE)
    card = f"(?:{'|'.join(map(re.escape, game.cards))})"
    cards = rf"\s*({card}(?:{_JOIN.pattern}{card})*)\s*"
    found = (re.escape(called).replace(re.escape(_CARDS), cards).replace(r"\ ", "") for called, _ in declarations)
    patterns = (re.compile(rf"(?<![A-Za-z0-9]){each}", re.IGNORECASE) for each in found)
    return codes, pattern, list(zip(patterns, (begins for _, begins in declarations), strict=True))


def _card_names(game: Description, language: str) -> Iterator[tuple[str, str]]:
    """Yield what the cards are called in a language: in full, without what follows a comma, and with a bare rank."""
    for card in data.load(game).cards.values() if game.files.decks else ():
        name, ranked = card.names[language], card.suit.card.get(language, "").format(rank=card.index)
        yield from ((each, card.word) for each in (name, re.split("[,，、]", name)[0], ranked) if each)
