"""The files that pages load: styles and scripts in ``tefuda/web/static``, and which scripts a page needs when.

There is no build step: a file is served as it is written, under a path that names a hash of all of them, so that
browsers may keep it for ever. A browser that followed imports would wait for one after the other, so pages name all
scripts. What a script imports at its head, or by ``import(/* now */ "…")``, is needed to draw the page; by
``import(/* soon */ "…")`` as soon as it is drawn; by any other ``import("…")`` when a reader asks for it."""

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import Scope

import tefuda

WEB = Path(tefuda.__file__).parent / "web"

FOR_EVER = "public, max-age=31536000, immutable"  # the cache control of what lies under a name with a hash


class StaticAssets(StaticFiles):
    """Files under ``/static/HASH/…``; under another hash (of a page from before an update) browsers must ask again."""

    def __init__(self) -> None:
        super().__init__(directory=WEB / "static")
        self.hash = _hash_of_all(WEB / "static")

    def path(self, name: str) -> str:
        """The address of a file."""
        return f"/static/{self.hash}/{name}"

    async def get_response(self, path: str, scope: Scope) -> Response:
        found, _, name = path.partition("/")
        response = await super().get_response(name, scope)
        response.headers["cache-control"] = FOR_EVER if found == self.hash else "no-cache"
        return response


def _hash_of_all(folder: Path) -> str:
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


# Scripts

_STATIC = WEB / "static"
_AT_HEAD = re.compile(r'^(?:import|export)\b(?:[^;"]*\bfrom)? "(\.[^"]+)";', re.MULTILINE)
_MARKED = re.compile(r'\bimport\(/\* (now|soon) \*/ "(\.[^"]+)"\)')


class Scripts(NamedTuple):
    """The scripts of a page, as paths of files: those that draw it, each after the one that imports it, and those
    that it asks for as soon as it is drawn."""

    now: tuple[str, ...]
    soon: tuple[str, ...]


@cache
def scripts_of(entry: str) -> Scripts:
    """The scripts of a page that begins with this one, such as ``js/table/play.js``."""
    now = _closure([entry])
    for name in now:  # grows meanwhile
        now += [each for each in _closure(_imports(name, "now")) if each not in now]
    soon = _closure(each for name in now for each in _imports(name, "soon"))
    return Scripts(tuple(now), tuple(each for each in soon if each not in now))


def _closure(names: Iterable[str]) -> list[str]:
    """These scripts, and what they and those import at their heads."""
    found = list(dict.fromkeys(names))
    for name in found:  # grows meanwhile
        found += [each for each in _imports(name, "head") if each not in found]
    return found


@cache
def _imports(name: str, when: str) -> list[str]:
    """The scripts that one imports at its ``head``, or marked ``now`` or ``soon``."""
    path = _STATIC / name
    text = path.read_text("utf-8")
    found = _AT_HEAD.findall(text) if when == "head" else [each for mark, each in _MARKED.findall(text) if mark == when]
    return [(path.parent / each).resolve().relative_to(_STATIC.resolve()).as_posix() for each in found]
