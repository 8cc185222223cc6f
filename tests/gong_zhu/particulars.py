"""Gong Zhu: what the tests of every game have to be told of this one."""

from typing import Any

from tefuda.games.gong_zhu.rules import exposure_action
from tefuda.games.gong_zhu.state import ExposeOrder, Phase
from tefuda.testing import Hooks, Playout, public_history
from tests.contract.particulars import Note, Particulars, Recording


def actions_seen(played: Playout, moment: int, world: Any) -> list[int]:
    """GZ-7, simultaneous: what others have chosen is hidden until all have; in this world they chose otherwise."""
    actions = public_history(played, moment, world)
    if world.phase != Phase.EXPOSING or world.expose_order != ExposeOrder.SIMULTANEOUS:
        return actions
    return [int(exposure_action(int(world.pending[seat]))) for seat in played.movers[:moment]]


PARTICULARS = Particulars(
    hooks=Hooks(("hands", "trick", "won", "aside"), actions_seen=actions_seen),
    scoring_only=frozenset(
        {
            "target",
            "session_deals",
            "end_on_plus",
            "team_end",
            "all_hearts_transformer_300",
            "heart_values",
            "pig_flips",
            "pig_doubled",
            "transformer_losses_only",
            "all_cards_1000",
            "sheep_flips",
            "clockwise",
        }
    ),
    beside_play=frozenset({("expose_order", "simultaneous"), ("clockwise", True)}),
    without_name=("expose:SQ+HA",),
    notes=(
        Note("SQ", "−100 for whoever takes it"),
        Note("SQ", "−200 for whoever takes it", {"pig_doubled": True}),
        Note("C10", "doubles what its taker has lost; alone it brings +50", {"transformer_losses_only": True}),
        Note("C10", "may be exposed before play, and then counts double"),
        Note("C10", "always exposed here, so it counts double", {"always_open": "all_but_sheep"}),
        Note("HA", "always exposed here, so all hearts count double, for everybody", {"always_open": "all"}),
        Note("H3", "−3 for whoever takes it", {"heart_values": "pips"}),
    ),
    recordings=(
        Recording("default", 1),
        Recording("until-quiet", 2, None, {"expose_order": "until_quiet", "exposed_singleton_lead": True}),
        Recording("simultaneous", 3, None, {"expose_order": "simultaneous", "forced_fourth_exposure": True}),
        Recording("partnership", 4, None, {"partnership": True, "team_end": "any_individual", "target": 100_000}),
        Recording("club-two", 15, None, {"first_leader": "C2", "exposed_singleton_lead": True}),
        Recording("spade-seven", 6, None, {"first_leader": "S7", "exposing": False}),
        Recording("drawn-leader", 7, None, {"first_leader": "draw", "end_on_plus": True, "target": 5000}),
        Recording(
            "scoring",
            8,
            None,
            {
                "heart_values": "pips",
                "pig_flips": "all_scoring",
                "sheep_flips": True,
                "all_hearts_transformer_300": True,
            },
        ),
        Recording("five", 9, 5),
        Recording("five-pagat", 10, 5, {"five_deck": "pagat", "expose_order": "simultaneous", "heart_values": "pips"}),
    ),
)
