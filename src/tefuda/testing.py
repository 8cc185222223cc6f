"""The contract that every game keeps, checked on deals played at random. For games in this package and in others:

    import pytest, tefuda
    from tefuda.testing import check_contract, option_sets

    @pytest.mark.parametrize(("seats", "options"), option_sets(tefuda.load("my-game").description))
    def test_my_game_keeps_the_contract(seats, options):
        check_contract(tefuda.load("my-game", seats, **options), deals=5)

Each property has a function of its own (``PROPERTIES``): it plays deals of one game and raises an ``AssertionError``
that names game, options, deal and moment where the property does not hold. The same seed gives the same deals. What the
suite cannot know of a game by itself is told in ``Hooks``.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng, step, verbs, views
from tefuda.engine.description import Description, Option, OptionError, Value, Why
from tefuda.engine.notation import NotationError
from tefuda.engine.playout import MOST_ACTIONS
from tefuda.engine.record import COMMON, EVERYTHING, SPECTATOR, Field, Holds, Visible, duplicate
from tefuda.engine.texts import LANGUAGES
from tefuda.engine.verbs import rule
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import IllegalPlay, say, say_line
from tefuda.table.record import parse

Options = dict[str, Value]
States = NDArray[Any]

SUMMARY = re.compile(r"~\d+")
"""A listed play that stands for many, such as ``~3``: any three cards face down."""

UNREADABLE = "no such play"
FEW_VALUES = 8
"""A number option with at most so many values is tried with each of them; else with the least and the most."""

SAMPLE = 12
"""Words whose reasons are compared between a state and its views, at each decision."""


# What is played


def option_sets(description: Description, combinations: int = 8, seed: int = 0) -> list[tuple[int, Options]]:
    """Tables to test: for each number of seats the default and every other value alone; then random combinations.

    What the game's exclusions forbid is left out.

    Args:
        combinations: how many random combinations of values.
        seed: of the combinations.
    """
    alone = [{option.name: value} for option in description.options for value in other_values(option)]
    wanted = [(seats, options) for seats in description.seats for options in [{}, *alone]]
    found = [each for each in wanted if _allowed(description, *each)]
    generator = np.random.default_rng(seed)
    while combinations > 0:
        combination = _combination(description, generator)
        if _allowed(description, *combination):
            found.append(combination)
            combinations -= 1
    return found


def other_values(option: Option) -> list[Value]:
    """The values of an option apart from its default."""
    if option.values or isinstance(option.default, bool):
        values = [option.word(number) for number in range(len(option.values) or 2)]
    elif option.most - option.least < FEW_VALUES:
        values = list(range(option.least, option.most + 1))
    else:
        values = [option.least, option.most]
    return [value for value in values if value != option.default]


def _allowed(description: Description, seats: int, options: Mapping[str, Value]) -> bool:
    try:
        description.template(seats, options)
    except OptionError:
        return False
    return True


def _combination(description: Description, generator: np.random.Generator) -> tuple[int, Options]:
    seats = description.seats[generator.integers(len(description.seats))]
    chosen: Options = {}
    for option in description.options:
        values = [option.default, *other_values(option)]
        chosen[option.name] = values[generator.integers(len(values))]
    return seats, chosen


@dataclass(frozen=True)
class Trail:
    """A deal played to its end, and every moment of it.

    Attributes:
        game: the game.
        seed: of the deal and of all that is drawn at random about it.
        deal: the finished deal.
        states: shape (decisions + 1,): the state before each decision; the last is the end.
        actions: int64 of shape (decisions,): what was chosen.
        movers: int64 of shape (decisions + 1,): who acts; −1 at the end.
    """

    game: Game
    seed: tuple[int, ...]
    deal: Deal
    states: States
    actions: NDArray[np.int64]
    movers: NDArray[np.int64]

    def again(self) -> Deal:
        """The same deal, nothing played."""
        assert self.deal.before is not None
        chance = int(self.deal.before["chance"][0])
        return self.game.deal(0, deck=self.deal.deck, chance=chance, before=self.deal.before)

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.game.changed_options().items())
        return f"{self.game.name}, {self.game.seats} seats, {options or 'default options'}, deal {self.seed}"


def trails(game: Game, deals: int, seed: int) -> Iterator[Trail]:
    """Deals played to their end: up to four of one game, then a new game; every third by the rule of thumb."""
    before = None
    for number in range(deals):
        trail = play_out(game, (seed, number), before, hints=number % 3 == 2)
        yield trail
        ends = number % 4 == 3 or trail.deal.facts()["over"]
        before = None if ends else trail.deal.following()


def play_out(game: Game, seed: tuple[int, ...], before: States | None = None, *, hints: bool = False) -> Trail:
    """Play one deal to its end, at random or by the rule of thumb."""
    deal = game.deal(seed, before=before)
    generator = rng.generator((*seed, 1))
    states, actions, movers = [deal.state], [], [deal.mover]
    while not deal.over:
        legal = deal.legal_actions()
        assert legal, f"{game.name}, deal {seed}: seat {deal.mover} is to act and nothing is legal"
        chosen = int(verbs.advise(deal.state, generator)) if hints else legal[rng.below(generator, len(legal))]
        actions.append(chosen)
        deal.act(chosen)
        states.append(deal.state)
        movers.append(deal.mover)
    return Trail(game, seed, deal, _stacked(states), np.array(actions, np.int64), np.array(movers, np.int64))


def _stacked(states: Sequence[Any]) -> States:
    """These records as an array, the bytes between their fields too."""
    return np.frombuffer(bytearray().join(state.tobytes() for state in states), states[0].dtype)


# What the suite is told of a game


def public_history(trail: Trail, moment: int, world: Any) -> list[int]:
    """The actions made before this moment, all of them public: they were the same in every world."""
    return [int(action) for action in trail.actions[:moment]]


def dealt_hands(trail: Trail, moment: int, world: Any) -> Deal:
    """Deal the imagined hands, with the cards that have left each hand (everybody has seen them) put back."""
    first, now = trail.states[0]["hands"], trail.states[moment]["hands"]
    words, pack = trail.game.description.cards, trail.game.pack.tolist()
    if first.ndim == 2:  # counts of copies
        copies = world["hands"] + first - now
        texts = [" ".join(np.repeat(words, counts)) for counts in copies[: trail.game.seats]]
    else:
        hands = [int(world["hands"][seat]) | int(first[seat] & ~now[seat]) for seat in range(trail.game.seats)]
        texts = [" ".join(words[card] for card in pack if hand >> card & 1) for hand in hands]
    return trail.game.deal(0, hands=texts, chance=int(world["chance"]), before=trail.deal.before)


@dataclass(frozen=True)
class Hooks:
    """What the suite cannot know of a game by itself; the defaults fit games of sets of cards, each existing once.

    Attributes:
        where_cards_are: the fields (``Holds.CARDS``, ``Holds.CARD``, ``Holds.COUNTS``) that together hold the pack.
        cards_of: instead of ``where_cards_are``, all card numbers of a state, for games that hold cards otherwise.
        redeal: from a trail, a moment and a world imagined there: the deal of that world, before the first action.
        actions_seen: from the same, the actions that led there in that world: other than in the trail where some were
            hidden from the viewer.
    """

    where_cards_are: tuple[str, ...] = ("hands", "trick", "won")
    cards_of: Callable[[Any], list[int]] | None = None
    redeal: Callable[[Trail, int, Any], Deal] = dealt_hands
    actions_seen: Callable[[Trail, int, Any], list[int]] = public_history


DEFAULTS = Hooks()


# Kernels: one verb, many states


@rule
def imagine_each(seen: Any, generator: Any, worlds: Any) -> None:
    """A world for every view."""
    for i in range(len(seen)):
        verbs.imagine(seen[i], generator, worlds[i])


@rule
def advise_each(states: Any, generators: Any, chosen: Any) -> None:
    """The hint in every state, each with its own generator."""
    for i in range(len(states)):
        chosen[i] = verbs.advise(states[i], generators[i])


@rule
def movers_each(states: Any, movers: Any) -> None:
    """Who acts in every state."""
    for i in range(len(states)):
        movers[i] = verbs.mover(states[i])


@rule
def payoffs_each(states: Any, payoffs: Any) -> None:
    """What every state would pay."""
    for i in range(len(states)):
        verbs.payoff(states[i], payoffs[i])


@rule
def follow(states: Any, actions: Any, buffer: Any) -> int:
    """Make the actions one after another, from ``states[0]``; which of them is the first illegal one, −1 if none."""
    for k in range(len(actions)):
        states[k + 1] = states[k]
        state = states[k + 1]
        n = verbs.legal(state, buffer) if verbs.mover(state) >= 0 else 0
        allowed = False
        for i in range(n):
            allowed = allowed or buffer[i] == actions[k]
        if not allowed:
            return k
        verbs.apply(state, actions[k])
    return -1


def legal_masks(states: States, actions: int) -> NDArray[np.bool_]:
    """The legal actions of each state, one row of booleans each."""
    masks = np.zeros((len(states), actions), np.bool_)
    step.write_masks(states, np.empty(MOST_ACTIONS, np.int64), masks, np.empty(len(states), np.int8))
    return masks


def movers_of(states: States) -> NDArray[np.int64]:
    """Who acts in each state."""
    movers = np.empty(len(states), np.int64)
    movers_each(states, movers)
    return movers


def hints_of(states: States, seed: tuple[int, ...]) -> NDArray[np.int64]:
    """The hint in each state; the same seed gives each state the same generator."""
    chosen = np.empty(len(states), np.int64)
    if len(states):
        advise_each(states, rng.generators(seed, len(states)), chosen)
    return chosen


@dataclass(frozen=True)
class Seen:
    """What every seat and a spectator see at every moment of a trail, and a world that each may imagine.

    Attributes:
        moments, viewers: int64 of shape (n,): which moment, who looks.
        states, views, worlds: shape (n,): the truth, what is seen of it, a world drawn from that.
    """

    moments: NDArray[np.int64]
    viewers: NDArray[np.int64]
    states: States
    views: States
    worlds: States


def look_around(trail: Trail) -> Seen:
    """Every view of a trail, with a world drawn from each."""
    seats = np.arange(SPECTATOR, trail.game.seats)
    moments = np.repeat(np.arange(len(trail.states)), len(seats))
    viewers = np.tile(seats, len(trail.states))
    states = trail.states[moments]
    seen = views.observe_all(states, viewers)
    return Seen(moments, viewers, states, seen, imagined(trail, seen))


def imagined(trail: Trail, seen: States) -> States:
    """A world for each of these views."""
    worlds = np.zeros(len(seen), seen.dtype)
    try:
        imagine_each(seen, rng.generator((*trail.seed, 2)), worlds)
    except ValueError as error:
        raise AssertionError(f"{trail}: there is a view from which nothing can be imagined: {error}") from error
    return worlds


def rows_of_bytes(states: States) -> NDArray[np.uint8]:
    """The bytes of records, a row each."""
    return np.ascontiguousarray(states).view(np.uint8).reshape(len(states), states.dtype.itemsize)


def assert_same(trail: Trail, what: str, left: States, right: States, where: Callable[[int], str]) -> None:
    """Records must be equal byte for byte.

    Args:
        what: is said to differ.
        where: says which row it is.
    """
    different = (rows_of_bytes(left) != rows_of_bytes(right)).any(axis=1)
    if different.any():
        row = int(np.argmax(different))
        assert left.dtype.names is not None
        names = [name for name in left.dtype.names if not np.array_equal(left[name][row], right[name][row])]
        found = "; ".join(f"{name}: {left[name][row]} and {right[name][row]}" for name in names)
        raise AssertionError(f"{trail}, {where(row)}: {what}: {found or 'bytes between the fields'}")


# The three properties of views


def check_no_leak(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Redraw all that a seat may not know: its view, whose turn it is, what it may do and its hint stay the same."""
    for trail in trails(game, deals, seed):
        seen = look_around(trail)
        again = views.observe_all(seen.worlds, seen.viewers)
        assert_same(trail, "the view of an imagined world is another", seen.views, again, _where(seen))
        _hidden_fields_are_blank(trail, seen)
        _something_is_redrawn(trail, seen, hooks)
        for kind, states in (("view", seen.views), ("imagined world", seen.worlds)):
            same = np.array_equal(movers_of(states), trail.movers[seen.moments])
            assert same, f"{trail}: another seat is to act in the {kind}"
        _movers_may_do_the_same(trail, seen)


def _where(seen: Seen) -> Callable[[int], str]:
    return lambda row: f"moment {seen.moments[row]}, viewer {seen.viewers[row]}"


def _hidden_fields_are_blank(trail: Trail, seen: Seen) -> None:
    for each in trail.game.description.fields:
        if each.visible is Visible.PUBLIC:
            continue
        values = seen.views[each.name].copy()
        if each.visible is Visible.OWNER:
            own = np.flatnonzero(seen.viewers >= 0)
            values[own, seen.viewers[own]] = 0
        assert not values.any(), f"{trail}: a view shows something of {each.name}"


def _something_is_redrawn(trail: Trail, seen: Seen, hooks: Hooks) -> None:
    """Where nobody's cards are ever redrawn, a view has shown them all: a field is declared public that is not."""
    known = {each.name for each in COMMON}
    fields = [each.name for each in trail.game.description.fields if each.name not in known]
    for viewer in range(SPECTATOR, trail.game.seats):
        rows = seen.viewers == viewer
        places = hooks.where_cards_are if hooks.cards_of is None else fields
        redrawn = any(not np.array_equal(seen.states[name][rows], seen.worlds[name][rows]) for name in places)
        assert redrawn, f"{trail}: all that viewer {viewer} imagines is the truth"


def _movers_may_do_the_same(trail: Trail, seen: Seen) -> None:
    mine = np.flatnonzero((seen.viewers == trail.movers[seen.moments]) & (seen.viewers >= 0))
    actions = trail.game.description.actions
    legal, hints = legal_masks(seen.states[mine], actions), hints_of(seen.states[mine], trail.seed)
    for k, hint in enumerate(hints):
        assert legal[k, hint], f"{trail}, moment {k}: the hint {hint} is not legal"
    for kind, states in (("view", seen.views[mine]), ("imagined world", seen.worlds[mine])):
        same = (legal == legal_masks(states, actions)).all(axis=1)
        assert same.all(), f"{trail}, moment {np.argmin(same)}: other actions are legal in the mover's {kind}"
        same = hints == hints_of(states, trail.seed)
        assert same.all(), f"{trail}, moment {np.argmin(same)}: the hint is another in the mover's {kind}"


def check_round_trip(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """An imagined world is a legal state with the same view: every card once, hands as large, all public as it is."""
    for trail in trails(game, deals, seed):
        seen = look_around(trail)
        assert (seen.worlds["viewer"] == EVERYTHING).all(), f"{trail}: an imagined world is not a full state"
        again = views.observe_all(seen.worlds, seen.viewers)
        assert_same(trail, "the view of an imagined world is another", seen.views, again, _where(seen))
        spectator = np.full(len(seen.viewers), SPECTATOR)
        public, imagined_public = (views.observe_all(states, spectator) for states in (seen.states, seen.worlds))
        assert_same(trail, "public fields changed", public, imagined_public, _where(seen))
        _cards_are_the_pack(trail, seen.worlds, hooks, _where(seen))
        for each in _hand_fields(trail.game.description, hooks):
            held, drawn = (_sizes(each, states) for states in (seen.states, seen.worlds))
            assert np.array_equal(held, drawn), f"{trail}: an imagined world has other numbers of cards in {each.name}"


def _hand_fields(description: Description, hooks: Hooks) -> list[Field]:
    """The cards that each seat hides from the others; how many there are is known."""
    return [
        each
        for each in _card_fields(description, hooks)
        if each.visible is Visible.OWNER and each.holds in (Holds.CARDS, Holds.COUNTS)
    ]


def _sizes(field: Field, states: States) -> NDArray[Any]:
    """How many cards each seat's entry of a field has: shape (states, seats)."""
    values = states[field.name]
    sizes: NDArray[Any] = values.sum(axis=-1) if field.holds is Holds.COUNTS else np.bitwise_count(values)
    return sizes


def _card_fields(description: Description, hooks: Hooks) -> list[Field]:
    if hooks.cards_of is not None:
        return []
    fields = {each.name: each for each in description.fields}
    return [fields[name] for name in hooks.where_cards_are]


def check_worlds_replay(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """A world imagined at any moment, dealt anew, replays through the whole history: every action is legal, the viewer
    sees at every moment what he saw, and it ends in that world. At each decision another viewer imagines.
    """
    for trail in trails(game, deals, seed):
        moments = np.arange(len(trail.states))
        viewers = (moments + sum(trail.seed)) % (game.seats + 1) + SPECTATOR
        worlds = imagined(trail, views.observe_all(trail.states, viewers))
        for moment in range(len(worlds)):
            _replays(trail, moment, int(viewers[moment]), worlds[moment : moment + 1], hooks)


def _replays(trail: Trail, moment: int, viewer: int, world: States, hooks: Hooks) -> None:
    where = f"{trail}, moment {moment}, viewer {viewer}"
    actions = hooks.actions_seen(trail, moment, world[0])
    states = np.zeros(moment + 1, world.dtype)
    try:
        states[0] = hooks.redeal(trail, moment, world[0]).state
    except ValueError as error:
        raise AssertionError(f"{where}: an imagined world cannot be dealt: {error}") from error
    illegal = follow(states, np.array(actions, np.int64), np.empty(MOST_ACTIONS, np.int64))
    assert illegal < 0, f"{where}: in an imagined world action {illegal} ({actions[illegal]}) could not have been made"
    assert_same(trail, "an imagined world replays to another", world, states[-1:], lambda row: where)
    looks = np.full(moment + 1, viewer)
    had, would = (views.observe_all(each, looks) for each in (trail.states[: moment + 1], states))
    assert_same(trail, "in an imagined world the viewer would have seen", had, would, lambda row: f"{where}, at {row}")


def check_conservation(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """After every action the cards in all places are the pack."""
    for trail in trails(game, deals, seed):
        _cards_are_the_pack(trail, trail.states, hooks, lambda row: f"moment {row}")


def _cards_are_the_pack(trail: Trail, states: States, hooks: Hooks, where: Callable[[int], str]) -> None:
    description = trail.game.description
    expected = np.bincount(trail.game.pack, minlength=len(description.cards))
    wrong = (counted_cards(description, states, hooks) != expected).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        counts = counted_cards(description, states[row : row + 1], hooks)[0]
        cards = np.flatnonzero(counts != expected)
        found = ", ".join(f"{description.cards[card]} {counts[card]} times" for card in cards)
        raise AssertionError(f"{trail}, {where(row)}: the cards are not the pack: {found}")


def counted_cards(description: Description, states: States, hooks: Hooks = DEFAULTS) -> NDArray[np.int64]:
    """How often each card lies somewhere: shape (states, cards)."""
    cards = len(description.cards)
    if hooks.cards_of is not None:
        return np.stack([np.bincount(hooks.cards_of(state), minlength=cards) for state in states])
    counts = np.zeros((len(states), cards), np.int64)
    for each in _card_fields(description, hooks):
        if each.holds is Holds.COUNTS:
            counts += states[each.name].astype(np.int64).reshape(len(states), -1, cards).sum(axis=1)
            continue
        values = states[each.name].astype(np.int64).reshape(len(states), -1)[:, :, None]
        held = (values >> np.arange(cards)) & 1 if each.holds is Holds.CARDS else values == np.arange(cards)
        counts += held.sum(axis=1)
    return counts


# Words


def check_notation(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Legal actions ascend and can be written; a word makes what its actions make; a refused word changes nothing."""
    for trail in trails(game, deals, seed):
        by_word, by_action = trail.again(), trail.again()
        words = play_words(trail)
        generator = np.random.default_rng(trail.seed)
        for seat, word in trail.deal.history:
            _legal_plays_are_written(by_word, f"{trail}, before {seat}:{word}")
            _refused_plays_change_nothing(by_word, words, generator)
            by_word.play(word, seat)
            for action in actions_of(by_action, word):
                by_action.act(action)
            assert by_word.state.tobytes() == by_action.state.tobytes(), f"{trail}: {word} is not what its actions make"
        assert by_word.history == by_action.history == trail.deal.history, f"{trail}: the history is written otherwise"
        assert by_word.state.tobytes() == trail.states[-1].tobytes(), f"{trail}: the words lead to another end"


def actions_of(deal: Deal, word: str) -> tuple[int, ...]:
    """The actions that make a play now, legal or not."""
    return deal.game.description.notation.actions(_stacked([deal.state]), word)


def play_words(trail: Trail) -> list[str]:
    """The words of all plays; of a game whose notation does not list them, those that were legal in this deal."""
    listed = getattr(trail.game.description.notation, "words", None)
    if listed is not None:
        return list(listed)
    deal = trail.again()
    words = set(deal.legal())
    for action in trail.actions:
        deal.act(int(action))
        words |= set(deal.legal())
    return sorted(word for word in words if not SUMMARY.fullmatch(word))


def _legal_plays_are_written(deal: Deal, where: str) -> None:
    legal, words = deal.legal_actions(), deal.legal()
    assert legal, f"{where}: nothing is legal"
    assert legal == sorted(set(legal)), f"{where}: legal actions do not ascend: {legal}"
    assert legal[0] >= 0, f"{where}: {legal[0]} is no action"
    assert legal[-1] < deal.game.description.actions, f"{where}: {legal[-1]} is no action"
    assert len(words) == len(set(words)), f"{where}: a play is listed twice: {words}"
    plain = [word for word in words if not SUMMARY.fullmatch(word)]
    for word in plain:
        assert is_legal(deal, word), f"{where}: {word} is listed and its actions are not legal"
        assert deal.game.description.notation.normal(word) == word, f"{where}: {word} is not in its normal spelling"
    if plain == words:
        begun = {actions_of(deal, word)[0] for word in words}
        assert begun == set(legal), f"{where}: no listed play begins with {set(legal) - begun}"


def is_legal(deal: Deal, word: str) -> bool:
    """Whether the actions of this word can be made now, one after another."""
    return word in legal_among(deal, [word])


def legal_among(deal: Deal, words: Sequence[str]) -> set[str]:
    """Those of these words whose actions can be made now, one after another."""
    notation, states, legal = deal.game.description.notation, _stacked([deal.state]), set(deal.legal_actions())
    found = set()
    for word in words:
        actions = notation.actions(states, word)
        if actions[0] in legal and (len(actions) == 1 or _can_follow(states, actions)):
            found.add(word)
    return found


def _can_follow(states: States, actions: Sequence[int]) -> bool:
    tried = np.zeros(len(actions) + 1, states.dtype)
    tried[0] = states[0]
    return follow(tried, np.array(actions, np.int64), np.empty(MOST_ACTIONS, np.int64)) < 0


def _refused_plays_change_nothing(deal: Deal, words: Sequence[str], generator: np.random.Generator) -> None:
    before = (deal.state.tobytes(), deal.mover, deal.legal_actions(), list(deal.history))
    refused = [word for word in generator.choice(words, 3).tolist() if deal.why_not(word) is not None]
    other = (deal.mover + 1) % deal.game.seats
    for word, seat in [*((word, None) for word in refused), (deal.history[0][1] if deal.history else words[0], other)]:
        try:
            deal.play(word, seat)
        except IllegalPlay:
            continue
        raise AssertionError(f"{word} of seat {seat} was to be refused and has been played")
    try:
        deal.play(UNREADABLE)
    except NotationError:
        pass
    else:
        raise AssertionError(f"{UNREADABLE!r} has been played")
    assert before == (deal.state.tobytes(), deal.mover, deal.legal_actions(), deal.history), "a refused play changed it"


def check_reasons(game: Game, deals: int = 2, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Every play is legal or has a reason: a rule, with a text in every language; the mover's view gives the same."""
    for trail in trails(game, deals, seed):
        deal, words = trail.again(), play_words(trail)
        generator = np.random.default_rng(trail.seed)
        worlds = imagined(trail, views.observe_all(trail.states, trail.movers))
        given: list[tuple[str, Why]] = []
        for k, action in enumerate(trail.actions):
            where = f"{trail}, moment {k}"
            reasons = _reasons(game, deal.state, deal.mover, words)
            given += _legal_or_reasoned(deal, reasons, where)
            some = generator.choice(list(reasons), SAMPLE).tolist()
            for kind, state in (("view", deal.view(deal.mover).record), ("imagined world", worlds[k])):
                same = _reasons(game, state, deal.mover, some)
                wrong = [word for word in some if same.get(word) != reasons[word]]
                assert not wrong, f"{where}: {wrong} have other reasons in the mover's {kind}"
            deal.act(int(action))
        given += [_refused(deal, 0, word, f"{trail}, at the end") for word in words]
        _can_be_said(game.description, given)


def _reasons(game: Game, state: Any, seat: int, words: Sequence[str]) -> dict[str, Why | None]:
    """Why a seat may not make each of these plays, None if it may; without the words that are no plays now."""
    reasons = {}
    for word in words:
        with suppress(NotationError):
            reasons[word] = game.description.why_not(state, seat, word)
    return reasons


def _legal_or_reasoned(deal: Deal, reasons: Mapping[str, Why | None], where: str) -> list[tuple[str, Why]]:
    """The reasons given, each with where it was."""
    legal = legal_among(deal, list(reasons))
    given = [_refused(deal, (deal.mover + 1) % deal.game.seats, next(iter(reasons)), where)]
    for word, why in reasons.items():
        assert word not in legal or why is None, f"{where}: {word} is legal and has a reason: {why}"
        assert word in legal or why is not None, f"{where}: {word} is illegal without a reason"
        if why is not None:
            given.append((f"{where}: {word}", why))
    return given


def _refused(deal: Deal, seat: int, word: str, where: str) -> tuple[str, Why]:
    why = deal.game.description.why_not(deal.state, seat, word)
    assert why is not None, f"{where}: {word} of seat {seat} is not refused"
    return f"{where}: {word} of seat {seat}", why


def _can_be_said(description: Description, given: Sequence[tuple[str, Why]]) -> None:
    """Each names a rule of the game and can be read in every language; each is said once."""
    different = {(why.rule, why.code, tuple(why.fields.items())): (where, why) for where, why in given}
    for where, why in different.values():
        assert why.rule.startswith(description.rule_prefix + "-"), f"{where}: {why.rule} is no rule of the game"
        for key in (f"rules.{why.rule}", f"why.{why.code}"):
            assert _in_every_language(description.texts, key), f"{where}: a language lacks {key}"
        for language in LANGUAGES:
            assert "{" not in say(description, why, language).text, f"{where}: a field of {why.code} is not filled in"


@cache
def _in_every_language(folder: Path, key: str) -> bool:
    """Whether each language's own catalogue has the text; English does not stand in here."""
    return all(_own_text(folder / f"{language}.toml", key) for language in LANGUAGES)


def _own_text(path: Path, key: str) -> bool:
    found: Any = _table(path)
    for part in key.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return False
        found = found[part]
    return bool(found)


@cache
def _table(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


# The deal as a whole


def check_record(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """A record is a text that replays to the same state and the same following deal, whole or cut short."""
    for trail in trails(game, deals, seed):
        text = trail.deal.record()
        replayed = parse(text).replay().deals[0]
        assert replayed.state.tobytes() == trail.deal.state.tobytes(), f"{trail}: the record replays to another state"
        assert replayed.following().tobytes() == trail.deal.following().tobytes(), f"{trail}: another deal would follow"
        assert replayed.record() == text, f"{trail}: the replayed deal is recorded otherwise"
        lines = text.splitlines(keepends=True)
        plays = len(trail.deal.history) // 2
        part = parse("".join(lines[: 2 + plays])).replay().deals[0]
        assert part.history == trail.deal.history[:plays], f"{trail}: half a record replays to something else"


def check_purity(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Asking changes nothing; a seed gives one deal; between the fields all is 0: equal states are equal bytes."""
    for trail in trails(game, deals, seed):
        before = trail.states.tobytes()
        seen = look_around(trail)
        views_before = seen.views.tobytes()
        imagined(trail, seen.views)
        assert seen.views.tobytes() == views_before, f"{trail}: imagine changes the view"
        _ask_everything(trail)
        assert trail.states.tobytes() == before, f"{trail}: asking changes the state"
        for states in (trail.states, seen.views, seen.worlds):
            assert not rows_of_bytes(states)[:, _padding(game.description)].any(), f"{trail}: bytes between the fields"
        same = play_out(game, trail.seed, trail.deal.before, hints=trail.seed[-1] % 3 == 2)
        assert same.states.tobytes() == before, f"{trail}: the same seed gives another deal"


def _ask_everything(trail: Trail) -> None:
    description, states = trail.game.description, trail.states
    movers_of(states)
    legal_masks(states, description.actions)
    payoffs_each(states, np.zeros((len(states), trail.game.seats), np.int64))
    views.observe_all(states, trail.movers)
    hints_of(states[:-1], trail.seed)
    for state in states:
        description.facts(state)
    description.why_not(states[0], int(trail.movers[0]), trail.deal.history[0][1])
    for seat in range(trail.game.seats):
        description.sheet(states[-1], seat)


def _padding(description: Description) -> NDArray[np.bool_]:
    """Which bytes of the record belong to no field."""
    outside = np.ones(description.record.itemsize, np.bool_)
    layout = description.record.fields
    assert layout is not None
    for each in description.fields:
        element, start = layout[each.name][:2]
        outside[start : start + element.itemsize] = False
    return outside


def check_settlement(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """The end of a deal: its payoffs add to the totals, each score can be explained, and the next deal starts clean."""
    for trail in trails(game, deals, seed):
        _totals_carry(trail)
        _sheet_can_be_said(trail)
        json.dumps([trail.deal.view(seat).to_dict() for seat in range(SPECTATOR, game.seats)])
        if not trail.deal.facts()["over"]:
            _next_deal_starts_clean(trail)


def _totals_carry(trail: Trail) -> None:
    facts, before = trail.deal.facts(), trail.deal.before
    assert before is not None
    assert set(facts) <= set(trail.game.description.fact_names), f"{trail}: facts without a declared name: {set(facts)}"
    assert {"over", "totals"} <= set(facts), f"{trail}: the facts lack over or totals"
    payoff = trail.deal.payoff()
    if "totals" in (before.dtype.names or ()):
        totals = [int(total) + points for total, points in zip(before["totals"][0], payoff, strict=False)]
        assert facts["totals"] == totals, f"{trail}: totals {facts['totals']}, by the payoff {totals}"
        carried = trail.deal.following()["totals"][0].tolist()[: trail.game.seats]
        assert carried == totals, f"{trail}: {carried} is carried on, the totals are {totals}"


def _sheet_can_be_said(trail: Trail) -> None:
    description = trail.game.description
    for seat in range(trail.game.seats):
        lines = description.sheet(trail.deal.state, seat)
        assert lines, f"{trail}: no score sheet for seat {seat}"
        for line in lines:
            assert _in_every_language(description.texts, line.code), f"{trail}: a language lacks {line.code}"
            for language in LANGUAGES:
                assert "{" not in say_line(description, line, language), f"{trail}: {line.code} is not filled in"


def _next_deal_starts_clean(trail: Trail) -> None:
    """Dealt from what was handed on, or from the carried fields alone as a record has them: the same."""
    game, following = trail.game, trail.deal.following()
    carried = duplicate(game.template)
    for each in game.description.fields:
        if each.carried:
            carried[each.name] = following[each.name]
    left, right = (game.deal((*trail.seed, 3), before=before) for before in (following, carried))
    assert left.mover >= 0, f"{trail}: the next deal has nobody to act"
    assert_same(trail, "the next deal keeps something of this", _stacked([left.state]), _stacked([right.state]), str)


# All of it


VIEW_PROPERTIES = (check_no_leak, check_round_trip, check_worlds_replay)
"""What must hold of views, so that nobody is shown what he may not see and every imagined world is possible."""

PROPERTIES = (
    *VIEW_PROPERTIES,
    check_conservation,
    check_notation,
    check_reasons,
    check_record,
    check_purity,
    check_settlement,
)


def check_contract(game: Game, deals: int = 5, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Every property on these deals.

    Raises:
        AssertionError: one does not hold; the message says which, of which deal, at which moment.
    """
    for check in PROPERTIES:
        check(game, deals, seed, hooks)
