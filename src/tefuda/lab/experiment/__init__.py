"""Experiments: their questions and arms, and the reading of their files."""
