"""Ma Diao 馬吊, "hanging the horse": a late-Ming trick game for four, in which the dealer settles with each."""

from tefuda.engine.kit.folder import BY_NET, describe

GAME = describe(__name__, rule_prefix="MD", seats=(4,), minutes=3, difficulty=3, search_with_net=BY_NET)
