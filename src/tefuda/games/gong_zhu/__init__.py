"""Gong Zhu 拱猪, "root out the pig": a no-trump trick game of the Hearts family for four or five players."""

from tefuda.engine.kit.folder import describe

GAME = describe(
    __name__,
    rule_prefix="GZ",
    seats=(4, 5),
    miniature_seats=(2, 3),
    search={"hints": 80, "widening": 0.0, "relative": 1},
    search_with_net={"net": 1, "race": 2, "prior": 0.1, "trust": 1, "depth": 1, "relative": 1},
)
