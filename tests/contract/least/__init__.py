"""Least: a trick game of state, rules, scoring and texts alone. Four players, twenty cards, who takes least wins."""

from tefuda.engine.kit.folder import describe

GAME = describe(__name__, rule_prefix="LE", seats=(4,))
