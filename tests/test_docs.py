"""What ``python -m tools.docs`` finds wrong with the links of a built site, and how pages begin. CI builds the site."""

import re
from pathlib import Path

from tools.docs import faults

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


def test_every_page_says_at_its_top_what_one_can_do_after_it() -> None:
    written = [
        path
        for path in sorted(DOCS.rglob("*.md"))
        if not {"games", "api", "project"} & set(path.parts) and path.name not in ("report.md", "commands.md")
    ]
    silent = [path.name for path in written if not PROMISE.search(path.read_text("utf-8")[:700])]
    assert len(written) > 20
    assert silent == []
