"""Kakkuri カックリ: a Japanese shedding game, the last of the old "reading" games, for two to eight players."""

from pathlib import Path

from tefuda.engine.description import Description
from tefuda.games.kakkuri import hints, scoring, worlds
from tefuda.games.kakkuri.names import card_lines, combination
from tefuda.games.kakkuri.notation import NOTATION
from tefuda.games.kakkuri.options import OPTIONS, exclusions
from tefuda.games.kakkuri.plays import ACTIONS
from tefuda.games.kakkuri.positions import FACTS, arrange, facts, position, start_fault
from tefuda.games.kakkuri.reasons import why_not
from tefuda.games.kakkuri.scene import FACES, events, scene
from tefuda.games.kakkuri.sheet import sheet
from tefuda.games.kakkuri.state import CARD_WORDS, FIELDS, STATE

GAME = Description(
    name="kakkuri",
    rules_version=1,
    fields=FIELDS,
    record=STATE,
    seats=(5, 2, 3, 4, 6, 7, 8),
    actions=ACTIONS,
    cards=CARD_WORDS,
    options=OPTIONS,
    notation=NOTATION,
    pack=scoring.pack,
    exclusions=exclusions,
    why_not=why_not,
    start_fault=start_fault,
    arrange=arrange,
    position=position,
    facts=facts,
    fact_names=FACTS,
    sheet=sheet,
    scene=scene,
    events=events,
    faces=FACES,
    combination=combination,
    card_lines=card_lines,
    texts=Path(__file__).parent / "texts",
    rule_prefix="KK",
    bounds=scoring.bounds,
    decks=tuple(Path(__file__).parent / "decks" / f"{name}.toml" for name in ("komatsu", "western")),
    tours=(Path(__file__).parent / "tours" / "first.toml",),
    search={"depth": 1, "trust": 3},
)

__all__ = ["GAME", "hints", "worlds"]
