"""Kakkuri: what a table may decide (the options table of the rules page)."""

from collections.abc import Mapping

from tefuda.engine.description import Option, Sentence, Value

OPTIONS = (
    Option("k_free", "owner", "KK-37", ("owner", "anyone", "wrap_to_ace")),
    Option("k_upcard", "turner", "KK-37", ("turner", "dead", "anyone")),
    Option("sanbon_wild", True, "KK-41"),
    Option("sanzoku_wild", True, "KK-41"),
    Option("ceded_may_continue", True, "KK-43"),
    Option("rebuild", "shuffle", "KK-44", ("shuffle", "cut_only")),
    Option("guri_takes_pot", True, "KK-50"),
    Option("forced_out_pays", 0, "KK-50", least=0, most=1),
    Option("utazu_by_dropped", False, "KK-22"),
    Option("utazu_before_c3", False, "KK-14"),
    Option("return_consent", "all_others", "KK-20", ("all_others", "active_others", "never")),
    Option("early_drop", True, "KK-17"),
    Option("drop_until", "first_turn", "KK-17", ("first_turn", "first_card")),
    Option("last_survivor", "wins_at_once", "KK-49", ("wins_at_once", "plays_on")),
    Option("fuwaru", True, "KK-11"),
    Option("deal_cede", True, "KK-7"),
    Option("session_deals", 12, "KK-53", least=1, most=10_000),
    Option("start_counters", 20, "KK-53", least=0, most=1_000_000),
    Option("bankruptcy", "debt", "KK-53", ("debt", "end_session")),
    Option("stalemate_turns", 400, "KK-54", least=1, most=1_000),
)


def exclusions(seats: int, options: Mapping[str, Value]) -> Sentence | None:
    """No values exclude each other: some leave others nothing to decide, none contradicts another."""
    return None
