"""What tells two plays apart: of all that may become of a seat (``Display.incidents``) that which explains most of what
one play brings more than the other.

Both are played on in the same worlds by every judge (``bots/judges.py``); the figures are those of the strongest. What
an incident is worth is read off its rollouts, by least squares of the gains on all incidents; times the difference of
its shares, that is what it explains. It is named only where that difference is clearly more than chance makes, and lies
on the same side by the other judges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.rollouts import Rollouts
from tefuda.engine.description import Description, Incident
from tefuda.engine.texts import TEXTS, Spell, catalogue, spelled, typed
from tefuda.table.reasons import name_seats

CLEAR = 3.0
"""Standard errors by which two plays must differ in an incident: of ten, one would differ by two of them by chance."""

LEAST_SHARE = 0.04
"""The least difference of shares that is worth a sentence."""

SURE = 2.0
"""Standard errors by which the better play must bring more in the rollouts: else there is nothing to explain."""

LEAST_PART = 0.4
"""Of what the better play brings more, which an incident must explain."""


@dataclass(frozen=True)
class Contrast:
    """What becomes of a seat after two plays.

    Attributes:
        incident: its name.
        play, other: words of the plays, the better one first.
        number, other_number: after each, in which share of the worlds it happens, 0 to 1; or its mean, if it is an
            amount.
    """

    incident: str
    play: str
    other: str
    number: float
    other_number: float


def find_contrast(game: Description, judged: Sequence[Rollouts], play: str, other: str) -> Contrast | None:
    """The incident that explains best why one play brings more than another; None if none does clearly.

    Args:
        game: which is played.
        judged: of these two plays, the better one first, by each judge, the strongest last.
        play, other: their words.
    """
    named, rollouts = game.display.incidents, judged[-1]
    mean, doubt = rollouts.more
    if not named or mean <= SURE * doubt:
        return None
    numbers = _told_apart(rollouts.incidents[:, :, : len(named)].astype(np.float64))
    differences = numbers[:, 0] - numbers[:, 1]
    means, errors = differences.mean(0), differences.std(0, ddof=1) / sqrt(len(differences))
    least = np.array([0.0 if each.amount else LEAST_SHARE for each in named])
    wanted = np.array([each.wanted for each in named])
    clear = (np.abs(means) > CLEAR * errors) & (np.abs(means) >= least) & (wanted * means >= 0)
    for each in judged[:-1]:
        clear &= np.diff(each.incidents[:, :, : len(named)].mean(0), axis=0)[0] * means < 0
    explained = np.where(clear, _weights(rollouts, numbers) * means, 0.0)
    best = int(explained.argmax())
    if explained[best] < LEAST_PART * mean:
        return None
    number, other_number = (float(each) for each in numbers[:, :, best].mean(0))
    return Contrast(named[best].name, play, other, number, other_number)


def _told_apart(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same; of two incidents that here always come together, or of which always one comes, only the first."""
    for k in range(1, numbers.shape[2]):
        for before in range(k):
            one, other = numbers[:, :, before], numbers[:, :, k]
            if np.array_equal(one, other) or np.ptp(one + other) == 0.0:
                numbers[:, :, k] = 0.0
    return numbers


def _weights(rollouts: Rollouts, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each incident is worth, by least squares over all rollouts."""
    incidents, gains = numbers.reshape(-1, numbers.shape[2]), rollouts.gains.reshape(-1)
    weights: NDArray[np.float64] = np.linalg.lstsq(incidents - incidents.mean(0), gains - gains.mean(), rcond=1e-9)[0]
    return weights


def say_contrast(
    game: Description,
    contrast: Contrast,
    language: str,
    names: Sequence[str] = (),
    spell: Spell = typed,
    seat: int | None = None,
    frame: str = "hint",
) -> str:
    """The sentence of it.

    Args:
        game: which is played.
        contrast: what is said.
        language: of the text.
        names: of the seats.
        spell: how notation is written.
        seat: whose plays they are; None for the reader's.
        frame: section of the text around it: ``hint``, or ``review`` of what is past.
    """
    incident = incident_named(game, contrast.incident)
    text = catalogue(TEXTS, language)(
        f"{frame}.{'incident_amount' if incident.amount else 'incident'}",
        what=say_incident(game, incident, language, seat), rule=incident.rule, play=contrast.play, other=contrast.other,
        number=say_number(game, incident, contrast.number, language),
        other_number=say_number(game, incident, contrast.other_number, language),
    )  # fmt: skip
    return name_seats(spelled(text, spell), language, names)


def incident_named(game: Description, name: str) -> Incident:
    """The game's incident of this name."""
    return next(each for each in game.display.incidents if each.name == name)


def say_incident(game: Description, incident: Incident, language: str, seat: int | None = None) -> str:
    """The clause that says what happens to this seat; None: to the reader."""
    texts = catalogue(game.files.texts, language)
    if seat is None:
        return texts(f"incidents.{incident.name}")
    return texts(f"incidents_of.{incident.name}", name=f"#{seat}")


def say_number(game: Description, incident: Incident, number: float, language: str) -> str:
    """In how many of a hundred worlds an incident happens; or its mean, if it is an amount."""
    return counted(game, f"{number:.1f}", language) if incident.amount else f"{100 * number:.0f}"


def counted(game: Description, number: str, language: str) -> str:
    """A number with what people count in the game (points, stakes), if the game's texts name it."""
    own = catalogue(game.files.texts, language)
    if "currency" not in own:
        return number
    return catalogue(TEXTS, language)("hint.amount", number=number, currency=own("currency"))
