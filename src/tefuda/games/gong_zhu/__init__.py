"""Gong Zhu 拱猪, "root out the pig": a no-trump trick game of the Hearts family for four or five players."""

from tefuda.engine.kit.folder import describe

SEARCH = {"hints": 80, "widening": 0.0, "relative": 1}  # with a network or without

GAME = describe(
    __name__,
    rule_prefix="GZ",
    seats=(4, 5),
    minutes=4,
    difficulty=1,
    miniature_seats=(2, 3),
    search=SEARCH,
    search_with_net={**SEARCH, "prior": 0.5, "fading": 0},
)
