"""Scripts and styles: types are the server's, texts stand in the catalogues; all is small."""

import gzip
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import httpx
import pytest

from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.http.assets import WEB, scripts_of
from tests.server.server_process import Served
from tests.web import message_types

SCRIPTS = sorted((WEB / "static/js").rglob("*.js"))
STYLES = sorted((WEB / "static/css").rglob("*.css"))
MOST_LINES, MOST_COLUMNS = 400, 110
MOST_BYTES = 95_000  # of a table's scripts and styles, compressed: tests/web/test_felt.py has what all of it may be
TABLE = scripts_of("js/table/play.js")


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


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_line_fits_beside_another(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert [line for line in lines if len(line) > MOST_COLUMNS] == [], "prettier --write, and comments by hand"


def asked_for(site: Served) -> list[str]:
    """The scripts and styles that a table's page asks for by itself, as paths of files; each once."""
    with httpx.Client(base_url=site.url, timeout=120, follow_redirects=True) as player:
        page = player.post("/games/gong-zhu", data={"with": "bots"}).text
    found = re.findall(r"/static/\w+/((?:js|css)/[\w/-]+\.(?:js|css))", page)
    assert "js/table/play.js" in found
    return list(dict.fromkeys(found))


def weight(paths: Iterable[str]) -> int:
    """Bytes of files, each compressed."""
    return sum(len(gzip.compress((WEB / "static" / path).read_bytes())) for path in paths)


def test_a_table_loads_little(site: Served) -> None:
    """What draws it, and what comes soon after, which is the least part."""
    asked = set(asked_for(site))
    assert weight(asked) < MOST_BYTES
    assert weight(TABLE.soon) < 15_000


def test_a_table_asks_for_each_script_once_and_at_the_right_time(site: Served) -> None:
    """At once what draws it, first what asks for its state; soon after what it can wait for; the rest when wanted."""
    asked = [path for path in asked_for(site) if path.endswith(".js")]
    assert sorted(asked) == sorted([*TABLE.now, *TABLE.soon, "js/preferences.js"])
    assert TABLE.now[:2] == ("js/table/play.js", "js/connection.js")
    assert {"js/table/tip.js", "js/receipts.js", "js/shuffle.js"} <= set(TABLE.soon)
    assert not {"js/copy.js", "js/table/sound.js", "js/table/settings_dialog.js"} & set(asked)


@pytest.mark.parametrize("entry", ["js/table/play.js", "js/tour/main.js"])
def test_what_scripts_import_is_asked_for_with_them(entry: str) -> None:
    """A browser that meets an import only when it reads a script waits for it once more."""
    now, soon = scripts_of(entry)
    for asked in ({*now}, {*now, *soon}):
        for name in asked:
            path = WEB / "static" / name
            found = re.findall(r"^import [^;]*?from \"([^\"]+)\"", path.read_text("utf-8"), flags=re.MULTILINE)
            imported = {(path.parent / each).resolve().relative_to(WEB / "static").as_posix() for each in found}
            assert (name, imported - asked) == (name, set())
