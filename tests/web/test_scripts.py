"""Scripts, styles and fonts: types are the server's, texts stand in the catalogues, fonts have what pages tell; all is
small."""

import gzip
import html
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import httpx
import pytest
from fontTools.ttLib import TTFont
from tools.page_fonts import at_tables, east_asian

from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.games import description, names
from tefuda.server.web.assets import WEB
from tefuda.server.web.pages.examples import linked_rules
from tefuda.server.web.pages.table import FIRST, ON_REQUEST, OWN_SCRIPTS, SOON
from tests.decks.pictures import needed
from tests.server.server_process import Served
from tests.web import message_types

SCRIPTS = sorted((WEB / "static/js").rglob("*.js"))
STYLES = sorted((WEB / "static/css").rglob("*.css"))
MOST_LINES = 400
MOST_BYTES = 300 * 1024

EAST_ASIAN = ("cjk-", "read-")
"""How the names begin of the fonts of tables, and of what only texts to read have beyond them."""


def code(path: Path) -> str:
    """A script without its comments."""
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)


def test_message_types_are_the_servers() -> None:
    assert message_types.PATH.read_text("utf-8") == message_types.written(), "python -m tests.web.message_types"


def test_types_agree() -> None:
    tsc = shutil.which("tsc")
    if tsc is None:
        pytest.skip("left out; to check the scripts' types: npm install --global typescript")
    done = subprocess.run([tsc, "-p", "jsconfig.json"], cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.stdout == ""


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_text_that_a_script_asks_for_is_there(path: Path) -> None:
    for language in LANGUAGES:
        texts = catalogue(TEXTS, language)
        for key in re.findall(r"\bsay\(\s*\"([\w.]+)\"", code(path)):
            assert f"page.{key}" in texts


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_nothing_that_is_not_in_the_catalogues(path: Path) -> None:
    """A sentence has words with a blank between them; lists of classes and selectors are in small letters."""
    text = re.sub(r"(?:new Error|class:|querySelector(?:All)?)\(?\s*[`\"][^`\"]*[`\"]", "", code(path))
    literals = re.findall(r"\"([^\"\n]*)\"", text)
    said = [each for each in literals if re.search(r"[A-Z]\w+ \w+|\w[.!?]$", each)]
    assert [each for each in said if not each.startswith(("http", "."))] == []


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES], ids=lambda path: path.name)
def test_a_file_stays_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


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


def characters(font: str) -> set[str]:
    """All that a font of the pages has."""
    return set(map(chr, TTFont(WEB / f"static/fonts/{font}.woff2").getBestCmap()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_table_may_say_has_no_character_outside_its_font(language: str) -> None:
    """Hints and reviews too, which come only when somebody asks; else as below."""
    needed("brotli")
    assert sorted(set(east_asian(at_tables(language))) - characters(f"cjk-{language}")) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_page_tells_has_no_character_outside_its_fonts(site: Served, language: str) -> None:
    """Rules, problems, tours, examples, where games come from; otherwise:
    uv run --extra cjk --group page-fonts python -m tools.page_fonts."""
    needed("brotli")
    table, reading = characters(f"cjk-{language}"), characters(f"cjk-{language}") | characters(f"read-{language}")
    with httpx.Client(base_url=site.url, headers={"accept-language": language}, timeout=120) as reader:
        for game in names():
            tours = [f"tour/{path.stem}" for path in description(game).files.tours]
            example = next(iter(linked_rules(description(game)).values()))
            for path in ("rules", "about", "problems", *tours, example.removeprefix(f"/games/{game}/")):
                page = reader.get(f"/games/{game}/{path}").text
                told = set(html.unescape(re.sub("(?s)<head>.*</head>|<header.*</header>|<[^>]*>", "", page)))
                assert (path, sorted(each for each in told - reading if ord(each) > 0x2E7F)) == (path, [])
            for path in ("/", f"/games/{game}/day"):
                page = reader.get(path).text
                told = set(html.unescape(re.sub("(?s)<head>.*</head>|<details.*?</details>|<[^>]*>", "", page)))
                assert (path, sorted(each for each in told - table if ord(each) > 0x2E7F)) == (path, [])
            why = "".join(catalogue(description(game).files.texts, language).under("why").values())
            assert sorted(each for each in set(why) - table if ord(each) > 0x2E7F) == []


def asked_for(site: Served) -> list[str]:
    """The scripts and styles that a table's page asks for by itself, as paths of files; each once."""
    with httpx.Client(base_url=site.url, timeout=120, follow_redirects=True) as player:
        page = player.post("/games/gong-zhu", data={"with": "bots"}).text
    found = re.findall(r"/static/\w+/((?:js|css)/[\w/-]+\.(?:js|css))", page)
    assert "js/table/play.js" in found
    return list(dict.fromkeys(found))


def test_every_page_asks_for_the_latin_fonts_at_once() -> None:
    """A browser waits a moment for an optional font that is preloaded; one it finds in a style sheet comes too late."""
    fonts = {path.name for path in (WEB / "static/fonts").glob("*.woff2") if not path.stem.startswith(EAST_ASIAN)}
    head = (WEB / "templates/base.html").read_text("utf-8").partition("<body")[0]
    assert set(re.findall(r'rel="preload" href="{{ static\(\'fonts/([^\']+)', head)) == fonts


def weight(paths: Iterable[str]) -> int:
    """Bytes of files, each compressed."""
    return sum(len(gzip.compress((WEB / "static" / path).read_bytes())) for path in paths)


def test_a_table_loads_little(site: Served) -> None:
    """What draws it, and what comes soon after; its cards come on top, at most as much as the largest sprite."""
    asked = set(asked_for(site))
    assert weight(asked - set(SOON)) < MOST_BYTES / 4
    assert weight(SOON) < 15_000


def test_a_table_asks_for_each_script_once_and_at_the_right_time(site: Served) -> None:
    """At once what draws it, soon after what it can wait for, and the rest when somebody wants it."""
    now, soon = {*FIRST, *OWN_SCRIPTS}, set(SOON)
    assert now & soon == now & ON_REQUEST == soon & ON_REQUEST == set()
    assert {path for path in asked_for(site) if path.endswith(".js")} == {*now, *soon, "js/preferences.js"}
    files = {path.relative_to(WEB / "static").as_posix() for path in SCRIPTS}
    assert files >= now | soon | ON_REQUEST


def test_what_scripts_of_a_table_import_is_asked_for_with_them() -> None:
    """A browser that meets an import only when it reads a script waits for it once more."""
    now = {*FIRST, *OWN_SCRIPTS}
    for name in now:
        path = WEB / "static" / name
        found = re.findall(r"^import [^;]*?from \"([^\"]+)\"", path.read_text("utf-8"), flags=re.MULTILINE)
        imported = {(path.parent / each).resolve().relative_to(WEB / "static").as_posix() for each in found}
        assert (name, imported - now) == (name, set())
