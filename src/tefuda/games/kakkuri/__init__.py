"""Kakkuri カックリ: a Japanese shedding game, the last of the old "reading" games, for two to eight players."""

from tefuda.engine.kit.folder import describe
from tefuda.engine.option import Option

GAME = describe(
    __name__,
    rule_prefix="KK",
    rules_version=3,
    seats=(5, 2, 3, 4, 6, 7, 8),
    minutes=3,
    difficulty=2,
    search={"depth": 1, "trust": 3},
    search_with_net={"depth": 1, "trust": 3, "race": 3, "prior": 0.01},
    unread=("table", "order", "gave_up", "deals", "finished", "totals"),
    earlier_options={
        1: [Option("early_drop", True, "KK-17")],
        2: [Option("early_drop", "any_time", "KK-17", ("no", "round", "any_time"), was_switch=True)],
    },
)
