"""Sap Ng Wu 十五湖, "fifteen points": a climbing game with four packs of Chinese dominoes for three or four players."""

from pathlib import Path

from tefuda.engine.description import Description
from tefuda.games.sap_ng_wu import hints, scoring, worlds
from tefuda.games.sap_ng_wu.names import card_lines, combination
from tefuda.games.sap_ng_wu.notation import NOTATION
from tefuda.games.sap_ng_wu.options import OPTIONS, exclusions
from tefuda.games.sap_ng_wu.plays import ACTIONS
from tefuda.games.sap_ng_wu.positions import FACTS, arrange, facts, position, start_fault
from tefuda.games.sap_ng_wu.reasons import why_not
from tefuda.games.sap_ng_wu.scene import FACES, events, scene
from tefuda.games.sap_ng_wu.sheet import sheet
from tefuda.games.sap_ng_wu.state import CARD_WORDS, FIELDS, STATE

GAME = Description(
    name="sap-ng-wu",
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
    rule_prefix="SN",
    bounds=scoring.bounds,
    decks=(Path(__file__).parent / "decks" / "dominoes.toml",),
    tours=(Path(__file__).parent / "tours" / "first.toml",),
)

__all__ = ["GAME", "hints", "worlds"]
