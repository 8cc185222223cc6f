"""Sap Ng Wu keeps the contract; its cards lie as counts in these fields."""

import pytest

from tefuda.table.game import load
from tefuda.testing import Hooks, check_contract

HOOKS = Hooks(where_cards_are=("hands", "won", "laid", "table", "discards"))


@pytest.mark.parametrize("seats", [3, 4])
def test_contract(seats: int) -> None:
    check_contract(load("sap-ng-wu", seats), deals=3, seed=seats, hooks=HOOKS)


def test_contract_where_laying_tells_something_of_the_hand() -> None:
    """SN-5 with supreme_partial = false, the one way to know what somebody does not hold."""
    check_contract(load("sap-ng-wu", supreme_partial=False), deals=3, seed=6, hooks=HOOKS)
