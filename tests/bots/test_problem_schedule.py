"""When problems come back."""

from datetime import timedelta

import pytest
from fsrs import Card

from tefuda.bots.problem_schedule import answered, read_card
from tefuda.engine.errors import TefudaError


def test_missed_problems_come_back_sooner() -> None:
    missed, solved = answered(None, solved=False), answered(None, solved=True)
    assert missed.due < solved.due


def test_a_problem_that_is_solved_again_and_again_comes_back_later() -> None:
    first = card = answered(None, solved=True)
    for _ in range(5):
        card = answered(read_card(card.to_json()), solved=True)
    assert card.due > first.due + timedelta(days=1)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"card_id": 1}', Card().to_json().replace("-", "/")])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(TefudaError, match="not what is kept"):
        read_card(text)
