"""Luk Fu: what the tests of every game have to be told of this one."""

from typing import Any

from tefuda.engine.bits import members_of
from tefuda.games.luk_fu.plays import THROW, is_throw
from tefuda.table.deal import Deal
from tefuda.testing import Hooks, Playout, public_history
from tests.contract.particulars import Note, Particulars, Recording


def redeal(played: Playout, moment: int, world: Any) -> Deal:
    """LF-5, LF-6: the hands as they were dealt are in the world; so is who dealt them."""
    words = played.game.description.cards
    hands = [" ".join(words[card] for card in members_of(world.dealt[seat])) for seat in range(played.game.seats)]
    fields = {"dealer": int(world.dealer)}
    return played.game.deal(0, hands=hands, chance=int(world.chance), before=played.deal.before, fields=fields)


def actions_seen(played: Playout, moment: int, world: Any) -> list[int]:
    """LF-31, LF-40: in this world other cards were thrown face down; each throw goes card by card, ascending."""
    actions = public_history(played, moment, world)
    left = {}
    for k, action in enumerate(actions):
        if is_throw(action):
            place = (int(played.movers[k]), int(played.states[k]["number"]))
            if place not in left:
                left[place] = members_of(world.thrown[place])
            actions[k] = THROW + left[place].pop(0)
    return actions


PARTICULARS = Particulars(
    hooks=Hooks(
        where_cards_are=("hands", "played", "thrown", "sitter_card", "turned_up", "dead"),
        redeal=redeal,
        actions_seen=actions_seen,
    ),
    scoring_only=frozenset(
        {
            "multiplier_10_12",
            "red_bonus",
            "red_scope",
            "all_reds_double",
            "sitter_bonus",
            "sitter_bonus_mode",
            "pass_penalty",
            "dealer_stays_on",
            "draw_keeps_dealer",
            "session_deals",
        }
    ),
    combinations={
        "K1+K2+K3": "three in a row",
        "C2+C3+C4+C5": "four in a row",
        "T9+K9+S9": "three of a kind",
        "T1+K1+L": "three of a kind",
        "T1+K1+S1+C1+L": "the five tigers",
    },
    without_name=(
        "T5",
        "L",
        "~T5+K2+C3",
        "~3",
        "tigers",
    ),
    notes=(
        Note("L", "one of the five tigers"),
        Note("T9", "red: brings the winner a chip more in each share", {"red_bonus": True}),
    ),
    recordings=(
        Recording("default", 1),
        Recording("four", 2, 4),
        Recording("public", 3, None, {"old_reading": "public", "lead_exceptions": "sixth_trick+has_six"}),
        Recording("no-inference", 4, 4, {"old_infer": False, "dealer_stays_on": "never"}),
        Recording("special", 5, None, {"special_in_sets": True, "ones_set": "second"}),
        Recording("tigers", 6, None, {"tigers_lead": True, "tigers_value": "8"}),
        Recording("any-trick", 7, None, {"stop_timing": "any_trick", "draw_keeps_dealer": True}),
        Recording("red", 8, None, {"red_bonus": True, "multiplier_10_12": True, "pass_penalty": False}),
        Recording("captured", 9, 4, {"red_bonus": True, "red_scope": "captured", "sitter_bonus_mode": "per_card"}),
        Recording("no-sitter-bonus", 10, 4, {"sitter_bonus": False, "old_reading": "public"}),
    ),
)
