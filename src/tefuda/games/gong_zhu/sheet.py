"""Gong Zhu: how a score arose, line by line. The points come from the scoring rules and are put in words here."""

from collections.abc import Callable
from typing import Any

from tefuda.engine import bits
from tefuda.engine.kit.french import card_list
from tefuda.engine.kit.words import sheet_line
from tefuda.engine.sentence import Sentence
from tefuda.games.gong_zhu import scoring
from tefuda.games.gong_zhu.cards import ALL_HEARTS, HEART_ACE, PIG, POINT_CARDS, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.options import TeamEnd
from tefuda.games.gong_zhu.state import State


def outcome(state: State) -> Sentence:
    """Who took all the hearts (GZ-19), else who took the pig and the sheep (GZ-16)."""
    holders = {seat: state.won[seat] for seat in range(state.seats)}
    for seat, won in holders.items():
        if scoring.has_all_hearts(state, won):
            return Sentence("outcome.all_hearts", {"seat": f"#{seat}"})
    pig, sheep = (next((seat for seat, won in holders.items() if bits.has(won, card)), None) for card in (PIG, SHEEP))
    if pig is not None and sheep is not None:
        return Sentence("outcome.both" if pig == sheep else "outcome.apart", {"seat": f"#{pig}", "other": f"#{sheep}"})
    if pig is None and sheep is None:  # a position in which neither is in play
        return Sentence("outcome.neither")
    return (
        Sentence("outcome.sheep", {"seat": f"#{sheep}"})
        if pig is None
        else Sentence("outcome.pig", {"seat": f"#{pig}"})
    )


def sheet(state: State, seat: int) -> list[Sentence]:
    """GZ-17, in the order of GZ-18: hearts, pig, sheep, the transformer on their sum; then the team's sum (GZ-22)."""
    won = state.won[seat]
    total = int(scoring.score(state, won))
    if not won & POINT_CARDS:
        lines = [Sentence("sheet.nothing")]
    elif won & POINT_CARDS == bits.only(TRANSFORMER):
        name = "lone_transformer_doubled" if bits.has(state.exposed, TRANSFORMER) else "lone_transformer"
        lines = [sheet_line(name, total)]
    else:
        lines = [*_hearts(state, won), *_pig_and_sheep(state, won), *_transformer(state, won, total)]
        lines.append(sheet_line("total", total))
    if state.partnership:
        lines.append(sheet_line("team", total + scoring.score(state, state.won[scoring.partner(seat)])))
    if state.team_end == TeamEnd.ANY_INDIVIDUAL:
        lines.append(sheet_line("own_total", state.own_totals[seat] + total))
    return lines


def _hearts(state: State, won: int) -> list[Sentence]:
    hearts = int(won & ALL_HEARTS)
    if not hearts:
        return []
    points = int(scoring.heart_points(state, hearts))
    lines = [sheet_line("hearts", points, cards=card_list(hearts))]
    if scoring.has_all_hearts(state, won):
        if state.all_hearts_transformer_300 and bits.has(won, TRANSFORMER):
            exposed = scoring.doubled(state, scoring.HEARTS_WITH_TRANSFORMER_POINTS, HEART_ACE)
            return [*lines, sheet_line("hearts_300", scoring.doubled(state, exposed, TRANSFORMER))]
        lines.append(sheet_line("all_hearts", -points))
    if bits.has(state.exposed, HEART_ACE) and points:
        lines.append(sheet_line("hearts_doubled", scoring.hearts_part(state, won)))
    return lines


def _pig_and_sheep(state: State, won: int) -> list[Sentence]:
    """Each with its usual sign or the other (GZ-20), then doubled if it is exposed (GZ-6)."""
    lines = []
    parts: tuple[tuple[int, Callable[[Any, int], int], str, str], ...] = (
        (PIG, scoring.pig_part, "pig", "pig_plus"),
        (SHEEP, scoring.sheep_part, "sheep_minus", "sheep"),
    )
    for card, part, minus, plus in parts:
        points, exposed = int(part(state, won)), bits.has(state.exposed, card)
        if points:
            lines.append(sheet_line(plus if points > 0 else minus, points // 2 if exposed else points))
        if points and exposed:
            lines.append(sheet_line("pig_doubled" if card == PIG else "sheep_doubled", points))
    return lines


def _transformer(state: State, won: int, total: int) -> list[Sentence]:
    if not bits.has(won, TRANSFORMER):
        return []
    factor = str(scoring.doubled(state, 2, TRANSFORMER))
    if state.all_hearts_transformer_300 and scoring.has_all_hearts(state, won):
        return [sheet_line("transformer_rest", total, factor=factor)] if won & bits.of((PIG, SHEEP)) else []
    return [sheet_line("transformer", total, factor=factor)] if total else [Sentence("sheet.transformer_nothing")]
