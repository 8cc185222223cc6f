"""When a problem comes back to somebody who has answered it: spaced repetition by ``fsrs``."""

from fsrs import Card, Rating, Scheduler

from tefuda.engine.errors import TefudaError


def answered(card: Card | None, *, solved: bool) -> Card:
    """What is known of a problem after an answer: ``due`` says when it comes back.

    Args:
        card: what was known before; None at the first answer.
        solved: whether the answer was right.
    """
    following, _ = Scheduler().review_card(card or Card(), Rating.Good if solved else Rating.Again)
    return following


def read_card(text: str) -> Card:
    """What was known of a problem, as ``Card.to_json`` wrote it.

    Raises:
        TefudaError: it is something else.
    """
    try:
        return Card.from_json(text)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise TefudaError(f"not what is kept of an answered problem: {error}") from None
