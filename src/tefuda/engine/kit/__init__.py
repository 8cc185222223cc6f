"""The game kit: what games share beside the engine's verbs, for a game's own files to import.

A game imports the kit; the kit names no game."""

from tefuda.engine import bits, verbs
from tefuda.engine.description import Bounds, Incident, Wish
from tefuda.engine.kit.play_table import PlayTable, add_if, constant
from tefuda.engine.kit.session import (
    NOBODY,
    SessionState,
    begin_world,
    deal_packets,
    deals_of_session,
    deck_of,
    hand_on,
    next_seat,
    received_by,
    redrawn_chance,
    session_facts,
    session_fault,
)
from tefuda.engine.kit.state import clear_deal
from tefuda.engine.kit.words import legal_words, out_of_turn, sheet_line, words_of
from tefuda.engine.notation import NO_ACTION, OneActionNotation, is_declaration
from tefuda.engine.record import Ints, Visible
from tefuda.engine.rng import Pick, Rng, below, better, chance, shuffle
from tefuda.engine.sentence import Refusal, Sentence, advised_declaration
from tefuda.engine.texts import percentage, signed
from tefuda.engine.verbs import implements, inlined, rule
from tefuda.engine.views import common, reads_public

# fmt: off
__all__ = [
    "NOBODY", "NO_ACTION", "Bounds", "Incident", "Ints", "OneActionNotation", "Pick", "PlayTable", "Refusal",
    "Rng", "Sentence", "SessionState", "Visible", "Wish", "add_if", "advised_declaration", "begin_world", "below",
    "better", "bits", "chance", "clear_deal", "common", "constant", "deal_packets", "deals_of_session", "deck_of",
    "hand_on", "implements", "inlined", "is_declaration", "legal_words", "next_seat", "out_of_turn", "percentage",
    "reads_public", "received_by", "redrawn_chance", "rule", "session_facts", "session_fault", "sheet_line",
    "shuffle", "signed", "verbs", "words_of",
]
