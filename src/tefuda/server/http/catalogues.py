"""Catalogues that are shown beside tables: the laboratory's runs with their reports, and the tours of the games.

A run is a folder with ``run.json`` (the question) and, once it has been reported, ``report.json`` (the answer) and
``report.html``. They are read again each time, since the laboratory may work while the server runs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.table.tour import Tour, load

PAGE = "report.html"


@dataclass(frozen=True)
class LabReport:
    """A run, and its report if there is one."""

    name: str  # of its folder
    game: str
    question: str
    answer: tuple[str, ...]  # sentences; none if it has not been reported
    deals: int  # on which the answer rests
    page: Path | None  # of the report; None if it has not been reported
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the answer in other languages, by language


def lab_reports(folder: Path | None) -> dict[str, LabReport]:
    """The runs of the laboratory's folder, which need not exist yet, by the names of their folders, in alphabetical
    order; what cannot be read is left out."""
    heads = sorted(folder.glob("*/run.json")) if folder else []
    found = (_report(head.parent) for head in heads)
    return {each.name: each for each in found if each is not None}


def _report(folder: Path) -> LabReport | None:
    asked, said = _read_json(folder / "run.json"), _read_json(folder / "report.json")
    if not isinstance(asked.get("game"), str) or not isinstance(asked.get("question"), str):
        return None
    page = folder / PAGE
    answer, deals = said.get("answer", []), said.get("deals", 0)
    return LabReport(
        name=folder.name,
        game=asked["game"],
        question=asked["question"],
        answer=tuple(map(str, answer)) if isinstance(answer, list) else (),
        deals=deals if isinstance(deals, int) else 0,
        page=page if page.is_file() else None,
        words=_words(said.get("words")),
    )


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
        self._further = [] if folder is None else _tours_in(folder)
        self._known: dict[str, dict[str, Tour]] = {}

    def of(self, game: Description) -> dict[str, Tour]:
        """A game's tours by name, the one to begin with first. ``TourError`` if one of them is faulty."""
        if game.name not in self._known:
            own = [load(path) for path in game.files.tours]
            further = [tour for tour in self._further if tour.game.name == game.name]
            self._known[game.name] = {tour.name: tour for tour in [*own, *further]}
        return self._known[game.name]


def _tours_in(folder: Path) -> list[Tour]:
    if not folder.is_dir():
        raise TefudaError(f"--tours: {folder} is not a folder")
    found = [load(path) for path in sorted(folder.glob("*.toml"))]
    if not found:
        raise TefudaError(f"--tours: {folder}: no .toml files in this folder")
    return found
