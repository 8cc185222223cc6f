"""Gong Zhu: how a score arose, line by line. The points come from the scoring rules and are put in words here."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Sentence
from tefuda.engine.texts import signed
from tefuda.games.gong_zhu import scoring
from tefuda.games.gong_zhu.notation import card_list
from tefuda.games.gong_zhu.state import (
    ALL_HEARTS,
    ANY_INDIVIDUAL,
    HEART_ACE,
    PIG,
    POINT_CARDS,
    SHEEP,
    TRANSFORMER,
)


def sheet(state: Any, seat: int) -> list[Sentence]:
    """GZ-17, in the order of GZ-18: hearts, pig, sheep, the transformer on their sum; then the team's sum (GZ-22)."""
    won = state.won[seat]
    total = int(scoring.score(state, won))
    if not won & POINT_CARDS:
        lines = [Sentence("sheet.nothing")]
    elif won & POINT_CARDS == bits.only(TRANSFORMER):
        name = "lone_transformer_doubled" if bits.has(state.exposed, TRANSFORMER) else "lone_transformer"
        lines = [_line(name, total)]
    else:
        lines = [*_hearts(state, won), *_pig(state, won), *_sheep(state, won), *_transformer(state, won, total)]
        lines.append(_line("total", total))
    if state.partnership:
        lines.append(_line("team", total + int(scoring.score(state, state.won[scoring.partner(seat)]))))
    if state.team_end == ANY_INDIVIDUAL:
        lines.append(_line("own_total", int(state.own_totals[seat]) + total))
    return lines


def _line(code: str, points: int, **fields: str) -> Sentence:
    return Sentence(f"sheet.{code}", {"points": signed(points), **fields})


def _hearts(state: Any, won: int) -> list[Sentence]:
    hearts = int(won & ALL_HEARTS)
    if not hearts:
        return []
    points = int(scoring.heart_points(state, hearts))
    lines = [_line("hearts", points, cards=card_list(hearts))]
    if scoring.has_all_hearts(state, won):
        if state.all_hearts_transformer_300 and bits.has(won, TRANSFORMER):
            exposed = scoring.doubled(state, scoring.HEARTS_WITH_TRANSFORMER_POINTS, HEART_ACE)
            return [*lines, _line("hearts_300", int(scoring.doubled(state, exposed, TRANSFORMER)))]
        lines.append(_line("all_hearts", -points))
    if bits.has(state.exposed, HEART_ACE) and points:
        lines.append(_line("hearts_doubled", int(scoring.hearts_part(state, won))))
    return lines


def _pig(state: Any, won: int) -> list[Sentence]:
    points = int(scoring.pig_part(state, won))
    if not points:
        return []
    once = points // 2 if bits.has(state.exposed, PIG) else points
    lines = [_line("pig_plus" if points > 0 else "pig", once)]
    return [*lines, _line("pig_doubled", points)] if points != once else lines


def _sheep(state: Any, won: int) -> list[Sentence]:
    points = int(scoring.sheep_part(state, won))
    if not points:
        return []
    once = points // 2 if bits.has(state.exposed, SHEEP) else points
    lines = [_line("sheep_minus" if points < 0 else "sheep", once)]
    return [*lines, _line("sheep_doubled", points)] if points != once else lines


def _transformer(state: Any, won: int, total: int) -> list[Sentence]:
    if not bits.has(won, TRANSFORMER):
        return []
    if state.all_hearts_transformer_300 and scoring.has_all_hearts(state, won):
        if not won & bits.of((PIG, SHEEP)):
            return []
        return [_line("transformer_rest", total, factor=str(scoring.doubled(state, 2, TRANSFORMER)))]
    if total == 0:
        return [Sentence("sheet.transformer_nothing")]
    return [_line("transformer", total, factor=str(scoring.doubled(state, 2, TRANSFORMER)))]
