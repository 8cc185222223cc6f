"""Catalogues that are shown beside tables: the laboratory's runs with their reports, and the tours of the games.

A run is a folder with ``run.json`` (the question) and, once it has been reported, ``report.json`` (the answer) and
``report.html``. They are read again each time, since the laboratory may work while the server runs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.table.tour import Tour, load

PAGE = "report.html"


def lab_reports(folder: Path | None, language: str) -> dict[str, dict[str, Any]]:
    """The runs of the laboratory's folder, which need not exist yet, by the names of their folders, in alphabetical
    order; what cannot be read is left out.

    Of each its game, question, answer (sentences in ``language``, the reader's, where there are some; none if it has
    not been reported), the deals on which that rests, and the file and address of the report, None without one."""
    heads = sorted(folder.glob("*/run.json")) if folder else []
    found = {head.parent.name: _report(head.parent, language) for head in heads}
    return {name: report for name, report in found.items() if report is not None}


def _report(folder: Path, language: str) -> dict[str, Any] | None:
    asked, said = _read_json(folder / "run.json"), _read_json(folder / "report.json")
    if not isinstance(asked.get("game"), str) or not isinstance(asked.get("question"), str):
        return None
    page, words = folder / PAGE, _words(said.get("words"))
    answer, deals = said.get("answer"), said.get("deals")
    is_told = language in words  # its own first language may be another
    part = f"#in-{language}" if is_told else ""
    return {
        "game": asked["game"],
        "question": asked["question"],
        "answer": words.get(language) or (tuple(map(str, answer)) if isinstance(answer, list) else ()),
        "language": language if is_told else "en",
        "deals": f"{deals:,}" if isinstance(deals, int) and deals else "",
        "page": page if page.is_file() else None,
        "address": f"/lab/{quote(folder.name, safe='')}{part}" if page.is_file() else None,
    }


def _words(said: object) -> dict[str, tuple[str, ...]]:
    """The answer in each language: the first part of a report in words."""
    found = {}
    for language, parts in said.items() if isinstance(said, Mapping) else ():
        first = parts[0] if isinstance(parts, list) and parts else None
        sentences = first.get("sentences") if isinstance(first, Mapping) else None
        if isinstance(sentences, list):
            found[str(language)] = tuple(map(str, sentences))
    return found


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


# Tours


class TourCatalogue:
    """The tours by game; a game's are read when a reader first asks for them, those of a folder of further tours at
    once. ``TefudaError`` if the folder does not exist or has no tours, or one of them is faulty."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise TefudaError(f"--tours: {folder} is not a folder")
        self._further = [load(path) for path in sorted(folder.glob("*.toml"))] if folder else []
        if folder and not self._further:
            raise TefudaError(f"--tours: {folder}: no .toml files in this folder")
        self._known: dict[str, dict[str, Tour]] = {}

    def of(self, game: Description) -> dict[str, Tour]:
        """A game's tours by name, the one to begin with first. ``TourError`` if one of them is faulty."""
        if game.name not in self._known:
            own = [load(path) for path in game.files.tours]
            further = [tour for tour in self._further if tour.game.name == game.name]
            self._known[game.name] = {tour.name: tour for tour in [*own, *further]}
        return self._known[game.name]
