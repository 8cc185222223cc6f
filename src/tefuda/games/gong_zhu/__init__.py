"""Gong Zhu 拱猪, "root out the pig": a no-trump trick game of the Hearts family for four or five players."""

from pathlib import Path

from tefuda.engine.description import Description
from tefuda.games.gong_zhu import hints, scoring, worlds
from tefuda.games.gong_zhu.names import card_lines
from tefuda.games.gong_zhu.notation import NOTATION
from tefuda.games.gong_zhu.options import OPTIONS, exclusions
from tefuda.games.gong_zhu.positions import FACTS, arrange, facts, position, start_fault
from tefuda.games.gong_zhu.reasons import why_not
from tefuda.games.gong_zhu.scene import FACES, events, scene
from tefuda.games.gong_zhu.sheet import sheet
from tefuda.games.gong_zhu.state import ACTIONS, CARD_WORDS, FIELDS, STATE

GAME = Description(
    name="gong-zhu",
    rules_version=1,
    fields=FIELDS,
    record=STATE,
    seats=(4, 5),
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
    card_lines=card_lines,
    texts=Path(__file__).parent / "texts",
    rule_prefix="GZ",
    bounds=scoring.bounds,
    decks=(Path(__file__).parent / "decks" / "poker.toml",),
    tours=(Path(__file__).parent / "tours" / "first.toml",),
    search={"hints": 80, "widening": 0.0},
)

__all__ = ["GAME", "hints", "worlds"]
