"""Sap Ng Wu: what the tests of every game have to be told of this one."""

from tefuda.testing import Hooks
from tests.contract.particulars import Note, Particulars, Recording

PARTICULARS = Particulars(
    hooks=Hooks(where_cards_are=("hands", "won", "laid", "table", "discards", "aside")),
    scoring_only=frozenset(
        {
            "supreme8_quad_bonus",
            "quad_bonus",
            "quad_in_draw",
            "quad_rule",
            "start_counters",
            "session_deals",
        }
    ),
    combinations={
        "44+34+25+25": "man-seven 人七",
        "56+56": "a pair",
        "12+24+24": "supreme 至尊",
    },
    without_name=(
        "56",
        "supreme:12+24",
        "pass",
    ),
    notes=(Note("45", "belongs to heaven-nine 天九: 66 45 36"),),
    draws_always=True,
    recordings=(
        Recording("default", 1),
        Recording("four", 2, 4),
        Recording("pass-locks", 3, None, {"pass_locks": True, "last_holder": "ends"}),
        Recording("all-or-none", 4, None, {"supreme_partial": False}),
        Recording("none-laid", 5, 4, {"supreme_lead": "none_laid", "supreme8_quad_bonus": False}),
        Recording("all-played", 6, None, {"score_mode": "all_played", "supreme8_in_play": "16"}),
        Recording("returned", 7, 4, {"quad_in_draw": "returned"}),
        Recording("one-play", 8, None, {"quad_rule": "one_play", "start_counters": 20, "session_deals": 5}),
        Recording("no-quads", 9, 4, {"quad_bonus": False, "pass_locks": True}),
        Recording("four-all-played", 10, 4, {"score_mode": "all_played", "last_holder": "ends"}),
    ),
)
