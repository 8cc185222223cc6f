"""Luk Fu 六虎, "six tigers": a Hakka trick-taking game for three players with multi-card leads and old cards."""

from pathlib import Path

from tefuda.engine.description import Description
from tefuda.games.luk_fu import beliefs, hints, scoring, worlds
from tefuda.games.luk_fu.names import card_lines, combination
from tefuda.games.luk_fu.notation import NOTATION
from tefuda.games.luk_fu.options import OPTIONS, exclusions
from tefuda.games.luk_fu.positions import FACTS, arrange, facts, position, start_fault
from tefuda.games.luk_fu.reasons import why_not
from tefuda.games.luk_fu.scene import FACES, events, scene
from tefuda.games.luk_fu.sheet import sheet
from tefuda.games.luk_fu.state import ACTIONS, CARD_WORDS, FIELDS, STATE

GAME = Description(
    name="luk-fu",
    rules_version=1,
    fields=FIELDS,
    record=STATE,
    seats=(3, 4),
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
    rule_prefix="LF",
    bounds=scoring.bounds,
    decks=(Path(__file__).parent / "decks" / "six-tigers.toml",),
    tours=(Path(__file__).parent / "tours" / "first.toml",),
    search={"trust": 2},
)

__all__ = ["GAME", "beliefs", "hints", "worlds"]
