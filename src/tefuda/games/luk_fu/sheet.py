"""Luk Fu: how a payment arose, line by line. The chips come from the scoring rules and are put in words here."""

from tefuda.engine import bits
from tefuda.engine.kit.session import NOBODY, received_by
from tefuda.engine.kit.words import sheet_line
from tefuda.engine.sentence import Sentence
from tefuda.games.luk_fu import scoring
from tefuda.games.luk_fu.cards import FIVE_TIGERS, HAND
from tefuda.games.luk_fu.notation import card_list
from tefuda.games.luk_fu.state import State


def outcome(state: State) -> Sentence:
    """LF-45, LF-46, LF-51: who has won, and with how many tricks; by the five tigers, or after an improper pass."""
    winner = int(state.last_to_six)
    if winner == NOBODY:
        return Sentence("outcome.thrown_in" if state.declarer == NOBODY else "outcome.draw")
    code = (
        "tigers" if _shows_tigers(state, winner) else "improper" if scoring.passed_improperly(state, winner) else "won"
    )
    return Sentence(f"outcome.{code}", {"seat": f"#{winner}", "tricks": str(state.tricks[winner])})


def _shows_tigers(state: State, seat: int) -> bool:
    """LF-45: whether the last play of a seat was the five tigers."""
    return bool(state.number < HAND and state.played[seat][state.number] == FIVE_TIGERS)


def sheet(state: State, seat: int) -> list[Sentence]:
    """LF-46 to LF-52: what the deal brings this seat, and why."""
    winner = int(state.last_to_six)
    if winner == NOBODY:
        return [Sentence("sheet.thrown_in" if state.declarer == NOBODY else "sheet.draw")]
    chips = int(received_by(state)[seat])
    if seat == state.sitter:
        return [_sitters(state, winner, chips)]
    lines = _winners(state, winner) if seat == winner else _losers(state, seat, winner)
    return [*lines, sheet_line("total", chips)]


def _winners(state: State, winner: int) -> list[Sentence]:
    """LF-46, LF-48, LF-49, LF-51."""
    tricks = int(state.tricks[winner])
    base, factor = tricks - scoring.PAR, int(scoring.multiplier(state, tricks))
    red = int(scoring.red_cards(state, winner))
    lines = [Sentence("sheet.won", {"tricks": str(tricks), "chips": str(base)})]
    if _shows_tigers(state, winner):
        lines.insert(0, Sentence("sheet.tigers"))
    if factor > 1:
        lines.append(Sentence("sheet.multiplied", {"factor": str(factor), "chips": str(base * factor)}))
    if red:
        lines.append(Sentence("sheet.red", {"cards": card_list(red), "count": str(bits.size(red))}))
    code = "one_share" if scoring.passed_improperly(state, winner) else "shares"
    return [*lines, Sentence(f"sheet.{code}", {"chips": str(int(scoring.price(state, winner)))})]


def _losers(state: State, seat: int, winner: int) -> list[Sentence]:
    """LF-47, LF-50."""
    due, shares = int(scoring.shares_due(state, winner, seat)), int(scoring.shares_paid(state, winner, seat))
    if not due:
        return [Sentence("sheet.free", {"seat": f"#{state.declarer}"})]
    code = "pays_both" if shares > 1 else "pays_one" if due > 1 else "pays"
    lines = [sheet_line(code, -shares * scoring.price(state, winner), seat=f"#{winner}")]
    to_sitter = due * scoring.sitter_price(state, winner)
    return [*lines, sheet_line("pays_sitter", -to_sitter, seat=f"#{state.sitter}")] if to_sitter else lines


def _sitters(state: State, winner: int, chips: int) -> Sentence:
    """LF-50."""
    if not state.sitter_bonus:
        return Sentence("sheet.sat_out")
    card = card_list(scoring.sitters(state))
    if not chips:
        return Sentence("sheet.no_match", {"card": card, "seat": f"#{winner}"})
    return sheet_line(
        "match", chips, card=card, cards=card_list(scoring.matching_cards(state, winner)), seat=f"#{winner}"
    )
