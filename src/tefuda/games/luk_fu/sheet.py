"""Luk Fu: how a payment arose, line by line. The chips come from the scoring rules and are put in words here."""

from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.description import Sentence
from tefuda.games.luk_fu import scoring
from tefuda.games.luk_fu.notation import card_list
from tefuda.games.luk_fu.rules import ACTIVE, NOBODY
from tefuda.games.luk_fu.state import FIVE_TIGERS, HAND


def sheet(state: Any, seat: int) -> list[Sentence]:
    """LF-46 to LF-52: what the deal brings this seat, and why."""
    winner = int(scoring.winner_of(state))
    chips = np.zeros(int(state.seats), np.int64)
    verbs.payoff(state, chips)
    if winner == NOBODY:
        return [Sentence("sheet.thrown_in" if state.declarer == NOBODY else "sheet.draw")]
    if seat == winner:
        lines = _winners(state, winner)
    elif seat == state.sitter:
        return _sitters(state, winner, int(chips[seat]))
    else:
        lines = _losers(state, seat, winner)
    return [*lines, _line("total", int(chips[seat]))]


def _line(code: str, chips: int, **fields: str) -> Sentence:
    return Sentence(f"sheet.{code}", {"points": signed(chips), **fields})


def signed(points: int) -> str:
    """With its sign, and a real minus."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def _winners(state: Any, winner: int) -> list[Sentence]:
    """LF-46, LF-48, LF-49, LF-51."""
    tricks = int(state.tricks[winner])
    base, factor = tricks - scoring.PAR, int(scoring.multiplier(state, tricks))
    red = int(scoring.red_cards(state, winner))
    lines = [Sentence("sheet.won", {"tricks": str(tricks), "chips": str(base)})]
    if state.number < HAND and state.played[winner][state.number] == FIVE_TIGERS:
        lines.insert(0, Sentence("sheet.tigers"))
    if factor > 1:
        lines.append(Sentence("sheet.multiplied", {"factor": str(factor), "chips": str(base * factor)}))
    if red:
        lines.append(Sentence("sheet.red", {"cards": card_list(red), "count": str(bits.size(red))}))
    one = scoring.passed_improperly(state, winner)
    price = str(int(scoring.price(state, winner)))
    lines.append(Sentence("sheet.one_share" if one else "sheet.shares", {"chips": price}))
    return lines


def _losers(state: Any, seat: int, winner: int) -> list[Sentence]:
    """LF-47, LF-50."""
    if winner != state.declarer and seat != state.declarer:
        return [Sentence("sheet.free", {"seat": f"#{state.declarer}"})]
    x, y = int(scoring.price(state, winner)), int(scoring.sitter_price(state, winner))
    if winner == state.declarer:
        lines = [_line("pays", -x, seat=f"#{winner}")]
    elif scoring.passed_improperly(state, winner):
        lines = [_line("pays_one", -x, seat=f"#{winner}")]
    else:
        lines = [_line("pays_both", -(ACTIVE - 1) * x, seat=f"#{winner}")]
    if y:
        total = y if winner == state.declarer else (ACTIVE - 1) * y
        lines.append(_line("pays_sitter", -total, seat=f"#{state.sitter}"))
    return lines


def _sitters(state: Any, winner: int, chips: int) -> list[Sentence]:
    """LF-50."""
    card = card_list(scoring.sitters(state))
    if not state.sitter_bonus:
        return [Sentence("sheet.sat_out")]
    if not chips:
        return [Sentence("sheet.no_match", {"card": card, "seat": f"#{winner}"})]
    cards = card_list(scoring.matching_cards(state, winner))
    return [_line("match", chips, card=card, cards=cards, seat=f"#{winner}")]
