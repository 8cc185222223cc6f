"""Leduc poker: two players, six cards, two rounds of betting. Small enough to be solved exactly (``solution.py``).

Southey and others, "Bayes' Bluff: Opponent Modelling in Poker", 2005."""

from tefuda.engine.kit.folder import describe

GAME = describe(__name__, rule_prefix="LP", seats=(2,))
