"""A game with nothing but what the tutorial tells its writer to write keeps the contract; the kit gives the rest."""

from pathlib import Path

import pytest

from tefuda.engine.kit.positions import PositionError
from tefuda.engine.kit.session import SessionState
from tefuda.engine.kit.state import Small, field
from tefuda.table.game import Game
from tefuda.testing import check_contract
from tests.contract.least import GAME
from tests.own_game import announce

LEAST = Game(GAME)
HANDS = ["SA SK SQ SJ S10", "HA HK HQ HJ H10", "DA DK DQ DJ D10", "CA CK CQ CJ C10"]


@pytest.mark.slow
def test_it_keeps_the_contract_without_hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(tmp_path, "least", "tests.contract.least")
    monkeypatch.syspath_prepend(tmp_path)
    check_contract(LEAST, deals=6, seed=1)


@pytest.mark.slow
def test_it_deals_the_hands_that_are_given_in_packets_from_the_last_seat() -> None:
    deal = LEAST.deal(hands=HANDS)
    assert [deal.view(seat).to_dict()["hands"] for seat in range(4)] == [hand.split()[::-1] for hand in HANDS]
    assert deal.deck is not None
    assert [GAME.cards[card] for card in deal.deck[:6]] == ["C10", "CJ", "CQ", "CK", "CA", "S10"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"hands": ["SA SK SQ SJ", *HANDS[1:]]}, "hands, seat 0: 4 cards instead of 5"),
        ({"hands": ["SA SK SQ SJ HA", *HANDS[1:]]}, "HA is already somewhere else"),
        ({"hands": ["SA SK SQ SJ S9", *HANDS[1:]]}, "'S9' is not a card of this pack"),
        ({"dealer": 1}, "no field 'dealer'"),
    ],
)
def test_hands_that_cannot_be_dealt_are_refused(fields: dict[str, object], told: str) -> None:
    with pytest.raises(PositionError, match=told):
        LEAST.deal(fields=fields)


def test_a_field_that_uncompiled_rules_would_not_find_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Wrong.round: NumPy's records have a round of their own"):

        class Wrong(SessionState, most_seats=2):
            round: Small = field("0, 1")
