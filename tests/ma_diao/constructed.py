"""Deals that chance would hardly ever bring, and deals played to their end."""

import random

from tefuda.table.deal import Deal
from tefuda.table.game import Game

TWO_EXTRAORDINARY = (
    "TM W9 S9 C0 T2 W1 S1 C9",
    "TB T9 W5 W6 W8 C1 C2 C3",
    "T3 T4 T5 T6 T7 T8 S2 S3",
    "W2 W3 W4 S4 S5 S6 C4 C5",
)
"""Four tops and four lowest; all-strike-alive."""

REDS_AND_ONE_SUIT = (
    "TM TQ TB W9 W8 S9 S8 C0",
    "T2 T3 T4 T5 T6 T7 T8 T9",
    "S1 S2 S3 S4 S5 S6 S7 C9",
    "W1 W2 W3 W4 W5 W6 W7 CH",
)
"""Eight reds, four tops and the Hundred; one suit."""

TOPS_AGAINST_HUNDRED = (
    "TM W9 S9 C0 W2 W3 W4 W5",
    "TB C1 C2 C3 C4 C5 C6 C7",
    "T9 T8 W6 S5 S6 S7 C8 C9",
    "T2 W1 S1 T3 T4 T5 T6 CH",
)
"""Four tops, and somebody else was dealt the Hundred."""

REFUSAL = (
    "T2 W1 S1 C9 W2 W3 W4 W5",
    "TB C1 C2 C3 C4 C5 C6 C7",
    "T9 T8 W6 S5 S6 S7 S8 C8",
    "T3 W7 S2 T7 T4 T5 T6 CH",
)
"""Four lowest."""

WHOLE_TABLE = (
    "TM TQ T9 T8 W9 W8 S9 T7",
    "TB W5 W4 S5 S4 C7 C6 C5",
    "T6 W6 W3 S6 S3 C8 C4 C3",
    "T5 W7 W2 S7 S2 C9 C2 C1",
)
"""Seat 0 cannot be beaten, if it leads from the top."""

RARE = (TWO_EXTRAORDINARY, REDS_AND_ONE_SUIT, TOPS_AGAINST_HUNDRED, REFUSAL, WHOLE_TABLE)


def play(deal: Deal, chance: random.Random, *, eager: bool = True) -> Deal:
    """Play a deal to its end; eager players declare or refuse if they may."""
    while not deal.over:
        plays = deal.legal()
        deal.play(plays[-1] if eager and plays[-1] in ("declare", "refuse") else chance.choice(plays))
    return deal


def play_whole_table(game: Game) -> Deal:
    """WHOLE_TABLE, with the Hundred thrown in the eighth trick, or still in hand if that is not played."""
    deal = game.deal(hands=WHOLE_TABLE, fields={"dealer": 0, "face": "S1", "leader": 0})
    answer(deal)
    for lead in ["TM", "TQ", "T9", "T8", "W9", "W8", "S9"]:
        deal.play(lead)
        while deal.mover != 0:
            throws = [word for word in deal.legal() if word.startswith("~") and word != "~TB"]
            deal.play(throws[0])
            if deal.over:
                return deal
    return deal


def answer(deal: Deal) -> Deal:
    """Everybody keeps silent and fights."""
    for word in ("silent", "fight"):
        for _ in range(4):
            deal.play(word)
    return deal
