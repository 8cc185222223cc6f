"""Sap Ng Wu 十五湖, "fifteen points": a climbing game with four packs of Chinese dominoes for three or four players."""

from tefuda.engine.kit.folder import BY_NET, describe

GAME = describe(
    __name__, rule_prefix="SN", seats=(3, 4), minutes=2, difficulty=3, miniature_seats=(2,), search_with_net=BY_NET
)
