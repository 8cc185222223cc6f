"""Checks of plays: how they are written, and why those that are illegal are refused."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from tefuda.engine import bits, verbs, views
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY, NotationError, is_declaration
from tefuda.engine.sentence import Refusal
from tefuda.engine.texts import LANGUAGES, own_texts
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import IllegalPlay, say
from tefuda.table.table_rules import TableRules
from tefuda.testing.playouts import DEFAULTS, Hooks, Playout, States, playouts, stacked
from tefuda.testing.view_checks import allowed_actions, follow, imagined

UNREADABLE = "no such play"

SAMPLE = 12  #: words whose reasons are compared between a state and its views, at each decision
MOST_WORDS = 100  #: words asked about at each decision; of a game with more, some at random beside the legal ones
ODD_WORDS = 6  #: plays, and pairs of plays, of which odd words are made at each decision
MOST_MOMENTS = 25  #: decisions of a deal at which reasons are asked for; of a longer deal some at random


def check_notation(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Legal actions ascend and can be written; a word makes what its actions make; a refused word changes nothing."""
    for played in playouts(game, deals, seed):
        by_word, by_action = played.again(), played.again()
        words = play_words(played)
        generator = np.random.default_rng(played.seed)
        for seat, word in played.deal.history:
            _legal_plays_are_written(by_word, f"{played}, before {seat}:{word}")
            _refused_plays_change_nothing(by_word, words, generator)
            by_word.play(word, seat)
            for action in actions_of(by_action, word):
                by_action.act(action)
            same = by_word.state.tobytes() == by_action.state.tobytes()
            assert same, f"{played}: {word} is not what its actions make"
        same = by_word.history == by_action.history == played.deal.history
        assert same, f"{played}: the history is written otherwise"
        assert by_word.state.tobytes() == played.states[-1].tobytes(), f"{played}: the words lead to another end"


def actions_of(deal: Deal, word: str) -> tuple[int, ...]:
    """List the actions that make a play now, legal or not."""
    return deal.game.description.notation.actions(stacked([deal.state]), word)


def play_words(played: Playout) -> list[str]:
    """List the words of all plays; of a game whose notation does not list them, those that were legal in this deal."""
    listed = getattr(played.game.description.notation, "words", None)
    if listed is not None:
        return list(listed)
    deal = played.again()
    words = set(deal.legal())
    for action in played.actions:
        deal.act(int(action))
        words |= set(deal.legal())
    return sorted(word for word in words if not SUMMARY.fullmatch(word))


def _legal_plays_are_written(deal: Deal, where: str) -> None:
    legal, words = deal.legal_actions(), deal.legal()
    assert legal, f"{where}: nothing is legal"
    assert legal == sorted(set(legal)), f"{where}: legal actions do not ascend: {legal}"
    as_set = int(verbs.legal_set(deal.state))
    assert as_set in (bits.EMPTY, bits.of(legal)), f"{where}: {bits.members_of(as_set)} is not the set of {legal}"
    assert legal[0] >= 0, f"{where}: {legal[0]} is no action"
    assert legal[-1] < deal.game.description.actions, f"{where}: {legal[-1]} is no action"
    assert len(words) == len(set(words)), f"{where}: a play is listed twice: {words}"
    plain = [word for word in words if not SUMMARY.fullmatch(word)]
    wrong = set(plain) - legal_among(deal, plain)
    assert not wrong, f"{where}: {wrong} are listed and their actions are not legal"
    for word in plain:
        assert deal.game.description.notation.normal(word) == word, f"{where}: {word} is not in its normal spelling"
    if plain == words:
        begun = {actions_of(deal, word)[0] for word in words}
        assert begun == set(legal), f"{where}: no listed play begins with {set(legal) - begun}"


def legal_among(deal: Deal, words: Sequence[str]) -> set[str]:
    """Choose the words whose actions can be made now, one after another."""
    notation, states = deal.game.description.notation, stacked([deal.state])
    allowed = allowed_actions(states, deal.game.description.actions)
    found = set()
    for word in words:
        actions = notation.actions(states, word)
        if actions[0] >= 0 and allowed[actions[0]] and (len(actions) == 1 or _can_follow(states, actions)):
            found.add(word)
    return found


def is_made_at_once(deal: Deal, seat: int, word: str) -> bool:
    """Tell if a seat that is not asked may make this play now: it is its wish, and the rules need not wait."""
    wish = deal.wish(seat)
    if wish is None or deal.game.description.notation.normal(word) != wish.play:
        return False
    return deal.game.description.rules.interrupt(deal.state, seat)


def _can_follow(states: States, actions: Sequence[int]) -> bool:
    tried = np.zeros(len(actions) + 1, states.dtype)
    tried[0] = states[0]
    return follow(tried, np.array(actions, np.int64)) < 0


def _refused_plays_change_nothing(deal: Deal, words: Sequence[str], generator: np.random.Generator) -> None:
    before = (deal.state.tobytes(), deal.mover, deal.legal_actions(), list(deal.history))
    refused = [word for word in generator.choice(words, 3).tolist() if deal.why_not(word) is not None]
    other, word = (deal.mover + 1) % deal.game.seats, deal.history[0][1] if deal.history else words[0]
    asked_by_nobody = [] if is_made_at_once(deal, other, word) else [(word, other)]
    for word, seat in [*((word, None) for word in refused), *asked_by_nobody]:
        try:
            deal.play(word, seat)
        except IllegalPlay:
            continue
        raise AssertionError(f"{word} of seat {seat} was to be refused and has been played")
    with suppress(NotationError):
        deal.play(UNREADABLE)
        raise AssertionError(f"{UNREADABLE!r} has been played")
    assert before == (deal.state.tobytes(), deal.mover, deal.legal_actions(), deal.history), "a refused play changed it"


def check_reasons(game: Game, deals: int = 2, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Every play is legal or has a reason: a rule, with a text in every language; the mover's view gives the same.

    Asked about are all plays of the game and words put together from them: cards of others, too many, of another
    phase. What a reason names as what to do instead is legal then and there."""
    for played in playouts(game, deals, seed):
        deal, words = played.again(), play_words(played)
        generator = np.random.default_rng(played.seed)
        worlds = imagined(played, views.observe_all(played.states, played.movers))
        given: list[tuple[str, Refusal]] = []
        asked = set(generator.permutation(len(played.actions))[:MOST_MOMENTS].tolist())
        for k, action in enumerate(played.actions):
            if k in asked:
                some = _asked_about(deal, words, generator)
                given += _reasons_now(deal, worlds[k], some, generator, f"{played}, {k}")
            deal.act(int(action))
        given += [_refused(deal, 0, word, f"{played}, at the end") for word in words]
        _can_be_said(game.description, given)


def _asked_about(deal: Deal, words: Sequence[str], generator: np.random.Generator) -> list[str]:
    odd = odd_words(words, generator)
    if len(words) <= MOST_WORDS:
        return [*words, *odd]
    legal = legal_among(deal, words)
    some = generator.choice(words, MOST_WORDS, replace=False).tolist()
    return [*legal, *(word for word in some if word not in legal), *odd]


def odd_words(words: Sequence[str], generator: np.random.Generator) -> list[str]:
    """Make up words that a player might type: plays joined, a card face down, cards after the start of a declaration.

    Some of them are plays; those that the game cannot read at all are left out where reasons are asked for."""
    first, second = generator.choice(words, (2, ODD_WORDS)).tolist()
    begins = ["", "~", *sorted({word.partition(":")[0] + ":" for word in words if ":" in word})]
    joined = [f"{a}+{b}" for a, b in zip(first, second, strict=True)]
    return [f"{begins[k % len(begins)]}{word}" for k, word in enumerate([*first, *joined])]


def _reasons_now(
    deal: Deal, world: np.void, words: Sequence[str], generator: np.random.Generator, where: str
) -> list[tuple[str, Refusal]]:
    reasons = _reasons(deal.game, deal.state, deal.mover, words)
    given = _legal_or_reasoned(deal, reasons, where)
    some = generator.choice(list(reasons), SAMPLE).tolist()
    for kind, state in (("view", deal.view(deal.mover).record), ("imagined world", world)):
        same = _reasons(deal.game, state, deal.mover, some)
        wrong = [word for word in some if same.get(word) != reasons[word]]
        assert not wrong, f"{where}: {wrong} have other reasons in the mover's {kind}"
    return given


def _reasons(game: TableRules, state: np.void, seat: int, words: Sequence[str]) -> dict[str, Refusal | None]:
    """Find the reason against each of these plays, None if it is legal; without the words that are no plays now."""
    reasons = {}
    for word in words:
        with suppress(NotationError):
            reasons[word] = game.description.rules.why_not(state, seat, word)
    return reasons


def _legal_or_reasoned(deal: Deal, reasons: Mapping[str, Refusal | None], where: str) -> list[tuple[str, Refusal]]:
    """List the reasons given, each with its moment."""
    legal = legal_among(deal, list(reasons))
    other, first = (deal.mover + 1) % deal.game.seats, next(iter(reasons))
    given = [] if is_made_at_once(deal, other, first) else [_refused(deal, other, first, where)]
    for word, why in reasons.items():
        assert word not in legal or why is None, f"{where}: {word} is legal and has a reason: {why}"
        assert word in legal or why is not None, f"{where}: {word} is illegal without a reason"
        if why is not None:
            given.append((f"{where}: {word}", why))
            _recommends_what_is_legal(deal, word, why, f"{where}: {word}")
    return given


def _recommends_what_is_legal(deal: Deal, word: str, why: Refusal, where: str) -> None:
    """Plays that a reason recommends, and declarations that its text quotes, are legal."""
    illegal = set(why.plays) - legal_among(deal, why.plays)
    assert not illegal, f"{where}: {why.code} recommends {illegal}"
    said = set(_declarations_in(deal.game.description, why)) - {deal.game.description.notation.normal(word)}
    illegal = said - legal_among(deal, sorted(said))
    assert not illegal, f"{where}: {why.code} quotes {illegal}"


def _declarations_in(description: Description, why: Refusal) -> list[str]:
    """List the declarations that the text of a reason quotes."""
    quoted: list[str] = []

    def note(words: str) -> str:
        quoted.append(words)
        return words

    say(description, why, LANGUAGES[0], spell=note)
    return [words for words in quoted if is_declaration(words) and words in description.notation.single]


def _refused(deal: Deal, seat: int, word: str, where: str) -> tuple[str, Refusal]:
    why = deal.game.description.rules.why_not(deal.state, seat, word)
    assert why is not None, f"{where}: {word} of seat {seat} is not refused"
    return f"{where}: {word} of seat {seat}", why


def _can_be_said(description: Description, given: Sequence[tuple[str, Refusal]]) -> None:
    """Each names a rule of the game and can be read in every language; each is said once."""
    different = {(why.rule, why.code, tuple(why.fields.items())): (where, why) for where, why in given}
    for where, why in different.values():
        assert why.rule.startswith(description.rules.prefix + "-"), f"{where}: {why.rule} is no rule of the game"
        for key in (f"rules.{why.rule}", f"why.{why.code}"):
            assert in_every_language(description.files.texts, key), f"{where}: a language lacks {key}"
        for language in LANGUAGES:
            assert "{" not in say(description, why, language).text, f"{where}: a field of {why.code} is not filled in"


@cache
def in_every_language(folder: Path, key: str) -> bool:
    """Tell if English and every other language that the game has a catalogue in have the text of their own."""
    first, *others = LANGUAGES
    there = [first, *(language for language in others if (folder / f"{language}.toml").exists())]
    return all(own_texts(folder, language).get(key) for language in there)
