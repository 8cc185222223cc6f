"""Kakkuri: what the tests of every game have to be told of this one."""

from tefuda.testing import Hooks
from tests.contract.particulars import Note, Particulars, Recording
from tests.kakkuri import replay

PARTICULARS = Particulars(
    hooks=Hooks(
        where_cards_are=replay.WHERE_CARDS_ARE,
        redeal=replay.redeal,
        chance_in_play=replay.chance_in_play,
    ),
    scoring_only=frozenset(
        {
            "guri_takes_pot",
            "forced_out_pays",
            "session_deals",
            "start_counters",
            "bankruptcy",
        }
    ),
    combinations={
        "S5+H5+CA=5": "sanbon (three of a rank)",
        "S4+H4": "a pair",
    },
    without_name=(
        "CA=8",
        "C5+H6+D7",
        "end",
    ),
    notes=(Note("H2", "may be followed by 2 3"),),
    recordings=(
        Recording("default", 1),
        Recording("eight", 2, 8),
        Recording("two", 3, 2, {"fuwaru": False, "deal_cede": False, "stalemate_turns": 60}),
        Recording("anyone", 4, 4, {"k_free": "anyone", "k_upcard": "anyone", "utazu_by_dropped": True}),
        Recording("wrap-to-ace", 5, 3, {"k_free": "wrap_to_ace", "k_upcard": "dead", "bankruptcy": "end_session"}),
        Recording(
            "no-wilds",
            6,
            6,
            {"sanbon_wild": False, "sanzoku_wild": False, "guri_takes_pot": False, "early_drop": "round"},
        ),
        Recording("cut-only", 7, 7, {"rebuild": "cut_only", "early_drop": False, "ceded_may_continue": False}),
        Recording("plays-on", 8, 5, {"last_survivor": "plays_on", "drop_until": "first_card"}),
        Recording(
            "before-c3", 9, 8, {"utazu_before_c3": True, "forced_out_pays": 1, "return_consent": "active_others"}
        ),
        Recording("never-back", 10, 7, {"return_consent": "never", "early_drop": False, "start_counters": 5}),
    ),
)
