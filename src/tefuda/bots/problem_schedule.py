"""Schedule by which problems come back to the people who answered them: spaced repetition by ``fsrs``."""

from fsrs import Card, Rating, Scheduler

from tefuda.engine.errors import TefudaError


def answered(card: Card | None, *, solved: bool) -> Card:
    """Update a problem's card (None at the first answer) after an answer; ``due`` says when it comes back."""
    following, _ = Scheduler().review_card(card or Card(), Rating.Good if solved else Rating.Again)
    return following


def read_card(text: str) -> Card:
    """Read a problem's card, as ``Card.to_json`` wrote it; ``TefudaError`` if it is something else."""
    try:
        return Card.from_json(text)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise TefudaError(f"not what is kept of an answered problem: {error}") from None
