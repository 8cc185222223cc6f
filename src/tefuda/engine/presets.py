"""Presets: sets of options that are known by a name, with their source (``presets.toml`` in a game's folder)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tefuda.engine import toml
from tefuda.engine.option import Value, written
from tefuda.engine.texts import LANGUAGES

PRESET = "preset"  #: among the options of a table, the name of a preset: its options where no others are given


@dataclass(frozen=True)
class Preset:
    """A known way to play a game."""

    title: Mapping[str, str]  #: by language
    about: Mapping[str, str]  #: what it changes, and what of it no option has; by language
    source: str
    options: Mapping[str, Value]  #: those that differ from the usual ones

    def written(self) -> dict[str, str]:
        """The options as people write their values."""
        return {name: written(value) for name, value in self.options.items()}


@cache
def read(path: Path) -> dict[str, Preset]:
    """The presets of a file by name; ``TefudaError`` if it is wrong, or lacks a language."""
    table = toml.read(path)
    return {name: _preset(table.table(name).only(("title", "about", "source", "options"))) for name in table}


def _preset(found: toml.Table) -> Preset:
    title, about = ({each: found.table(key).text(each) for each in LANGUAGES} for key in ("title", "about"))
    return Preset(title, about, found.text("source"), dict(found.table("options")))
