"""What becomes of a seat in a deal (``verbs.incidents``), in hand-made endings; each has its texts and its rule."""

from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.engine import verbs
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.games import description, names
from tefuda.table.deal import Deal

ALL_HEARTS = "H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK HA"

Ending = tuple[str, dict[str, Any], dict[str, Any], list[str], list[dict[str, int]]]

ENDINGS: list[Ending] = [
    # GZ-17: pig and sheep; hearts −50 −40
    ("gong-zhu", {}, {"hands": [""] * 4, "captured": ["SQ HA HK", "DJ", "", ""]}, [],
     [{"pig": 1, "hearts": 90}, {"sheep": 1}, {}, {}]),
    # GZ-6: the ace of hearts exposed
    ("gong-zhu", {}, {"hands": [""] * 4, "captured": ["HA HK", "", "", ""], "exposed": "HA"}, [],
     [{"hearts": 180}, {}, {}, {}]),
    # GZ-18: the transformer alone, and with the pig
    ("gong-zhu", {}, {"hands": [""] * 4, "captured": ["C10", "", "", ""]}, [], [{"transformer_plus": 1}, {}, {}, {}]),
    ("gong-zhu", {}, {"hands": [""] * 4, "captured": ["C10 SQ", "", "", ""]}, [],
     [{"pig": 1, "transformer_minus": 1}, {}, {}, {}]),
    # GZ-19: hearts turn to plus
    ("gong-zhu", {}, {"hands": [""] * 4, "captured": [ALL_HEARTS, "", "", ""]}, [],
     [{"all_hearts": 1}, *[{"other_all_hearts": 1}] * 3]),
    # GZ-22: partners sit opposite
    ("gong-zhu", {"partnership": True}, {"hands": [""] * 4, "captured": ["SQ", "DJ", "", ""]}, [],
     [{"pig": 1}, {"sheep": 1}, {"partner_pig": 1}, {"partner_sheep": 1}]),
    # LF-47: the declarer wins, with seven tricks and with eight (LF-46)
    ("luk-fu", {}, {"tricks": [7, 3, 2], "declarer": 0}, [], [{"wins": 1}, {"pays": 1}, {"pays": 1}]),
    ("luk-fu", {}, {"tricks": [8, 3, 1], "declarer": 0}, [], [{"wins": 1, "wins_many": 1}, {"pays": 1}, {"pays": 1}]),
    # LF-47: the declarer loses
    ("luk-fu", {}, {"tricks": [7, 3, 2], "declarer": 1}, [], [{"wins": 1}, {"pays_both": 1}, {}]),
    # LF-43: two have six; who got there last wins
    ("luk-fu", {}, {"tricks": [6, 6, 0], "declarer": 0, "reached": [0, 1]}, [],
     [{"pays_both": 1, "overtaken": 1}, {"wins": 1}, {}]),
    # LF-44
    ("luk-fu", {}, {"tricks": [5, 4, 3], "declarer": 0}, [], [{}] * 3),
    # MD-29, MD-31, MD-37, MD-44: TB wins with a trick of W9; three tricks of the dealer
    ("ma-diao", {}, {"dealer": 1, "face": "S2", "dealt": ["TB W9", "T2 T3 T4", "", ""],
                     "won": ["TB W9", "T2 T3 T4", "S3 S4 S5", ""]}, [],
     [{"home": 1, "great_live": 1, "top": 1, "dealer_hangs": 1},
      {"home": 1, "hangs": 1, "others_hundred": 1},
      {"home": 1, "hangs": 1, "dealer_hangs": 1}, {"dealer_hangs": 1}]),
    # MD-35, MD-33
    ("ma-diao", {}, {"dealer": 3, "face": "S2", "dealt": ["TB W2 W3", "", "", ""],
                     "won": ["W2 W3", "T2 T3 T4", "S3 S4 S5", ""]}, [],
     [{"home": 1}, {"home": 1, "hangs": 1}, {"home": 1, "hangs": 1}, {}]),
    ("ma-diao", {}, {"dealer": 3, "face": "S2", "dealt": ["TB W2", "", "", ""],
                     "won": ["W2", "T2 T3 T4", "S3 S4 S5 S6", ""]}, [],
     [{}, {"home": 1, "hangs": 1}, {"home": 1, "hangs": 1}, {}]),
    # MD-32, MD-44: a small strike, and the dealer's great live Hundred
    ("ma-diao", {}, {"dealer": 2, "face": "S2", "dealt": ["", "", "TB S3", ""],
                     "won": ["T9 W5", "T2 T3 T4", "TB S3", "C5"]}, [],
     [{"home": 1, "strike": 1, "dealer_hundred": 1}, {"home": 1, "hangs": 1, "dealer_hundred": 1},
      {"home": 1, "great_live": 1}, {"dealer_hundred": 1}]),
    # MD-39, MD-45: three opened, and the accuser is the top above S8
    ("ma-diao", {}, {"dealer": 3, "face": "S2", "accuser": "S9", "dealt": ["TB TQ TM", "", "", ""],
                     "won": ["TB TQ TM", "S8 S3", "T2 T3", "C5"]}, [],
     [{"home": 1, "hangs": 1, "great_live": 1, "top": 1, "three_opened": 1}, {"home": 1, "accused": 1},
      {"home": 1}, {"others_hundred": 1}]),
    # KK-48, KK-18: going out; seat 2 has dropped
    ("kakkuri", {"seats": 3}, {"hands": ["SJ", "S2 S3", "S4 S5"], "field": "DQ", "dropped": [2]}, ["SJ"],
     [{"wins": 1}, {"caught": 1}, {}]),
    # KK-51: all six in one turn
    ("kakkuri", {"seats": 3}, {"hands": ["SJ SK DK C5 H6 S7", "", ""], "field": "DQ", "dropped": [2]},
     ["SJ", "SK", "DK", "C5", "H6", "S7"], [{"wins": 1, "guri": 1}, {"caught_by_guri": 1}, {}]),
    # KK-50: the counter goes back after a guri
    ("kakkuri", {"seats": 3, "guri_takes_pot": False},
     {"hands": ["SJ SK DK C5 H6 S7", "", ""], "field": "DQ", "dropped": [2]},
     ["SJ", "SK", "DK", "C5", "H6", "S7"], [{"wins": 1, "guri": 1}, {"caught_by_guri": 1}, {}]),
    # KK-25
    ("kakkuri", {"seats": 3}, {"hands": ["SA HA DA C9 S9 D4", "", ""], "field": "S8", "dropped": [2]}, ["utazu"],
     [{"wins": 1}, {"caught_by_utazu": 1}, {"caught_by_utazu": 1}]),
    # SN-27, SN-28, SN-21: level 1 with a four of a kind, level 2 without
    ("sap-ng-wu", {}, {"hands": ["34", "35", "36"], "won": ["66 66 66 66 11 11 11 44 44 44 13 13 13 55 55", "", ""],
                       "decide": True}, ["stop"],
     [{"stops": 1, "quad": 1}, *[{"other_stops": 1, "other_quad": 1}] * 2]),
    ("sap-ng-wu", {}, {"hands": ["34", "35", "36"],
                       "won": ["66 66 66 11 11 11 44 44 44 13 13 13 55 55 55 33 33 33", "", ""], "decide": True},
     ["stop"], [{"stops": 1, "stops_high": 1}, *[{"other_stops": 1, "other_stops_high": 1}] * 2]),
    # SN-32
    ("sap-ng-wu", {}, {"hands": ["34", "", ""]}, ["34"], [{}] * 3),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "position", "plays", "expected"), ENDINGS)
def test_incidents_of_endings(
    name: str, options: dict[str, Any], position: dict[str, Any], plays: list[str], expected: list[dict[str, int]]
) -> None:
    deal = tefuda.load(name, **options).position(position)
    for word in plays:
        deal.play(word)
    while not deal.over:
        deal.act(deal.legal_actions()[0])
    assert [incidents(deal, seat) for seat in range(deal.game.seats)] == expected


def test_a_deal_that_was_not_played_has_no_incidents() -> None:
    """MD-12."""
    deal = tefuda.load("ma-diao").position({"hands": ["TM W9 S9 C0", "", "", ""], "phase": "declare"})
    deal.play("declare")
    while not deal.over:
        deal.act(deal.legal_actions()[0])
    assert [incidents(deal, seat) for seat in range(4)] == [{}] * 4


def test_every_incident_has_a_hand_made_ending() -> None:
    reached = {(name, incident) for name, *_, seats in ENDINGS for each in seats for incident in each}
    assert reached == {(name, each.name) for name in names() for each in description(name).display.incidents}


@pytest.mark.parametrize("name", names())
def test_every_incident_has_its_texts_and_its_rule(name: str) -> None:
    game = description(name)
    found = [each.name for each in game.display.incidents]
    assert found
    assert len(found) <= verbs.MOST_INCIDENTS
    for language in LANGUAGES:
        texts = catalogue(game.files.texts, language)
        assert list(texts.under("incidents")) == list(texts.under("incidents_of")) == found
        assert {each.rule for each in game.display.incidents} <= set(texts.under("rules"))


def incidents(deal: Deal, seat: int) -> dict[str, int]:
    """What became of a seat, without what did not happen."""
    out = np.zeros(verbs.MOST_INCIDENTS, np.int64)
    verbs.incidents(deal.state, seat, out)
    named = deal.game.description.display.incidents
    assert not out[len(named) :].any()
    return {each.name: int(number) for each, number in zip(named, out, strict=False) if number}
