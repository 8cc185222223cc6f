"""Luk Fu: what a table may decide (the options table of the rules page)."""

from collections.abc import Mapping

from tefuda.engine.description import Option, Sentence, Value

OPTIONS = (
    Option("old_reading", "private", "LF-24", ("private", "public")),
    Option("old_infer", True, "LF-25"),
    Option(
        "lead_exceptions",
        "declarer+only_old",
        "LF-19",
        (
            "declarer+only_old",
            "declarer+only_old+sixth_trick",
            "declarer+only_old+has_six",
            "declarer+only_old+sixth_trick+has_six",
        ),
    ),
    Option("special_in_sets", False, "LF-15"),
    Option("ones_set", "led_only", "LF-34", ("led_only", "second")),
    Option("tigers_value", "6", "LF-45", ("6", "8")),
    Option("tigers_lead", False, "LF-45"),
    Option("stop_timing", "own_trick", "LF-41", ("own_trick", "any_trick")),
    Option("multiplier_10_12", False, "LF-48"),
    Option("red_bonus", False, "LF-49"),
    Option("red_scope", "own_winning", "LF-49", ("own_winning", "captured")),
    Option("sitter_bonus", True, "LF-50"),
    Option("sitter_bonus_mode", "flat", "LF-50", ("flat", "per_card")),
    Option("pass_penalty", True, "LF-51"),
    Option("dealer_stays_on", "eldest", "LF-55", ("eldest", "never")),
    Option("draw_keeps_dealer", False, "LF-54"),
    Option("session_deals", 12, "LF-56", least=1, most=1_000_000),
)


def exclusions(seats: int, options: Mapping[str, Value]) -> Sentence | None:
    """Every value goes with every other; some change nothing (the sitter's with three players)."""
    return None
