"""Catalogues of texts: one TOML file a language, which a translator edits; English stands in for what is missing."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from tefuda.engine import toml
from tefuda.engine.errors import TefudaError

LANGUAGES = ("en", "ja", "zh-Hant", "zh-Hans")  #: languages of the texts, the one that stands in for the others first
TEXTS = Path(__file__).parent.parent / "texts"  #: the catalogues of what is not said by one game alone

_QUOTED = re.compile(r"( ?)`([^`]*)`( ?)")
_CHARACTER = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff「」“”（）]")

Spell = Callable[[str], str]
"""Writes the notation that a text quotes between backquotes: plays and cards, with the seat (``#2``) where there are
several."""

_SERVED_BY = {
    **{language.lower(): language for language in LANGUAGES},
    **dict.fromkeys(("zh-tw", "zh-hk", "zh-mo", "yue"), "zh-Hant"),
    "zh": "zh-Hans",
}


class MissingTextError(TefudaError):
    """A catalogue lacks a text, or a text has a field that is not given; the message names it and the file."""


class Catalogue:
    """The texts of one folder in one language, by dotted key."""

    def __init__(self, folder: Path, language: str) -> None:
        self.language, self._folder = language, folder
        self._texts = {**own_texts(folder, LANGUAGES[0]), **own_texts(folder, language)}

    def __call__(self, key: str, **fields: object) -> str:
        """The text of this key with its ``{fields}`` filled in.

        ``MissingTextError`` if no language has the key, or a field is missing."""
        text = self._texts.get(key)
        if text is None:
            raise MissingTextError(f"{self._folder / LANGUAGES[0]}.toml: there is no text {key}")
        try:
            return text.format(**fields) if fields else text
        except KeyError as error:
            raise MissingTextError(f"{self._folder / self.language}.toml: {key}: there is no field {error}") from None

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def without(self, *sections: str) -> dict[str, str]:
        """The texts of all sections but these, by their whole keys."""
        left_out = tuple(f"{section}." for section in sections)
        return {key: text for key, text in self._texts.items() if not key.startswith(left_out)}

    def under(self, prefix: str) -> dict[str, str]:
        """The texts whose keys begin with ``prefix.``, by the rest of the key, in the order of the file."""
        start = prefix + "."
        return {key.removeprefix(start): text for key, text in self._texts.items() if key.startswith(start)}


def closest(tag: str) -> str | None:
    """The language that serves a language tag as browsers send it, such as ``ja-JP``; None if none does.

    Chinese that names no script is served in that of its region: ``zh-HK`` in traditional characters, ``zh-SG`` and
    ``zh`` alone in simplified ones."""
    parts = tag.strip().lower().replace("_", "-").split("-")
    shorter_and_shorter = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((_SERVED_BY[part] for part in shorter_and_shorter if part in _SERVED_BY), None)


@cache
def catalogue(folder: Path, language: str) -> Catalogue:
    """The catalogue of this folder in this language; ``TefudaError`` if Tefuda has no texts in this language."""
    if language not in LANGUAGES:
        raise TefudaError(f"there are no texts in {language!r}; there are: {', '.join(LANGUAGES)}")
    return Catalogue(folder, language)


@cache
def own_texts(folder: Path, name: str) -> dict[str, str]:
    """Texts of a file of the folder, by key, such as those in a language or the rules of ``sheet.toml``; else none."""
    path = folder / f"{name}.toml"
    return dict(_leaves(toml.read(path), "")) if path.exists() else {}


def _leaves(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, str(value)


def typed(quoted: str) -> str:
    """Notation for those who type it: as it is."""
    return quoted


def spelled(text: str, spell: Spell = typed) -> str:
    """A text without its backquotes, the notation between them as ``spell`` writes it."""

    def write(found: re.Match[str]) -> str:
        before, words, after = found[1], spell(found[2]), found[3]
        # Between two characters there is no space.
        if _CHARACTER.match(words) and _CHARACTER.match(text[: found.start()][-1:]):
            before = ""
        if _CHARACTER.match(words[-1:]) and _CHARACTER.match(text[found.end() :][:1]):
            after = ""
        return f"{before}{words}{after}"

    return _QUOTED.sub(write, text)


def signed(points: int, unit: int = 1) -> str:
    """Points with their sign, and a real minus; ``unit`` of them make one of what people count."""
    size = str(abs(points) / unit if points % unit else abs(points) // unit)
    return f"+{size}" if points > 0 else f"−{size}" if points else "0"


def percentage(chance: float) -> str:
    """A chance that is neither 0 nor 1, as a whole number of hundredths: never 0 or 100."""
    return str(min(99, max(1, round(100 * chance))))


# Where a line may be broken: between words, and in Chinese and Japanese between characters too

_WRITTEN_CLOSE = r"\u2e80-\u9fff\uf900-\uffef“”‘’…·"
_WORD = rf"[^\s{_WRITTEN_CLOSE}]+"
_PIECES = re.compile(rf"[{_WRITTEN_CLOSE}]|{_WORD}(?: ± {_WORD})?(?: %(?:{_WORD})?)?(?: [◐○])?|\s+")
_NOT_FIRST = set("、。，．！？：；）」』】〉》”’ー…ァィゥェォッャュョぁぃぅぇぉっゃゅょ々％%)]}.,;:!?◐○")
_NOT_LAST = set("（「『【〈《“‘([{")


def unbroken(text: str) -> Iterator[str]:
    """Pieces between which a line may be broken; blanks are pieces of their own.

    No line so broken begins with a stop or a closing bracket, or ends with an opening one; a number stays beside its
    margin and its per cent, a sign of ``rulebook.MARKS`` beside its sentence."""
    held = ""
    for piece in _PIECES.findall(text):
        if held and piece[0] not in _NOT_FIRST and held[-1] not in _NOT_LAST:
            yield held
            held = piece
        else:
            held += piece
    if held:
        yield held
