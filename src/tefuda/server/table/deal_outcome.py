"""What a finished deal has brought, in words and figures: for the messages of a table and for replays."""

from collections.abc import Sequence

from tefuda.server.table.messages import DealOutcome
from tefuda.server.table.notation_text import notation_text
from tefuda.server.table.player_names import addressed
from tefuda.table.deal import Deal
from tefuda.table.reasons import say_line


def deal_outcome(deal: Deal, language: str) -> DealOutcome:
    """What a finished deal has brought everybody, but for whether its replay is open; seats are ``#0``, ``#1`` …"""
    description, state = deal.game.description, deal.state
    names = [f"#{seat}" for seat in range(deal.game.seats)]
    spell, decided = notation_text(description, language), outcome_text(deal, language, names)
    return {
        **({"outcome": decided} if decided else {}),
        "payoff": [description.rules.counted(points) for points in deal.payoff()],
        "totals": [description.rules.counted(points) for points in deal.facts()["totals"]],
        "sheet": [
            [say_line(description, line, language, names, spell) for line in description.display.sheet(state, seat)]
            for seat in range(deal.game.seats)
        ],
        "settlement": [
            (payer, receiver, description.rules.counted(amount))
            for payer, receiver, amount in description.display.settlement(state)
        ],
    }


def told_to(outcome: DealOutcome, names: Sequence[str], language: str, reader: int) -> DealOutcome:
    """The same for one reader, who is "you"; ``reader`` is −1 where they have no seat."""

    def told(text: str) -> str:
        return addressed(text, names, language, reader)

    found: DealOutcome = {**outcome, "sheet": [list(map(told, lines)) for lines in outcome["sheet"]]}
    if "outcome" in outcome:
        found["outcome"] = told(outcome["outcome"])
    return found


def outcome_text(deal: Deal, language: str, names: Sequence[str]) -> str:
    """How a finished deal was decided, in a sentence; empty where the game has none, and of an unfinished deal."""
    description = deal.game.description
    decided = description.display.outcome
    if decided is None or not deal.over:
        return ""
    return say_line(description, decided(deal.state), language, names, notation_text(description, language))
