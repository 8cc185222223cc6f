"""Gong Zhu: what a table may decide (the options table of the rules page), and what does not go together."""

from collections.abc import Mapping

from tefuda.engine.description import Option, Sentence, Value

OPTIONS = (
    Option("partnership", False, "GZ-22"),
    Option("five_deck", "seed", "GZ-2", ("seed", "pagat")),
    Option("expose_order", "single_round", "GZ-7", ("single_round", "until_quiet", "simultaneous")),
    Option("exposed_singleton_lead", False, "GZ-9"),
    Option("target", 1000, "GZ-24", least=1, most=1_000_000),
    Option("end_on_plus", False, "GZ-24"),
    Option("team_end", "team_total", "GZ-26", ("team_total", "any_individual")),
    Option("all_hearts_transformer_300", False, "GZ-27"),
    Option("heart_values", "standard", "GZ-17", ("standard", "pips")),
    Option("pig_flips", "all_hearts", "GZ-20", ("all_hearts", "all_scoring")),
    Option("sheep_flips", False, "GZ-20"),
    Option("first_leader", "S2", "GZ-3", ("S2", "C2", "S7", "draw")),
    Option("forced_fourth_exposure", False, "GZ-7"),
    Option("exposing", True, "GZ-5"),
)


def exclusions(seats: int, options: Mapping[str, Value]) -> Sentence | None:
    """GZ-G19 and the options table: partnership needs four players; a five-player pack has no C2."""
    if seats == 5 and options["partnership"]:
        return Sentence("excluded.partners_are_four")
    if seats == 5 and options["first_leader"] == "C2":
        return Sentence("excluded.no_club_two")
    return None
