"""Explanations: what tells two plays apart, in figures read off the worlds in which the judges play both on.

Two explainers look for it, from the mover's view alone. One finds the *outcome* that explains most of what one play
brings more than the other, of all that may become of a seat (``Display.incidents``). The other finds the *key card*: of
all hidden cards and hands the holding that decides best whether this outcome comes, or, where none was found, by how
much one play brings more."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.play_estimates import SURE, Rollouts
from tefuda.engine.description import Description, Incident
from tefuda.engine.record import Holds
from tefuda.engine.texts import TEXTS, Spell, catalogue, percentage, signed, spelled, typed
from tefuda.table.reasons import name_seats

Floats = NDArray[np.float64]

CLEAR = 3.0
"""Standard errors by which two plays must differ in an incident: of ten, one would differ by two of them by chance."""

LEAST_SHARE = 0.04  #: least difference of an incident's shares that is worth a sentence
LEAST_EXPLAINED = 0.4  #: part of the better play's gain that an incident must explain

CLEAR_OF_PAIRS = 4.5
"""Standard errors by which results must differ with a holding: among the some 300 pairs of cards and hands that are
tried, chance alone passes that in one of 500 comparisons."""

LEAST_LIKELY = 0.1
"""Share of the worlds in which a seat must hold the card, and in which it must not: else it is rare, or nearly sure."""

LEAST_DIFFERENCE = 0.25  #: between an incident's shares with and without the card; for an amount, as a part of its mean
LEAST_PART = 0.15  #: part of the variance that the holding must explain
SAME = 1e-9  #: parts of the variance that differ by no more are equal but for rounding
HANDS = "hands"  #: field of a game's state with the cards that each seat holds; a game without it has no key cards


class Explanation:
    """A difference between two plays, ready to be put into words."""

    def say(
        self,
        game: Description,
        language: str,
        names: Sequence[str] = (),
        spell: Spell = typed,
        seat: int | None = None,
        frame: str = "hint",
    ) -> str:
        """Put it into sentences, for the plays of a seat (None: the reader's own).

        ``frame`` is the section of the text around it: ``hint``, or ``review`` of what is past."""
        return name_seats(spelled(self._text(game, language, seat, frame), spell), language, names)

    def _text(self, game: Description, language: str, seat: int | None, frame: str) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class DistinguishingOutcome(Explanation):
    """An outcome (incident) for a seat that one of two plays, the better one, brings more often than the other."""

    incident: str
    play: str
    other: str
    number: float  #: share of the worlds in which it happens after ``play``, 0 to 1; of an amount its mean
    other_number: float  #: the same after ``other``

    def _text(self, game: Description, language: str, seat: int | None, frame: str) -> str:
        incident = incident_named(game, self.incident)
        return catalogue(TEXTS, language)(
            f"{frame}.incident_amount" if incident.amount else f"{frame}.incident",
            rule=incident.rule, play=self.play, other=self.other, **_figures(game, incident, self, language, seat),
        )  # fmt: skip

    def preference(self, game: Description, language: str, names: Sequence[str] = (), spell: Spell = typed) -> str:
        """Say in one sentence without figures why its reader should prefer the one play."""
        incident = incident_named(game, self.incident)
        key = f"hint.{'more' if self.number > self.other_number else 'less'}{'_amount' if incident.amount else ''}"
        what = catalogue(game.files.texts, language)(f"incidents.{incident.name}")
        said = catalogue(TEXTS, language)(key, play=self.play, other=self.other, what=what)
        return name_seats(spelled(said, spell), language, names)


@dataclass(frozen=True)
class KeyCard(Explanation):
    """A card on whose holder much depends, and what comes where a seat holds it and where it does not."""

    seat: int  #: its possible holder
    card: str
    copies: int  #: so many of it, or more
    share: float  #: of the worlds in which that is so, 0 to 1
    play: str  #: the play of which that comes
    other: str  #: the play it is compared with
    incident: str  #: the name of what comes; empty: ``play`` brings so much more than ``other``
    #: with the card and without it, the share of the worlds in which the incident happens, 0 to 1; or the mean of an
    #: amount, or of what a play brings more, as people count it
    number: float
    other_number: float

    def _text(self, game: Description, language: str, seat: int | None, frame: str) -> str:
        texts = catalogue(TEXTS, language)
        if self.incident:
            incident = incident_named(game, self.incident)
            key = "hint.if_held_amount" if incident.amount else "hint.if_held"
            fields = _figures(game, incident, self, language, seat)
        else:
            figures = (signed(round(10 * number), 10) for number in (self.number, self.other_number))
            more, other_more = (counted(game, figure, language) for figure in figures)
            key, fields = "hint.if_held_gain", {"other": self.other, "more": more, "other_more": other_more}
        result = texts(key, share=percentage(self.share), play=self.play, **fields)
        key = f"{frame}.depends_copies" if self.copies > 1 else f"{frame}.depends"
        return texts(key, name=f"#{self.seat}", card=self.card, copies=self.copies, result=result)


def explain(
    game: Description, judged: Sequence[Rollouts], play: str, other: str
) -> tuple[DistinguishingOutcome | None, KeyCard | None]:
    """Explain why one play brings more than another, as far as anything does clearly.

    ``judged`` are the rollouts of the two plays, the better one first, by each judge, the strongest last."""
    outcome = find_outcome(game, judged, play, other)
    return outcome, find_key_card(game, judged[-1], outcome, play, other)


# Outcomes


def find_outcome(game: Description, judged: Sequence[Rollouts], play: str, other: str) -> DistinguishingOutcome | None:
    """Find the incident that explains best why one play brings more; None if none does clearly. See ``explain``.

    An incident's worth (by least squares, from the strongest judge's rollouts) times the difference of its shares is
    what it explains. The difference must be clearly more than chance makes, and on the same side by the other judges.
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
    if explained[best] < LEAST_EXPLAINED * mean:
        return None
    number, other_number = (float(each) for each in numbers[:, :, best].mean(0))
    return DistinguishingOutcome(named[best].name, play, other, number, other_number)


def _told_apart(numbers: Floats) -> Floats:
    """Blank one of two incidents that here always come together, or of which always one comes: the later one."""
    for k in range(1, numbers.shape[2]):
        for before in range(k):
            one, other = numbers[:, :, before], numbers[:, :, k]
            if np.array_equal(one, other) or np.ptp(one + other) == 0.0:
                numbers[:, :, k] = 0.0
    return numbers


def _weights(rollouts: Rollouts, numbers: Floats) -> Floats:
    """Worth of each incident, by least squares over all rollouts."""
    incidents, gains = numbers.reshape(-1, numbers.shape[2]), rollouts.gains.reshape(-1)
    weights: Floats = np.linalg.lstsq(incidents - incidents.mean(0), gains - gains.mean(), rcond=1e-9)[0]
    return weights


# Key cards


def find_key_card(
    game: Description, rollouts: Rollouts, outcome: DistinguishingOutcome | None, play: str, other: str
) -> KeyCard | None:
    """Find the holding that decides best whether an outcome comes; None if none explains much.

    Without an outcome, it is the one that decides by how much the better play brings more, and must make at least as
    much of a difference as that. ``rollouts`` are of two plays, the better one first."""
    if all(each.name != HANDS for each in game.fields):
        return None
    results, least = _results(game, rollouts, outcome)
    held = held_in(game, rollouts.worlds)
    found = _most_telling(held.reshape(len(held), -1).astype(np.float64), results, least)
    if found is None:
        return None
    k, column, share, number, other_number = found
    copies, seat, card = (int(each) for each in np.unravel_index(k, held.shape[1:]))
    plays = (other, play) if column else (play, other)
    incident = "" if outcome is None else outcome.incident
    return KeyCard(seat, game.cards[card], copies + 1, share, *plays, incident, number, other_number)


def _results(game: Description, rollouts: Rollouts, outcome: DistinguishingOutcome | None) -> tuple[Floats, float]:
    """Results to be explained, of shape (worlds, plays), and the least difference that the holding must make.

    They are the incident after each of both plays, or, in one column, what the better one brings more."""
    if outcome is None:
        more, (mean, doubt) = rollouts.gains[:, :1] - rollouts.gains[:, 1:], rollouts.more
        return more / game.rules.unit, mean / game.rules.unit if mean > SURE * doubt else inf
    place = game.display.incidents.index(incident_named(game, outcome.incident))
    results = rollouts.incidents[:, :, place].astype(np.float64)
    return results, LEAST_DIFFERENCE * (results.mean() if game.display.incidents[place].amount else 1.0)


def held_in(game: Description, worlds: NDArray[np.void]) -> NDArray[np.bool_]:
    """Read the holdings of every seat in worlds, records of shape (worlds,): bool of shape (worlds, copies, seats,
    cards), at ``[:, 0]`` true where a seat holds the card, at ``[:, 1]`` where it holds two of it or more, and so on as
    far as any seat holds so many."""
    (field,) = (each for each in game.fields if each.name == HANDS)
    hands = worlds[HANDS]
    held: NDArray[np.bool_]
    if field.holds is Holds.COUNTS:
        held = hands[:, None] >= np.arange(1, hands.max() + 1)[:, None, None]
    else:
        held = (hands[:, None, :, None] >> np.arange(len(game.cards)) & 1).astype(np.bool_)
    return held


def _most_telling(held: Floats, results: Floats, least: float) -> tuple[int, int, float, float, float] | None:
    """Find the column of ``held`` (worlds, holdings) that explains most of a column of ``results`` (worlds, plays):
    both columns, the share of worlds with the holding, and the means of the results with it and without."""
    worlds, share = len(held), held.mean(0)
    likely = np.flatnonzero((share >= LEAST_LIKELY) & (share <= 1 - LEAST_LIKELY))
    if not len(likely):
        return None
    held, share = held[:, likely], share[likely, None]
    number, other_number = held.T @ results / (worlds * share), (1 - held).T @ results / (worlds * (1 - share))
    difference = number - other_number
    part = share * (1 - share) * difference**2 / np.maximum(results.var(0), 1e-12)  # its root: their correlation
    telling = (np.abs(difference) >= least) & (part >= LEAST_PART) & (part * worlds >= CLEAR_OF_PAIRS**2)
    if not telling.any():
        return None
    # Where one of two hands must hold a card, either says the same: then the rarer holding is named.
    k, column = np.unravel_index(np.where(telling, part - SAME * share, -inf).argmax(), part.shape)
    return int(likely[k]), int(column), float(share[k, 0]), float(number[k, column]), float(other_number[k, column])


# Words


def incident_named(game: Description, name: str) -> Incident:
    """Find the game's incident of this name."""
    return next(each for each in game.display.incidents if each.name == name)


def _figures(
    game: Description, incident: Incident, found: DistinguishingOutcome | KeyCard, language: str, seat: int | None
) -> dict[str, str]:
    """Fields of a text: the clause that says what happens to a seat (None: to the reader), and both numbers."""

    def number(each: float) -> str:
        return counted(game, f"{each:.1f}", language) if incident.amount else f"{100 * each:.0f}"

    texts = catalogue(game.files.texts, language)
    own, of = f"incidents.{incident.name}", f"incidents_of.{incident.name}"
    what = texts(own) if seat is None else texts(of, name=f"#{seat}")
    return {"what": what, "number": number(found.number), "other_number": number(found.other_number)}


def counted(game: Description, number: str, language: str) -> str:
    """Write a number with what people count in the game (points, stakes), if the game's texts name it."""
    own = catalogue(game.files.texts, language)
    if "currency" not in own:
        return number
    return catalogue(TEXTS, language)("hint.amount", number=number, currency=own("currency"))
