"""Ma Diao: what a table may decide (the options table of the rules page)."""

from collections.abc import Mapping

from tefuda.engine.description import Option, Sentence, Value

OPTIONS = (
    Option("first_leader", "first_dealt", "MD-21", ("first_dealt", "dealer")),
    Option("must_follow", False, "MD-26"),
    Option("face_card", "bottom", "MD-9", ("bottom", "top_of_rest")),
    Option("strike_stacking", "per_card", "MD-32", ("per_card", "once")),
    Option(
        "refusal_hands",
        "four_lowest",
        "MD-17",
        (
            "four_lowest",
            "four_lowest+tens_heavy",
            "four_lowest+no_honours",
            "four_lowest+tens_heavy+no_honours",
        ),
    ),
    Option("refusal_redeal", "next_dealer", "MD-20", ("next_dealer", "same_dealer")),
    Option("extraordinary_mandatory", False, "MD-16"),
    Option("double_extraordinary", "full", "MD-15", ("full", "split")),
    Option("knock", False, "MD-44"),
    Option("accuser", True, "MD-45"),
    Option("red_set", "page", "MD-10", ("page", "wikipedia", "honours")),
    Option("stop_after_seven", False, "MD-22"),
    Option("dealer_stays_on_great_live", True, "MD-5"),
    Option("reveal_after", True, "MD-28"),
    Option("session_deals", 16, "MD-47", least=1, most=1_000_000),
)


def exclusions(seats: int, options: Mapping[str, Value]) -> Sentence | None:
    """Every value goes with every other."""
    return None
