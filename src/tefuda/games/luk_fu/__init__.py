"""Luk Fu 六虎, "six tigers": a Hakka trick-taking game for three players with multi-card leads and old cards."""

from tefuda.engine.kit.folder import BY_NET, describe

GAME = describe(
    __name__, rule_prefix="LF", seats=(3, 4), minutes=2, difficulty=2, search={"trust": 2}, search_with_net=BY_NET
)
