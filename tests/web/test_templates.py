"""Templates: every text stands in the catalogues, and nothing that a strict policy forbids stands in a page."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.http.assets import WEB

TEMPLATES = sorted((WEB / "templates").rglob("*.html"))

NOT_TEXT = {"Tefuda", "Tefuda 手札", "手札", "文A", "/api/v1/openapi.json"}
"""The name, the sign of the language menu, an address."""

READ = {"alt", "aria-label", "placeholder", "title"}
"""Attributes that people read or hear."""


class Texts(HTMLParser):
    """What a page says in words: text between tags, and attributes that are read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._quoted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._quoted += tag in ("code", "pre", "script")
        self.found += [value or "" for name, value in attrs if name in READ]

    def handle_endtag(self, tag: str) -> None:
        self._quoted -= tag in ("code", "pre", "script")

    def handle_data(self, data: str) -> None:
        if not self._quoted:
            self.found.append(data)


def spoken(path: Path) -> list[str]:
    """The words of a template that are not put in from elsewhere."""
    within_tags = r"\{% block (main_id|main_attributes|html_attributes) %\}.*?\{% endblock %\}"
    text = re.sub(within_tags, "", path.read_text("utf-8"))
    plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", text, flags=re.DOTALL)
    parser = Texts()
    parser.feed(plain)
    return [text for text in re.split(r"[·\n]", "\n".join(parser.found)) if re.search(r"\w", text)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_says_nothing_that_is_not_in_the_catalogues(path: Path) -> None:
    assert {text.strip() for text in spoken(path)} <= NOT_TEXT


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_a_template_asks_for_is_there(path: Path, language: str) -> None:
    texts = catalogue(TEXTS, language)
    for key in re.findall(r"say\(['\"]([\w.]+)['\"][,)]", path.read_text("utf-8")):
        assert f"page.{key}" in texts
    for start in re.findall(r"say\(['\"]([\w.]+)\.['\"] ~", path.read_text("utf-8")):
        assert texts.under(f"page.{start}")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_nothing_in_a_template_needs_a_lax_policy(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|\|safe", text)
    for attributes in re.findall(r"<script([^>]*)>", text):
        assert "src=" in attributes or 'type="application/json"' in attributes
