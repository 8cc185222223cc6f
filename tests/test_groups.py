"""Tests that run in one process: those of a game, of a file, of the pages, or of research."""

import pytest

from tests.conftest import group_of


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/luk_fu/test_luk_fu_rules.py::test_a_lead", "luk-fu"),
        ("tests/contract/test_contract.py::test_views[check_no_leak-ma-diao]", "ma-diao"),
        ("tests/test_scenarios.py::test_scenario[gong_zhu, exposing: a case]", "gong-zhu"),
        ("tests/server/test_http.py::test_a_page[sqlite]", "tests/server/test_http.py"),
        ("tests/web/test_plays.py::test_a_card_is_played[gong-zhu]", "tests/web"),
        ("tests/web/test_tour.py::test_a_tour", "tests/web"),
        ("tests/research/test_vector.py::test_a_table[gong-zhu]", "tests/research"),
    ],
)
def test_the_group_of_a_test(test: str, group: str) -> None:
    assert group_of(test) == group
