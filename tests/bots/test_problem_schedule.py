"""When problems come back."""

import pytest
from fsrs import Card

from tefuda.bots.problem_schedule import answered, read_card
from tefuda.engine.errors import TefudaError


def test_missed_problems_come_back_sooner() -> None:
    missed, solved = answered(None, solved=False), answered(None, solved=True)
    assert missed.due < solved.due


def test_problems_that_are_solved_again_and_again_come_back_ever_later() -> None:
    card, waits = answered(None, solved=True), []
    for _ in range(5):
        card = answered(read_card(card.to_json()), solved=True)
        assert card.last_review is not None
        waits.append(card.due - card.last_review)
    assert waits == sorted(waits)
    assert waits[-1] > waits[0]


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"card_id": 1}', Card().to_json().replace("T", "x")])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(TefudaError, match="not what is kept"):
        read_card(text)
