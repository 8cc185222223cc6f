"""Leduc poker: how plays are written."""

from leduc_poker.state import ACTION_WORDS
from tefuda.engine.notation import OneActionNotation

NOTATION = OneActionNotation(ACTION_WORDS, example="check, bet, call, raise or fold")
