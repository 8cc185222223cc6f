"""Where a deal was won and lost: every decision of a seat judged from what that seat could know.

What was best is the verdict that a hint would have given (``bots/verdict.py``). If something else was played, two
judges play both on in the same worlds that the seat thought possible: what the better one brings more there by either
was given away. What a deal brought in the end is the sum of three parts. *Own plays* is what was given away; *the
others' plays* is by how much each of their plays changed what the deal was worth with all hands open; *luck* is the
rest: what the cards were worth as they were dealt, and how they turned out to lie.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.contrast import Contrast
from tefuda.bots.holding import Holding
from tefuda.bots.judges import WORLDS, open_payoffs
from tefuda.bots.search import BY_HINTS, Budget, SearchBot
from tefuda.bots.verdict import THINKING, listed, weigh
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import gain_weights
from tefuda.engine.texts import TEXTS, Spell, catalogue, spelled, typed
from tefuda.table.deal import Deal

PLAYOUTS = 40
"""From each moment, for what the deal is worth there with all hands open."""

FINE_BELOW = 10
"""Where neither gain nor loss is as large as this, figures have two decimals; else one."""


@dataclass(frozen=True)
class Choice:
    """A moment at which a seat could choose.

    Attributes:
        moment: the deal before it acted.
        word: the play that was made.
        action: the action of it that was chosen here.
    """

    moment: Deal
    word: str
    action: int


@dataclass(frozen=True)
class Decision:
    """A decision among several actions.

    Attributes:
        plays: how many plays had been made in the deal.
        seat: who decided.
        play: the word of the play that was made.
        best: the word of the best play, a play of several actions completed by rules of thumb; the same if none is
            clearly better. Where it differs and nothing was given away, the only judge finds it better.
        given_away: what the best brings more, on average, in what people count, by the judge who finds less; 0 if it is
            not clearly better by every judge, or if there is one judge only.
        low, high: between these lies what it brings more by every judge, in 19 of 20 cases.
        contrast: what becomes of the seat with the best play and with the one that was made; None if nothing tells
            them clearly apart.
        holding: whose holding which card decides what comes of either; None if no holding explains much.
    """

    plays: int
    seat: int
    play: str
    best: str
    given_away: float = 0.0
    low: float = 0.0
    high: float = 0.0
    contrast: Contrast | None = None
    holding: Holding | None = None

    @property
    def doubt(self) -> float:
        """A standard error: four of them span the range."""
        return (self.high - self.low) / 4


@dataclass(frozen=True)
class DealReview:
    """What became of one seat's deal, in what people count; gains are over the others (``engine/objective.py``).

    Attributes:
        seat: whose.
        decisions: all of the seat's, in their order.
        worths: what the deal was worth to the seat with all hands open, after dealing and after each play.
        luck, own, others: the parts of ``gain``; they add up to it.
        gain: what the deal brought.
    """

    seat: int
    decisions: Sequence[Decision]
    worths: Sequence[float]
    luck: float
    own: float
    others: float
    gain: float

    @property
    def moments(self) -> list[Decision]:
        """The plays that were not the best, each by its dearest decision, the dearest first."""
        found: dict[int, Decision] = {}
        for each in sorted(self.decisions, key=lambda each: (-each.given_away, -each.high)):
            if each.best != each.play:
                found.setdefault(each.plays, each)
        return list(found.values())

    @property
    def decimals(self) -> int:
        """With how many decimals its figures are shown; what hidden hands were worth has no say in it."""
        return 1 if max(abs(self.gain), abs(self.own)) >= FINE_BELOW else 2

    def rounded_parts(self) -> dict[str, float]:
        """``luck``, ``own``, ``others`` and ``gain`` as they are shown: rounded, they still add up exactly."""
        own, others, gain = (round(each, self.decimals) + 0.0 for each in (self.own, self.others, self.gain))  # no −0
        return {"luck": round(gain - own - others, self.decimals) + 0.0, "own": own, "others": others, "gain": gain}


def choices(deal: Deal, seat: int) -> Iterator[Choice]:
    """The moments at which a seat had several actions to choose from, in their order.

    Args:
        deal: played to its end.
        seat: whose.

    Raises:
        TefudaError: the deal is not over, or there is no such seat.
    """
    _must_be_reviewable(deal, seat)
    moment = deal.at(0)
    for mover, word in deal.history:
        if mover != moment.mover:  # said out of turn, which nothing asked for
            moment.play(word, mover)
            continue
        for action in moment.game.description.notation.actions(moment.array, word):
            if mover == seat and len(moment.legal_actions()) > 1:
                yield Choice(moment.copy(), word, action)
            moment.act(action)


def _must_be_reviewable(deal: Deal, seat: int) -> None:
    if not deal.over:
        raise TefudaError("the deal is not over: it can be reviewed when it is")
    if not 0 <= seat < deal.game.seats:
        raise TefudaError(f"there is no seat {seat}; seats are 0 to {deal.game.seats - 1}")


class Reviewer:
    """Judges deals. The same view and seed are judged the same, whatever the others hold.

    Args:
        simulations: of the search, a decision.
        worlds: in which two plays are compared.
        seed: of all that is drawn.
        search: the bot to search with, where there is one already; its trees are large.
    """

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
        """Review a seat's deal.

        Args:
            deal: played to its end.
            seat: whose decisions are judged.
            progress: called after each decision; ``choices`` says how many there are.

        Raises:
            TefudaError: the deal is not over, or there is no such seat.
        """
        decisions = []
        for choice in choices(deal, seat):
            decisions.append(self.judge(choice))
            progress()
        return sum_up(deal, seat, decisions, self.worths(deal, seat))

    def judge(self, choice: Choice) -> Decision:
        """Compare an action with the best, from the mover's view alone."""
        moment, word = choice.moment, choice.word
        number, seat, played = len(moment.history), moment.mover, listed(moment, choice.action)
        found = weigh(moment, self._search, self._seed, self._worlds, played)
        best, made = found.best, found.actions.index(played)
        gain = found.trial.gain(best, made)
        if best == made or not (gain.size or gain.seems) or found.plays[best] == word:
            return Decision(number, seat, word, word)
        contrast, holding = found.explained(best, made) if gain.size else (None, None)
        return Decision(number, seat, word, found.plays[best], gain.size, gain.low, gain.high, contrast, holding)

    def worths(self, deal: Deal, seat: int) -> list[float]:
        """What the deal was worth to a seat with all hands open, after dealing and after each play; the last is exact.

        Raises:
            TefudaError: the deal is not over, or there is no such seat.
        """
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
    """The review of a seat's deal, from what ``Reviewer`` found of its decisions and of its worths."""
    changes = [after - before for before, after in pairwise(worths)]
    others = sum(change for change, (mover, _) in zip(changes, deal.history, strict=True) if mover != seat)
    own, gain = -sum(each.given_away for each in decisions), worths[-1]
    return DealReview(seat, decisions, worths, gain - own - others, own, others, gain)


def say_moment(decision: Decision, decimals: int, language: str, spell: Spell = typed, name: str = "") -> str:
    """A decision that was not the best, and by how much.

    Args:
        decision: of the reader, or of whom ``name`` names.
        decimals: of its figures.
        language: of the text.
        spell: how notation is written.
        name: of the player.
    """
    texts = catalogue(TEXTS, language)
    numbers = {"gain": decision.given_away, "low": decision.low, "high": decision.high}
    figures = {key: f"{number:.{decimals}f}" for key, number in numbers.items()}
    verdict = texts("review.better" if decision.given_away else "review.may_be_better", best=decision.best, **figures)
    told = {"number": decision.plays + 1, "play": decision.play, "verdict": verdict}
    return spelled(texts("review.moment_of", name=name, **told) if name else texts("review.moment", **told), spell)
