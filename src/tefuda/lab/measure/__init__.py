"""Measuring: tables of games and decisions, the figures made from them, and their intervals."""
