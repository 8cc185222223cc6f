"""Words of another language within a text, marked as such, so that browsers read them aloud and draw them correctly."""

import re
from functools import lru_cache

from markupsafe import Markup, escape

from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES, catalogue

MOST_KEPT = 4096
"""Texts that are kept with their marks."""

_KANA, _HAN = "\u3040-\u30ff", "\u3400-\u9fff"

_JAPANESE = re.compile(f"[{_KANA}]")

_FOREIGN = {
    "en": re.compile(f"[{_KANA}{_HAN}]+"),
    # Of characters that both write, syllables beside them tell Japanese from Chinese: within quotation marks or
    # brackets all of a word, elsewhere the syllables alone.
    "zh": re.compile(f"(?<=[「“（])[{_HAN}]*[{_KANA}][{_KANA}{_HAN}]*(?=[」”），])|[{_KANA}]+(?:[{_HAN}][{_KANA}]+)*"),
}
"""By language: what in its texts is foreign. In Japanese texts nothing foreign can be told from Japanese."""


def home_of(game: Description) -> str:
    """The language of the game's own terms: Japanese if its name in its home holds kana, else Chinese."""
    return "ja" if _JAPANESE.search(catalogue(game.files.texts, LANGUAGES[0])("native")) else "zh"


@lru_cache(MOST_KEPT, typed=True)  # a text that is to be escaped is another than markup of the same letters
def marked(text: str, language: str, home: str) -> Markup:
    """A text with its foreign words marked; characters that Chinese and Japanese share are of the language ``home``."""
    foreign = _FOREIGN.get(language.partition("-")[0])
    if foreign is None:
        return escape(text)

    def mark(found: re.Match[str]) -> str:
        return f'<span lang="{"ja" if _JAPANESE.search(found[0]) else home}">{found[0]}</span>'

    return Markup(foreign.sub(mark, escape(text)))  # noqa: S704 - escaped before
