"""The style guide of each language (``docs/project/style.md``): its tables of words, widths of signs, spaces."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.test_texts import CATALOGUES, SCRIPTS, WRITTEN, in_language, named

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs/project/style.md"
HEADINGS = {"en": "English", "ja": "日本語", "zh-Hant": "繁體中文", "zh-Hans": "简体中文"}

ENGLISH = [path for path in CATALOGUES if path.stem == "en"]
PROSE = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path != GUIDE and path.parent.name != "games"),
]
"""What people read in English beside the catalogues; the pages of games are made from these."""


def avoided(language: str) -> list[str]:
    """The words of the left column of a language's table; a cell may have several."""
    part = GUIDE.read_text("utf-8").partition(f"## {HEADINGS[language]}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| .+ \|$", part, re.MULTILINE)
    return [word for row in rows[1:] for word in row.split(", ")]


@pytest.mark.parametrize("language", HEADINGS)
def test_the_guide_has_a_table_for_each_language(language: str) -> None:
    assert len(avoided(language)) >= 9


def english_faults(text: str) -> list[str]:
    """Words of the table, but what is between backquotes or names a part of the code."""
    plain = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)|[\w./-]+\.(?:md|py|toml|html)", "", text, flags=re.DOTALL)
    words = "|".join(map(re.escape, avoided("en")))
    return [found[0] for found in re.finditer(rf"\b({words})\b", " ".join(plain.split()), re.IGNORECASE)]


@pytest.mark.parametrize("path", ENGLISH, ids=named)
def test_english_texts_use_the_words_of_the_guide(path: Path) -> None:
    found = {key: faults for key, text in in_language(path, "en") if (faults := english_faults(text))}
    assert not found


@pytest.mark.parametrize("path", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_english_pages_use_the_words_of_the_guide(path: Path) -> None:
    """Of the changelog what has not been released; a world is explained where researchers read of it."""
    text = (
        "## ".join(path.read_text("utf-8").split("\n## ")[:2])
        if path.name == "CHANGELOG.md"
        else path.read_text("utf-8")
    )
    assert not {word.lower() for word in english_faults(text)} - {"worlds"}


@pytest.mark.parametrize("path", ENGLISH, ids=named)
def test_english_signs_have_one_form(path: Path) -> None:
    """Straight apostrophes, curly quotation marks, no space before a percent sign, a minus sign before a loss."""
    for key, text in in_language(path, "en"):
        outside = re.sub(r"`[^`]*`", "", text)
        assert not re.search(r"[’\"]|\d[ \u00a0]%|(?<![\w-])-\d", outside), f"{key}: {text}"


NAMES = re.compile("カードゲーム|マネーカード|取ったカードの中")
"""Names and a quotation with words of the table."""


def faults(language: str, wrong: Callable[[str], object]) -> dict[str, object]:
    """What is wrong in the texts of a language, by file and key."""
    texts = ((f"{named(path)} {key}", text) for path in WRITTEN for key, text in in_language(path, language))
    return {key: found for key, text in texts if (found := wrong(text))}


@pytest.mark.parametrize("language", SCRIPTS)
def test_chinese_and_japanese_use_the_words_of_the_guide(language: str) -> None:
    words = avoided(language)
    assert not faults(language, lambda text: [word for word in words if word in NAMES.sub("", text)])


HAN = "[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]"
TOKEN = re.compile(rf"({HAN} ?)?(`[^`]*`|[+−]?[0-9][0-9.,/±%]*|[A-Za-z][A-Za-z0-9_-]*)(?: ?(?={HAN}))?")
"""A code between backquotes, a number or a word, with the character before it and the spaces on both sides."""


def spaced(text: str, language: str) -> str:
    """The text with spaces as the guide has them: in Japanese none beside Chinese characters and kana; in Chinese one
    beside codes and words, none beside numbers. Single letters, such as ranks, stand as they are in Chinese; keys and
    what they do are parted by a space."""

    def placed(found: re.Match[str]) -> str:
        before, token = found[1] or "", found[2]
        if language != "ja" and token.isalpha() and len(token) == 1:
            return found[0]
        gap = " " if language != "ja" and (token[0] == "`" or token[0].isalpha()) else ""
        after = gap if re.match(HAN, text[found.end() :]) else ""
        return (before.rstrip() + gap if before else "") + token + after

    return text if re.search(r"・\S+ ", text) else TOKEN.sub(placed, text)


@pytest.mark.parametrize(
    ("language", "text", "right"),
    [
        ("ja", "`S4` は 3 枚、SQ を出す", "`S4`は3枚、SQを出す"),
        ("zh-Hans", "出`S4`要 3 张，SQ是黑桃Q，A 和2", "出 `S4` 要3张，SQ 是黑桃Q，A 和2"),
        ("ja", "h ヒント・q 終了", "h ヒント・q 終了"),
    ],
)
def test_spaces_in_an_example(language: str, text: str, right: str) -> None:
    assert spaced(text, language) == right


@pytest.mark.parametrize("language", SCRIPTS)
def test_spaces_stand_where_the_guide_has_them(language: str) -> None:
    assert not faults(language, lambda text: text if spaced(text, language) != text else "")


@pytest.mark.parametrize("language", SCRIPTS)
def test_percentages_and_ranges_have_one_form(language: str) -> None:
    """``20%``; 〜 in Japanese and ～ in Chinese, not a dash, between the ends of a range."""
    assert not faults(language, re.compile(r"[\d}][ \u00a0]%|[０-９％]|(?<![\d-])\d+[–]\d").findall)


def test_pages_write_percentages_as_texts_do() -> None:
    assert not [path.name for path in PROSE if re.search(r"\d[ \u00a0]%", path.read_text("utf-8"))]
