"""The fonts of the pages: light, there in time, with every character that a page tells in the fonts that it names."""

import json
import re
import tomllib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
from fontTools.ttLib import TTFont
from tools.page_fonts import KANA, PACKAGE, at_tables, east_asian, leaves

from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.games import description, names
from tefuda.server.http.application import create_app
from tefuda.server.http.assets import WEB
from tefuda.server.pages.tours import linked_rules
from tefuda.server.settings import ServerSettings
from tefuda.server.store import open_store
from tests.decks.pictures import needed
from tests.server.server_process import Served
from tests.web.people import Reader

EAST_ASIAN = ("cjk-", "read-")
"""How the names begin of the fonts of tables, and of what only texts to read have beyond them."""


def test_the_fonts_of_a_language_are_light() -> None:
    fonts = {path.stem: path.stat().st_size for path in (WEB / "static/fonts").glob("*.woff2")}
    latin = sum(size for name, size in fonts.items() if not name.startswith(EAST_ASIAN))
    assert {name for name in fonts if name.startswith(EAST_ASIAN)} == {
        f"{use}{language}" for use in EAST_ASIAN for language in LANGUAGES
    }
    assert all(latin + fonts[f"cjk-{language}"] < 150_000 for language in LANGUAGES)
    assert all(fonts[f"read-{language}"] < 75_000 for language in LANGUAGES)
    styles = "".join((WEB / f"static/css/{name}.css").read_text("utf-8") for name in ("base", "reading"))
    assert sorted(re.findall(r"fonts/([\w-]+)\.woff2", styles)) == sorted(fonts)


@cache
def characters(font: str) -> set[str]:
    """All that a font of the pages has."""
    return set(map(chr, TTFont(WEB / f"static/fonts/{font}.woff2").getBestCmap()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_table_may_say_has_no_character_outside_its_font(language: str) -> None:
    """Hints and reviews too, which come only when somebody asks; else as below."""
    needed("brotli")
    assert sorted(set(east_asian(at_tables(language))) - characters(f"cjk-{language}")) == []


class Told(HTMLParser):
    """What a page says below its first line.

    Args:
        page: its HTML.
        language: in which it is asked for; what is of no language that has fonts is drawn with those of this one.

    Attributes:
        told: characters of East Asia, by the language whose fonts draw them.
    """

    EMPTY, SKIPPED = {"br", "hr", "img", "input", "link", "meta", "source"}, {"head", "header", "script"}

    def __init__(self, page: str, language: str) -> None:
        super().__init__()
        self._open, self.told = [("", language)], {each: set[str]() for each in LANGUAGES}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.EMPTY:
            language = dict(attrs).get("lang")
            self._open.append((tag, language if language in LANGUAGES else self._open[-1][1]))

    def handle_endtag(self, tag: str) -> None:
        while self._open.pop()[0] != tag:
            pass  # HTML lets some end without saying so

    def handle_data(self, data: str) -> None:
        if not self.SKIPPED & {tag for tag, _ in self._open}:
            self.told[self._open[-1][1]].update(east_asian([data]))


def strange(page: str, language: str) -> dict[str, set[str]]:
    """The characters that are in no font that a page names, by the language in which they are drawn."""
    uses = [use for use in EAST_ASIAN if use == "cjk-" or "css/reading.css" in page]
    told = Told(page, language).told
    missing = {each: told[each] - set().union(*(characters(f"{use}{each}") for use in uses)) for each in told}
    return {each: found for each, found in missing.items() if found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_page_tells_has_no_character_outside_its_fonts(site: Served, language: str) -> None:
    """Rules, problems, tours, examples, where games come from; otherwise:
    uv run --group page-fonts python -m tools.page_fonts NotoSansCJK-VF.otf.ttc."""
    needed("brotli")
    paths = ["/", "/me", "/me/device", "/lab", "/offline", "/nowhere"]
    for game in names():
        tours = [f"/tour/{path.stem}" for path in description(game).files.tours]
        more = ("", "/rules", "/about", "/problems", "/problems/today", "/day", "/preparing", *tours)
        paths += [*(f"/games/{game}{each}" for each in more), next(iter(linked_rules(description(game)).values()))]
    with httpx.Client(base_url=site.url, headers={"accept-language": language}, timeout=300) as reader:
        for path in paths:
            page = reader.get(path, follow_redirects=True).text
            assert (path, strange(page, language)) == (path, {})
    for game in names():
        why = "".join(catalogue(description(game).files.texts, language).under("why").values())
        assert set(east_asian([why])) <= characters(f"cjk-{language}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_neither_has_an_answer_of_the_laboratory(language: str, tmp_path: Path) -> None:
    """Not even one of all that a report may say."""
    needed("brotli")
    (run := tmp_path / "lab/run").mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"game": "luk-fu", "question": "Does it matter?"}), "utf-8")
    sentences = list(leaves(tomllib.loads((PACKAGE / f"lab/report/texts/{language}.toml").read_text("utf-8"))))
    told = {"answer": [], "words": {language: [{"sentences": sentences}]}}
    (run / "report.json").write_text(json.dumps(told), "utf-8")
    settings = ServerSettings(lab=tmp_path / "lab")
    reader = Reader(create_app(open_store(f"sqlite:///{tmp_path / 'tables.db'}"), settings))
    page = reader.get(f"/lab?lang={language}").text
    assert f'lang="{language}">' in page.partition("<main")[2]
    assert strange(page, language) == {}


def test_a_name_in_kana_or_characters_of_another_language_is_drawn_on_every_page() -> None:
    """Also where the system has no such font: after its own fonts, each language goes on to those of the others."""
    needed("brotli")
    style = (WEB / "static/css/base.css").read_text("utf-8")
    stacks = re.findall(r"--(?:sans|serif): (.*);", style)
    assert len(stacks) == 2 * len(LANGUAGES)
    assert all(re.search(r", var\(--others\), (sans-)?serif$", stack) for stack in stacks)
    others = style.partition("--others:")[2].partition(";")[0]
    assert set(re.findall(r"Tefuda CJK ([\w-]+)", others)) == {*LANGUAGES} - {"en"}
    assert set(KANA) <= characters("cjk-ja")


def test_every_page_asks_for_the_latin_fonts_at_once() -> None:
    """A browser waits a moment for an optional font that is preloaded; one it finds in a style sheet comes too late."""
    fonts = {path.name for path in (WEB / "static/fonts").glob("*.woff2") if not path.stem.startswith(EAST_ASIAN)}
    head = (WEB / "templates/base.html").read_text("utf-8").partition("<body")[0]
    assert set(re.findall(r'rel="preload" href="{{ static\(\'fonts/([^\']+)', head)) == fonts
