"""Advice on what to play: the rules of thumb's, unless every judge finds another play better.

Hints, reviews and problems rest on it. A search chooses the plays that may be best; the judges (``play_estimates``)
say what one of them brings more than another. The same view and seed give the same advice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from tefuda.bots.explanations import DistinguishingOutcome, KeyCard, counted, explain
from tefuda.bots.nested_search import roll_out_nested
from tefuda.bots.play_estimates import SURE, WORLDS, Gain, PlayEstimate, Rollouts, Trial, try_actions
from tefuda.bots.players import HintsBot, advice
from tefuda.bots.search import Budget, SearchBot
from tefuda.engine import verbs
from tefuda.engine.notation import NotationError
from tefuda.engine.rng import generator
from tefuda.engine.texts import TEXTS, Spell, catalogue, spelled, typed
from tefuda.table.deal import Deal
from tefuda.table.reasons import say_line

THINKING = Budget(iterations=1000)  #: for the search that chooses which plays are judged
MOST_PLAYS = 5  #: plays that are judged, and of which a person is told
CONFIRMING_WORLDS, CONFIRMING_SIMULATIONS = 30, 10  # of nested play, which is slow
MORE_WORLDS = 90  # of nested play, where so few leave in doubt a gain that it seems to find too


@dataclass(frozen=True)
class Advice:
    """Advice to the mover."""

    play: str  #: a word; of cards to be thrown face down which ones
    usual: str  #: the play that the rules of thumb advise; most often the same
    #: the judges' finding (``hint.<code>`` in the texts): ``better`` than the usual play; as the usual play
    #: ``agrees_by`` so much, ``agrees`` or ``close``; where there is one judge only, ``agrees`` or ``may_be_better``,
    #: of another play; ``decided`` where nothing depends on it any more; empty if they were not asked
    code: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)  #: of that text
    plays: Sequence[PlayEstimate] = ()  #: the judges' figures, this play first, then the best; none by one judge alone
    #: the outcome that tells this play from the one it is compared with, the usual one or the next best
    contrast: DistinguishingOutcome | None = None
    holding: KeyCard | None = None  #: the card on whose holder it depends most
    worlds: int = 0  #: if the deal was counted out to its end, in how many worlds; these are all that fit

    def sentence(self, deal: Deal, language: str, names: Sequence[str] = (), spell: Spell = typed) -> str:
        """Say the play at its moment, and why, in one sentence without figures."""
        texts = catalogue(TEXTS, language)
        if self.code == "decided":
            return spelled(texts("hint.play", play=f"`{self.play}`"), spell) + texts("hint.decided")
        if self.play == self.usual:
            reason = advice_reason(deal, self.play, language, names, spell)
            key = "hint.play" if reason else "hint.usual"
            return spelled(texts(key, play=f"`{self.play}`"), spell) + reason
        if self.contrast is not None:
            return self.contrast.preference(deal.game.description, language, names, spell)
        return spelled(texts("hint.rather", play=self.play, other=self.fields["other"]), spell)

    def figures(self, deal: Deal, language: str, names: Sequence[str] = (), spell: Spell = typed) -> list[str]:
        """Say the judges' findings, and what tells the play from another, in sentences with figures; none at times."""
        texts, game = catalogue(TEXTS, language), deal.game.description
        found = []
        if self.contrast is not None:
            found.append(self.contrast.say(game, language, names, spell))
        if self.code and self.code != "decided":
            gain = {"gain": counted(game, self.fields["gain"], language)} if "gain" in self.fields else {}
            found.append(spelled(texts(f"hint.{self.code}", **{**self.fields, **gain}), spell))
        if self.worlds:
            found.append(texts("hint.counted", count=str(self.worlds)))
        if self.holding is not None:
            found.append(self.holding.say(game, language, names, spell))
        return found


def advice_reason(deal: Deal, play: str, language: str = "en", names: Sequence[str] = (), spell: Spell = typed) -> str:
    """Say why the rules of thumb advise a play (``tefuda.advice``) to the mover, from the mover's view alone.

    It takes a sentence or two, with the numbers of rules where they decide; empty where the game gives no reasons."""
    game = deal.game.description
    if len(deal.legal_actions()) == 1:
        return catalogue(TEXTS, language)("only_play")
    if game.display.why_advised is None:
        return ""
    action = game.notation.actions(deal.array, play)[0]
    line = game.display.why_advised(deal.view(deal.mover).record, action, play)
    return say_line(game, line, language, names, spell)


@dataclass(frozen=True)
class Weighed:
    """Actions of one moment that were tried by every judge, the usual one first, and words of plays they begin.

    Only the first ``rivals`` may be the best; those after them are only compared with it. ``nested`` plays two of them
    on by nested play, given by their places."""

    actions: Sequence[int]
    plays: Sequence[str]
    trial: Trial
    rivals: int
    nested: Callable[[int, int], Rollouts]

    def gain(self, place: int, other: int) -> Gain:
        """Gain of one action over another by every judge, nested play included; that is not asked about endings."""
        found = self.trial.gain(place, other)
        if not found.size or self.trial.counted is not None:
            return found
        return self.trial.gain(place, other, self.nested(place, other))

    @property
    def best(self) -> int:
        """Place of the play to make: the usual one, unless another is better by every judge."""
        best = max(range(self.rivals), key=lambda place: self.trial.gain(place, 0).size if place else 0.0)
        return best if best and self.gain(best, 0).size else 0

    def next_best(self, best: int) -> int:
        """Find the place of the best of the others; ``best`` again if it is the only one."""
        others = [place for place in range(self.rivals) if place != best]
        return max(others, key=lambda place: self.trial.estimate(place).worth, default=best)

    def advice(self) -> Advice:
        """Advise the best play."""
        best = self.best
        other = 0 if best else self.next_best(best)
        seeming = max(range(self.rivals), key=lambda place: self.trial.gain(place, 0).low if place else 0.0)
        if best == other:
            return Advice(self.plays[0], self.plays[0])
        if self.trial.decided:
            return self.compared(0, other, "decided", Gain())
        if not best and self.trial.gain(seeming, 0).seems:
            return Advice(self.plays[0], self.plays[0], "may_be_better", {"other": self.plays[seeming]})
        gain = self.gain(best, other)
        code = "better" if best else "agrees_by" if gain.size else "agrees" if gain.seems else "close"
        return self.compared(best, other, code, gain)

    def compared(self, best: int, other: int, code: str, gain: Gain) -> Advice:
        """Advise one play, compared with another."""
        fields = {} if code == "agrees" else {"other": self.plays[other]}
        if gain.size:
            fields["gain"] = figure(gain.size)
        explained = self.explained(best, other) if gain.size else (None, None)
        usual, worlds = self.plays[0], self.trial.worlds
        return Advice(self.plays[best], usual, code, fields, self._estimates(best), *explained, worlds)

    def explained(self, best: int, other: int) -> tuple[DistinguishingOutcome | None, KeyCard | None]:
        """Explain what one play, the better one, brings more than the other."""
        tried = [each.of(best, other) for each in self.trial.rollouts]
        return explain(self.trial.game, tried, self.plays[best], self.plays[other])

    def _estimates(self, best: int) -> list[PlayEstimate]:
        """Estimates of all plays that may be the best, the best first; none by one judge alone."""
        if len(self.trial.rollouts) < 2:
            return []
        found = [self.trial.estimate(place, self.plays[place]) for place in range(self.rivals)]
        return [found[place] for place in sorted(range(self.rivals), key=lambda k: (k != best, -found[k].worth))]


def figure(number: float) -> str:
    """Write a gain for people: with two decimals where one would leave only nought."""
    return f"{number:.1f}" if number >= 0.95 else f"{number:.2f}"


def usual_advice(deal: Deal, seed: int = 0) -> Advice:
    """Advise the mover by the rules of thumb alone."""
    usual = advice(deal, seed)
    return Advice(usual, usual)


def find_advice(deal: Deal, bot: SearchBot, seed: int = 0, worlds: int = WORLDS) -> Advice:
    """Advise the mover, whose view alone is read, by a search and by playing on in so many worlds."""
    return usual_advice(deal, seed) if len(deal.legal_actions()) == 1 else weigh(deal, bot, seed, worlds).advice()


def weigh(deal: Deal, bot: SearchBot, seed: int = 0, worlds: int = WORLDS, played: int | None = None) -> Weighed:
    """Let the judges try what may be best, and compare it with an action that was ``played``, if any."""
    view, rng = deal.view(deal.mover), generator((seed, len(deal.history)))
    usual = listed(deal, HintsBot().choose(view, deal.legal_actions(), generator((seed, len(deal.history)))))
    found = list(dict.fromkeys([usual, *(each.action for each in bot.think(view, rng))]))[:MOST_PLAYS]
    tried = found if played is None or played in found else [*found, played]
    return weigh_actions(deal, tried, seed, worlds, len(found))


def weigh_actions(deal: Deal, actions: Sequence[int], seed: int, worlds: int, rivals: int) -> Weighed:
    """Let the judges try these actions, the usual one first; ``rivals`` of them may be the best."""
    seeds, game = (seed, len(deal.history)), deal.game.description
    trial = try_actions(game, deal.array, deal.mover, actions, seeds, worlds)

    @cache
    def nested(*places: int) -> Rollouts:
        tried, of = [actions[place] for place in places], (game, deal.array, deal.mover)
        found = roll_out_nested(*of, tried, (*seeds, 4), min(worlds, CONFIRMING_WORLDS), CONFIRMING_SIMULATIONS)
        mean, error = found.more
        if not 0 < mean < SURE * error:
            return found
        return roll_out_nested(*of, tried, (*seeds, 5), min(worlds, MORE_WORLDS), CONFIRMING_SIMULATIONS)

    return Weighed(actions, [completed(deal, each) for each in actions], trial, rivals, nested)


def completed(moment: Deal, action: int) -> str:
    """Return the word of the play that an action begins or goes on with; rules of thumb choose the actions after it."""
    trial, hints = moment.copy(), HintsBot()
    trial.act(action)
    while len(trial.history) == len(moment.history):
        trial.act(hints.choose(trial.view(trial.mover), trial.legal_actions(), generator(0)))
    return trial.history[-1][1]


def listed(deal: Deal, action: int) -> int:
    """Return the legal action that stands for this one, where the mover's cards are equal."""
    return int(verbs.listed(deal.array[0], action))


def first_actions(deal: Deal, plays: Sequence[str]) -> list[int]:
    """List the legal actions with which plays begin, in their order, each once; every play says which cards."""
    actions = deal.game.description.notation.actions
    return list(dict.fromkeys(listed(deal, actions(deal.array, play)[0]) for play in plays))


def listed_play(deal: Deal, play: str) -> str:
    """Return the word by which the legal plays list a play: ``~3`` for three cards face down."""
    try:
        return deal.word(deal.game.description.notation.actions(deal.array, play)[0])
    except NotationError:
        return play
