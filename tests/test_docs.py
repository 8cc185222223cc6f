"""What ``python -m tools.docs`` finds wrong with the links of a built site, which CI builds; how pages begin; and that
the tutorial shows what the program says."""

import re
from pathlib import Path

import pytest
from tools.docs import faults

from tests.cli.command import run

DOCS = Path(__file__).parent.parent / "docs"
PROMISE = re.compile(r"(After (reading )?|With )this page,? ")


def test_a_site_whose_links_lead_somewhere_has_no_faults(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<p id="top"><a href="a/b.html#x">b</a> <a href="https://example.org">e</a>')
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.html").write_text('<p id="x"><a href="../index.html#top">i</a> <img src="data:image/png,">')
    assert faults(tmp_path) == []


def test_missing_pages_missing_anchors_and_what_comes_from_elsewhere_are_named(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<a href="gone.html">1</a> <a href="#gone">2</a> <script src="https://cdn.example/x.js"></script>'
    )
    assert faults(tmp_path) == [
        "gone.html leads nowhere, in index.html",
        "#gone has no such anchor, in index.html",
        "https://cdn.example/x.js is loaded from elsewhere, in index.html",
    ]


def test_no_page_promises_what_its_reader_will_know() -> None:
    written = sorted(DOCS.rglob("*.md"))
    assert len(written) > 20
    assert [path.name for path in written if PROMISE.search(path.read_text("utf-8"))] == []


def test_the_site_finds_parts_of_words_that_no_blanks_part() -> None:
    pytest.importorskip("sphinx", reason="the site is left out: uv sync --group docs")
    from tools.pages.search_words import SearchWords

    assert SearchWords({}).split("Gong Zhu (拱豬), 3 カード") == [
        "Gong",
        "Zhu",
        "拱",
        "豬",
        "拱豬",
        "3",
        *"カード",
        "カー",
        "ード",
    ]


def test_the_first_evening_shows_what_the_program_says(home: dict[str, str]) -> None:
    """The deal that the tutorial plays, typed as it stands there."""
    page = (DOCS / "tutorial" / "first-evening.md").read_text("utf-8")
    shown = [
        block for block in re.findall(r"^```text\n(.*?)^```", page, re.DOTALL | re.MULTILINE) if "Your play ›" in block
    ]
    (command,) = re.findall(r"^uv run tefuda (play .*)$", page, re.MULTILINE)[:1]
    lines = [line for block in shown for line in block.splitlines()]
    typed = [line.removeprefix("Your play ›").strip() for line in lines if line.startswith("Your play ›")]
    said = run(home, *command.split(), typed="\n".join([*filter(None, typed), "q", ""])).stdout
    at, words = 0, " ".join(said.replace("─", " ").split())
    for line in lines:
        expected = " ".join(line.replace("─", " ").split())
        if not line.startswith("Your play ›"):
            at = words.find(expected, at)
            assert at >= 0, expected
    assert typed == ["", "expose:none", "h", "h"]
