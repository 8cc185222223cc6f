"""Reviews, which say where a deal was won and lost: every decision of a seat judged from what that seat could know.

The best play is the one that a hint would have advised (``bots/advice.py``). If another was made, the judges play both
on in worlds that the seat thought possible: what the better one brings more there by all of them was given away.
The result of a deal is the sum of three parts. *Own plays* is what was given away; *the others' plays* is by how much
each of their plays changed what the deal was worth with all hands open; *luck* is the rest: what the cards were worth
as they were dealt, and how they turned out to lie."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.advice import THINKING, listed, weigh
from tefuda.bots.explanations import DistinguishingOutcome, KeyCard
from tefuda.bots.play_estimates import WORLDS, open_payoffs
from tefuda.bots.search import BY_HINTS, Budget, SearchBot
from tefuda.engine import cache
from tefuda.engine.errors import TefudaError
from tefuda.engine.files import whole
from tefuda.engine.objective import gain_weights
from tefuda.engine.texts import TEXTS, Spell, catalogue, spelled, typed
from tefuda.table.deal import Deal

PLAYOUTS = 40  #: from each moment, for what the deal is worth there with all hands open
FINE_BELOW = 10  #: where neither gain nor loss is as large as this, figures have two decimals; else one
MOST_KEPT = 5000  #: files of reviews, of some kilobytes each; those used longest ago go first


@dataclass(frozen=True)
class ChoicePoint:
    """A moment at which a seat could choose: the deal before it, the play that was made, and which action of it."""

    moment: Deal
    word: str
    action: int


@dataclass(frozen=True)
class Decision:
    """A decision among several actions."""

    plays: int  #: how many plays had been made in the deal
    seat: int
    play: str
    #: the word of the best play, a play of several actions completed by rules of thumb; that of ``play`` if none is
    #: clearly better. Where it differs and nothing was given away, the only judge finds it better.
    best: str
    #: by how much the best is better, on average, in what people count, by the judge who finds less; 0 if it is not
    #: clearly better by every judge, or if there is one judge only
    given_away: float = 0.0
    low: float = 0.0  #: between this and ``high`` that gain lies by every judge, in 19 of 20 cases
    high: float = 0.0
    #: the outcome that tells the best play from the one that was made; None if nothing does clearly
    contrast: DistinguishingOutcome | None = None
    holding: KeyCard | None = None  #: the card on whose holder it depends most; None if no holding explains much

    @property
    def doubt(self) -> float:
        """Standard error; four of them span the range."""
        return (self.high - self.low) / 4


@dataclass(frozen=True)
class DealReview:
    """A review of one seat's deal, in what people count; gains are over the others (``engine/objective.py``)."""

    seat: int
    decisions: Sequence[Decision]  #: all of the seat's, in their order
    worths: Sequence[float]  #: of the deal to the seat with all hands open, after dealing and after each play
    luck: float  #: the first of the three parts of ``gain``
    own: float
    others: float
    gain: float

    @property
    def moments(self) -> list[Decision]:
        """Plays that were not the best, each by its dearest decision, the dearest first."""
        found: dict[int, Decision] = {}
        for each in sorted(self.decisions, key=lambda each: (-each.given_away, -each.high)):
            if each.best != each.play:
                found.setdefault(each.plays, each)
        return list(found.values())

    @property
    def decimals(self) -> int:
        """Decimals of its figures; they do not depend on what hidden hands were worth."""
        return 1 if max(abs(self.gain), abs(self.own)) >= FINE_BELOW else 2

    def rounded_parts(self) -> dict[str, float]:
        """Round ``luck``, ``own``, ``others`` and ``gain`` as they are shown, so that they still add up exactly."""
        own, others, gain = (round(each, self.decimals) + 0.0 for each in (self.own, self.others, self.gain))  # no −0
        return {"luck": round(gain - own - others, self.decimals) + 0.0, "own": own, "others": others, "gain": gain}


def choices(deal: Deal, seat: int | None = None) -> Iterator[ChoicePoint]:
    """Yield the moments at which a seat, or any, had several actions to choose from; ``TefudaError`` if the deal is not
    over."""
    _must_be_reviewable(deal, seat or 0)
    moment = deal.at(0)
    for mover, word in deal.history:
        if mover != moment.mover:  # said out of turn, which nothing asked for
            moment.play(word, mover)
            continue
        for action in moment.game.description.notation.actions(moment.array, word):
            if seat in (None, mover) and len(moment.legal_actions()) > 1:
                yield ChoicePoint(moment.copy(), word, action)
            moment.act(action)


def _must_be_reviewable(deal: Deal, seat: int) -> None:
    if not deal.over:
        raise TefudaError("the deal is not over: it can be reviewed when it is")
    if not 0 <= seat < deal.game.seats:
        raise TefudaError(f"there is no seat {seat}; seats are 0 to {deal.game.seats - 1}")


class Reviewer:
    """Judges deals, by so many simulations a decision and worlds for two plays.

    The same view and seed are judged the same, whatever the others hold. ``search`` is the bot to search with, where
    there is one already; its trees are large."""

    def __init__(
        self,
        simulations: int = THINKING.iterations,
        worlds: int = WORLDS,
        seed: int = 0,
        search: SearchBot | None = None,
    ) -> None:
        self._search, self._worlds, self._seed = search or SearchBot(settings=BY_HINTS), worlds, seed
        self._search.budget = Budget(iterations=simulations)

    def review(self, deal: Deal, seat: int, progress: Callable[[], object] = lambda: None) -> DealReview:
        """Review a seat's deal that was played to its end; ``TefudaError`` if it was not, or there is no such seat.

        ``progress`` is called after each decision; ``choices`` says how many there are."""
        decisions = []
        for choice in choices(deal, seat):
            decisions.append(self.judge(choice))
            progress()
        return sum_up(deal, seat, decisions, self.worths(deal, seat))

    def judge(self, choice: ChoicePoint) -> Decision:
        """Compare an action with the best, from the mover's view alone."""
        moment, word = choice.moment, choice.word
        number, seat, played = len(moment.history), moment.mover, listed(moment, choice.action)
        found = weigh(moment, self._search, self._seed, self._worlds, played)
        best, made = found.best, found.actions.index(played)
        gain = found.gain(best, made)
        if best == made or not (gain.size or gain.seems) or found.plays[best] == word:
            return Decision(number, seat, word, word)
        explained = found.explained(best, made) if gain.size else (None, None)
        return Decision(number, seat, word, found.plays[best], gain.size, gain.low, gain.high, *explained)

    def worths(self, deal: Deal, seat: int) -> list[float]:
        """Estimate a deal's worth to a seat, all hands open, after dealing and after each play; the last is exact."""
        _must_be_reviewable(deal, seat)
        moment = deal.at(0)
        states = [moment.array]
        for mover, word in deal.history:
            moment.play(word, mover)
            states.append(moment.array)
        many = np.repeat(np.concatenate(states), PLAYOUTS)
        payoffs = open_payoffs(deal.game.description, many, self._seed).reshape(len(states), PLAYOUTS, -1)
        worths: NDArray[np.float64] = payoffs.mean(1) @ gain_weights(moment.array[0])[:, seat]
        found: list[float] = (worths / deal.game.description.rules.unit).tolist()
        return found


def sum_up(deal: Deal, seat: int, decisions: Sequence[Decision], worths: Sequence[float]) -> DealReview:
    """Sum up a review of a seat's deal from what ``Reviewer`` found of its decisions and of its worths."""
    changes = [after - before for before, after in pairwise(worths)]
    others = sum(change for change, (mover, _) in zip(changes, deal.history, strict=True) if mover != seat)
    own, gain = -sum(each.given_away for each in decisions), worths[-1]
    return DealReview(seat, decisions, worths, gain - own - others, own, others, gain)


def so_far(deal: Deal, seat: int, decisions: Sequence[Decision]) -> DealReview:
    """Sum up the decisions that are judged while others are not: ``luck`` and ``others`` are 0, ``worths`` empty."""
    gain = float(np.array(deal.payoff()) @ gain_weights(deal.array[0])[:, seat]) / deal.game.description.rules.unit
    return DealReview(seat, decisions, (), 0.0, -sum(each.given_away for each in decisions), 0.0, gain)


def say_moment(decision: Decision, decimals: int, language: str, spell: Spell = typed, name: str = "") -> str:
    """Say that a decision of a player (by default the reader) was not the best, and by how much."""
    texts = catalogue(TEXTS, language)
    numbers = {"gain": decision.given_away, "low": decision.low, "high": decision.high}
    figures = {key: f"{number:.{decimals}f}" for key, number in numbers.items()}
    better = texts("review.better" if decision.given_away else "review.may_be_better", best=decision.best, **figures)
    fields = {"number": decision.plays + 1, "play": decision.play, "verdict": better}
    return spelled(texts("review.moment_of", name=name, **fields) if name else texts("review.moment", **fields), spell)


class KeptReviews:
    """The reviews that this user's programs have made by the usual ``Reviewer``, by default in the user's cache folder.

    Each file is named after a hash of all that the review follows from. One that cannot be read or written counts as
    not kept: a review can be made again."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache.root() / "reviews"

    def read(self, deal: Deal, seat: int) -> DealReview | None:
        """Read the review of a seat's deal; None if there is none from the present rules and search."""
        path = self._path(deal, seat)
        with suppress(OSError, ValueError, TypeError, KeyError):
            given = json.loads(path.read_bytes())
            os.utime(path)
            return DealReview(**{**given, "decisions": [_read_decision(each) for each in given["decisions"]]})
        return None

    def keep(self, deal: Deal, review: DealReview) -> None:
        """Keep the review of a deal."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with whole(self._path(deal, review.seat), f".{os.getpid()}") as file:
                file.write_text(json.dumps(asdict(review)), "utf-8")
            for oldest in sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime)[:-MOST_KEPT]:
                oldest.unlink(missing_ok=True)

    def _path(self, deal: Deal, seat: int) -> Path:
        settings = f"{cache.key()} {THINKING.iterations} {WORLDS} {PLAYOUTS} {seat}\n"
        return self._folder / f"{hashlib.sha256((settings + deal.record()).encode()).hexdigest()}.json"


def _read_decision(given: dict[str, Any]) -> Decision:
    contrast, holding = given.pop("contrast"), given.pop("holding")
    found = contrast and DistinguishingOutcome(**contrast)
    return Decision(**given, contrast=found, holding=holding and KeyCard(**holding))
