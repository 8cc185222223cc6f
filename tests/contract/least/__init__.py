"""Least: a trick game with nothing but what every game must have. Four players, twenty cards, who takes least wins."""

from tefuda.engine.kit.folder import describe

GAME = describe(__name__, rule_prefix="LE", seats=(4,))
