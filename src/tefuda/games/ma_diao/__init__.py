"""Ma Diao 馬吊, "hanging the horse": a late-Ming trick game for four, in which the dealer settles with each."""

from tefuda.engine.kit.folder import describe

GAME = describe(__name__, rule_prefix="MD", seats=(4,))
