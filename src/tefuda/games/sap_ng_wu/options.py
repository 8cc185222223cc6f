"""Sap Ng Wu: what a table may decide (the options table of the rules page)."""

from collections.abc import Mapping

from tefuda.engine.description import Option, Sentence, Value

OPTIONS = (
    Option("supreme_partial", True, "SN-5"),
    Option("supreme_lead", "any", "SN-11", ("any", "none_laid")),
    Option("supreme8_in_play", "8", "SN-19", ("8", "16")),
    Option("supreme8_quad_bonus", True, "SN-21"),
    Option("pass_locks", False, "SN-17"),
    Option("last_holder", "plays_on", "SN-26", ("plays_on", "ends")),
    Option("quad_bonus", True, "SN-21"),
    Option("quad_in_draw", "kept", "SN-32", ("kept", "returned")),
    Option("quad_rule", "won_cards", "SN-21", ("won_cards", "one_play")),
    Option("score_mode", "last_play", "SN-19", ("last_play", "all_played")),
    Option("start_counters", 100, "SN-1", least=0, most=1_000_000),
    Option("session_deals", 12, "SN-34", least=1, most=10_000),
)


def exclusions(seats: int, options: Mapping[str, Value]) -> Sentence | None:
    """No values of the rules page exclude each other: some leave others nothing to decide, none contradicts another."""
    return None
