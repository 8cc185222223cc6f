"""One verdict on what to play: what the rules of thumb advise, unless a search finds it worse; and what it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

from tefuda.bots.contrast import Contrast, counted, find_contrast, say_contrast
from tefuda.bots.estimates import FEWEST_VISITS, PlayEstimate
from tefuda.bots.holding import Holding, find_holding, say_holding
from tefuda.bots.players import advice
from tefuda.bots.rollouts import roll_out_plays
from tefuda.bots.search import Budget, SearchBot, estimate_plays
from tefuda.bots.trick_chances import trick_chances
from tefuda.engine.notation import NotationError
from tefuda.engine.rng import generator
from tefuda.engine.texts import TEXTS, Spell, catalogue, spelled, typed
from tefuda.table.advice import advice_reason
from tefuda.table.deal import Deal

THINKING = Budget(milliseconds=300)
"""For the search: with all the rest, a hint takes less than half a second."""

MOST_PLAYS = 7
"""Plays of which a person is told."""

SURE = 2.0
"""Standard errors by which another play must be better before that is said."""

TELLING = 0.15
"""The difference between two plays' shares of won tricks that is worth a sentence: about two standard errors."""

WORLDS = 400
"""In which a play and the usual one are played on, the same for both."""

SAME = 0.08
"""The difference between the shares of them in which two plays end well that chance alone may make: two standard
errors, or a little more."""

LEAST_SHARE = 0.01
"""Of all simulations, below which a play's mean says nothing: the search has turned away from it."""


@dataclass(frozen=True)
class Verdict:
    """What to play.

    Attributes:
        play: a word; of cards to be thrown face down which ones, where the rules of thumb choose them.
        usual: what the rules of thumb advise; most often the same.
        code: what the search says of it (``hint.<code>`` in the texts): ``agrees``, ``agrees_by``, ``even``,
            ``better`` or ``gave_up``; empty if nothing was searched, or in vain.
        fields: of that text.
        plays: what the search found, this play first, then the best that it has judged, then the most tried.
        judged: the plays among them that were tried often enough for figures.
        chances: where the search has changed the verdict: in which share of the deals that fit what the mover knows
            this play, and the usual one, take the trick; empty if that tells nothing.
        ahead: there too: in which share of them the mover ends above the others' mean with each; empty if one of the
            plays does not say which cards.
        contrast: what becomes of the mover with this play and with the one it is compared with: the usual one, or the
            next best; None if nothing tells them clearly apart.
        holding: whose holding which card decides what comes of either; None if no holding explains much.
    """

    play: str
    usual: str
    code: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    plays: Sequence[PlayEstimate] = ()
    judged: frozenset[str] = frozenset()
    chances: Mapping[str, float] = field(default_factory=dict)
    ahead: Mapping[str, float] = field(default_factory=dict)
    contrast: Contrast | None = None
    holding: Holding | None = None

    def sentences(self, deal: Deal, language: str, names: Sequence[str] = (), spell: Spell = typed) -> list[str]:
        """The verdict, what speaks for it, and what a search finds of it.

        Args:
            deal: which it is about.
            language: of the texts.
            names: of the seats.
            spell: how notation is written.
        """
        texts, game = catalogue(TEXTS, language), deal.game.description
        found = [spelled(texts("hint.play", play=self.play), spell)]
        if self.play == self.usual:
            found.append(advice_reason(deal, self.play, language, names, spell))
        if self.chances:
            won = _difference(self.chances) > 0
            found.append(spelled(texts("hint.trick_more" if won else "hint.trick_less", **_told(self.chances)), spell))
        if self.contrast is not None:
            found.append(say_contrast(game, self.contrast, language, names, spell))
        elif self.ahead:
            more = _difference(self.ahead)
            code = "ahead_same" if abs(more) <= SAME else "ahead" if more > 0 else "ahead_seldom"
            found.append(spelled(texts(f"hint.{code}", **_told(self.ahead)), spell))
        if self.code:
            gain = {"gain": counted(game, self.fields["gain"], language)} if "gain" in self.fields else {}
            found.append(spelled(texts(f"hint.{self.code}", **{**self.fields, **gain}), spell))
        if self.holding is not None:
            found.append(say_holding(game, self.holding, language, names, spell))
        return [sentence for sentence in found if sentence]


def usual_verdict(deal: Deal, seed: int = 0) -> Verdict:
    """What the rules of thumb alone say to the mover; arguments as of ``find_verdict``."""
    usual = advice(deal, seed)
    return Verdict(usual, usual)


def find_verdict(deal: Deal, bot: SearchBot, seed: int = 0) -> Verdict:
    """What to play in the mover's place.

    Args:
        deal: not over; only the mover's view is read.
        bot: the search, with its budget.
        seed: of what the rules of thumb and the search leave to chance.
    """
    alone = usual_verdict(deal, seed)
    if len(deal.legal_actions()) == 1:
        return alone
    listed = listed_play(deal, alone.play)
    found = weigh(listed, estimate_plays(deal, bot, seed))
    play = alone.play if found.play == listed else found.play
    return explained(replace(found, usual=alone.play, play=play), deal, seed)


def explained(verdict: Verdict, deal: Deal, seed: int) -> Verdict:
    """A verdict with what its play and the one it is compared with lead to.

    Args:
        verdict: on the deal.
        deal: not over; only the mover's view is read.
        seed: of the deals that are imagined.
    """
    if "other" not in verdict.fields or verdict.code == "even":
        return verdict
    other = verdict.fields["other"]
    against = other if verdict.play == verdict.usual else verdict.usual  # which says what cards it throws
    tried = roll_out_plays(deal, [verdict.play, against], generator((seed, 1)), WORLDS)
    if tried is not None:
        game = deal.game.description
        contrast = find_contrast(game, tried, verdict.play, other)
        holding = find_holding(game, tried, contrast, verdict.play, other)
        ahead = {} if verdict.play == verdict.usual else dict(zip([verdict.play, other], tried.ahead, strict=True))
        verdict = replace(verdict, contrast=contrast, holding=holding, ahead=ahead)
    if verdict.play == verdict.usual:
        return verdict
    return replace(verdict, chances=_telling(trick_chances(deal, [verdict.play, listed_play(deal, against)], seed)))


def _telling(chances: Mapping[str, float] | None) -> Mapping[str, float]:
    """The same, or nothing if the plays take the trick about as often."""
    return chances if chances and abs(_difference(chances)) > TELLING else {}


def _difference(shares: Mapping[str, float]) -> float:
    """By how much the first of two shares is the greater."""
    share, other = shares.values()
    return share - other


def _told(shares: Mapping[str, float]) -> dict[str, str]:
    """Two plays' shares as fields of a text."""
    (_, share), (other, others) = shares.items()
    return {"share": f"{100 * share:.0f}", "other": other, "other_share": f"{100 * others:.0f}"}


def weigh(usual: str, found: Sequence[PlayEstimate]) -> Verdict:
    """The verdict between what the rules of thumb advise and what a search found.

    What is advised stands unless another play is surely better, or the search has turned away from it: it has not even
    judged it, though it had the time to judge every play.

    Args:
        usual: what is advised, as the legal plays list it.
        found: the play that the search would make first, then the others.
    """
    tries = sum(each.visits for each in found)
    judged = {each.play: each for each in found if each.judged and each.visits >= LEAST_SHARE * tries}
    if not judged or (usual and usual not in judged and tries < FEWEST_VISITS * len(found)):
        advised_first = sorted(found, key=lambda each: each.play != usual)
        return Verdict(usual, usual, plays=advised_first[:MOST_PLAYS])
    best = max(judged.values(), key=lambda each: each.worth)
    first = next((each for each in (usual, found[0].play) if each in judged and not is_better(best, judged[each])), "")
    play = judged.get(first, best)
    rivals = sorted((each for each in judged.values() if each is not play), key=lambda each: -each.worth)
    rest = [each for each in found if each.play not in judged]
    code, fields = _comparison(play, usual, judged, rivals)
    return Verdict(play.play, usual, code, fields, [play, *rivals, *rest][:MOST_PLAYS], frozenset(judged))


def is_better(one: PlayEstimate, other: PlayEstimate) -> bool:
    """Whether a play is better than another by more than chance explains."""
    return one.worth - other.worth > SURE * sqrt(one.doubt + other.doubt)


def _comparison(
    play: PlayEstimate, usual: str, judged: Mapping[str, PlayEstimate], rivals: Sequence[PlayEstimate]
) -> tuple[str, dict[str, str]]:
    """What the search says of its verdict: the key of the text, and its fields."""
    if play.play != usual and usual not in judged:
        return "gave_up", {"other": usual}
    other = judged[usual] if play.play != usual else next(iter(rivals), None)
    if other is None:
        return "agrees", {}
    fields = {"other": other.play, "gain": f"{play.worth - other.worth:.1f}"}
    if play.play != usual:
        return "better", fields
    return ("agrees_by", fields) if is_better(play, other) else ("even", {"other": other.play})


def listed_play(deal: Deal, play: str) -> str:
    """The word by which the legal plays list a play: ``~3`` for three cards face down."""
    try:
        return deal.word(deal.game.description.notation.actions(deal.array, play)[0])
    except NotationError:
        return play
