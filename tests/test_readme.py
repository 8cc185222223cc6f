"""The README's Python runs as written, the commands that it names exist, and those in other languages keep to it."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_texts import FOREIGN_MARKS, HALF_WIDTH, is_written

README = Path(__file__).parent.parent / "README.md"
LANGUAGES = ("ja", "zh-Hant")

BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`]+`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)]*)\)")
SHAPE = re.compile(r"^(#+ |\* |\|)", re.MULTILINE)
"""What begins a heading, a point of a list or a row of a table."""


def translated(language: str) -> Path:
    return README.with_name(f"README.{language}.md")


def prose(path: Path) -> str:
    """A README without its blocks of code."""
    return BLOCK.sub("", path.read_text("utf-8"))


def places(path: Path) -> list[str]:
    """Where links and pictures lead, without the other READMEs."""
    return sorted(place for place in LINK.findall(prose(path)) if not place.startswith("README"))


def test_the_python_snippets_run_as_written() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_commands_exist() -> None:
    named = set(re.findall(r"uv run (?:--\w+ \S+ )*tefuda (\w+)", README.read_text("utf-8")))
    listed = subprocess.run(
        [sys.executable, "-m", "tefuda", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert len(named) > 10
    assert all(re.search(rf"^\s+{name}\b", listed, re.MULTILINE) for name in named), named


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_commands_links_and_pictures(language: str) -> None:
    path = translated(language)
    blocks, shape = BLOCK.findall(README.read_text("utf-8")), SHAPE.findall(prose(README))
    assert len(blocks) == 3
    assert BLOCK.findall(path.read_text("utf-8")) == blocks
    assert sorted(CODE.findall(prose(path))) == sorted(CODE.findall(prose(README)))
    assert places(path) == places(README)
    assert SHAPE.findall(prose(path)) == shape


@pytest.mark.parametrize("path", [README, *map(translated, LANGUAGES)], ids=lambda path: path.name)
def test_every_readme_leads_to_those_in_other_languages(path: Path) -> None:
    others = {place for place in LINK.findall(prose(path)) if place.startswith("README")}
    assert others == {README.name, *(translated(language).name for language in LANGUAGES)} - {path.name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_its_own_characters_and_marks(language: str) -> None:
    names = {"ja": "繁體中文", "zh-Hant": "日本語カックリ"}[language]
    text = CODE.sub("`", prose(translated(language)))
    assert {each for each in text if not is_written(each, language)} - set(names) == set()
    assert not set(text) & set(FOREIGN_MARKS[language])
    assert HALF_WIDTH.findall(LINK.sub("", text)) == []
    # Markdown does not end bold letters between a full-width mark and a character.
    assert re.findall(r"[、。，：）」]\*\*\w", text) == []
