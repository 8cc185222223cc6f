"""Ma Diao 馬吊, "hanging the horse": a late-Ming trick game for four, in which the dealer settles with each."""

from pathlib import Path

from tefuda.engine.description import Description
from tefuda.games.ma_diao import hints, scoring, worlds
from tefuda.games.ma_diao.arranging import arrange
from tefuda.games.ma_diao.names import card_lines
from tefuda.games.ma_diao.notation import NOTATION
from tefuda.games.ma_diao.options import OPTIONS, exclusions
from tefuda.games.ma_diao.positions import FACTS, facts, position, start_fault
from tefuda.games.ma_diao.reasons import why_not
from tefuda.games.ma_diao.scene import FACES, events, scene
from tefuda.games.ma_diao.sheet import settlement, sheet
from tefuda.games.ma_diao.state import ACTIONS, CARD_WORDS, FIELDS, SEATS, STATE, UNIT

GAME = Description(
    name="ma-diao",
    rules_version=1,
    fields=FIELDS,
    record=STATE,
    seats=(SEATS,),
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
    settlement=settlement,
    texts=Path(__file__).parent / "texts",
    rule_prefix="MD",
    unit=UNIT,
    bounds=scoring.bounds,
    decks=(Path(__file__).parent / "decks" / "heroes.toml",),
    tours=(Path(__file__).parent / "tours" / "first.toml",),
)

__all__ = ["GAME", "hints", "worlds"]
