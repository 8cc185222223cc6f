"""Leduc poker: how a payoff arose."""

from leduc_poker.scoring import winner
from leduc_poker.state import RANKS, State
from tefuda.engine import bits
from tefuda.engine.description import Sentence
from tefuda.engine.kit.session import NOBODY, next_seat
from tefuda.engine.kit.words import sheet_line


def sheet(state: State, seat: int) -> list[Sentence]:
    """LP-6, LP-8, LP-9."""
    taker, other = winner(state), next_seat(state, seat)
    if taker == NOBODY:
        return [Sentence("sheet.shared")]
    if state.folded != NOBODY:
        how = "other_folded" if seat == taker else "folded"
    else:
        paired = bits.lowest(state.hands[taker]) % RANKS == state.board % RANKS
        how = ("pair" if paired else "higher") if seat == taker else "beaten"
    return [sheet_line(how, state.stakes[other] if seat == taker else -state.stakes[seat])]
