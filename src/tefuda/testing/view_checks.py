"""Checks of views: nobody is shown what they may not see, every imagined world is possible, cards are conserved."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import recorder, rng, verbs, views
from tefuda.engine.description import Description
from tefuda.engine.play import MOST_ACTIONS, is_among
from tefuda.engine.record import COMMON, EVERYTHING, SPECTATOR, Field, Holds, Ints, Visible
from tefuda.engine.verbs import rule
from tefuda.table.game import Game
from tefuda.testing.playouts import DEFAULTS, Hooks, Playout, States, playouts

# Many states at once


def imagine_each(
    seen: States, generator: rng.Rng, worlds: States, imagine: Callable[..., None] = verbs.imagine
) -> None:
    """Draw a world for every view; with ``verbs.believe`` one in which the others' plays make sense."""
    for view, world in zip(seen, worlds, strict=True):
        imagine(view, generator, world)


def hints_of(states: States, seed: tuple[int, ...]) -> NDArray[np.int64]:
    """List the hint in each state; the same seed gives each state the same generator."""
    generators = rng.generators(seed, max(1, len(states)))
    return np.array([verbs.advise(state, own) for state, own in zip(states, generators, strict=False)], np.int64)


def legal_masks(states: States, actions: int) -> NDArray[np.bool_]:
    """Mark the legal actions of every state in a row of booleans; no deal is over."""
    masks = np.zeros((len(states), actions), np.bool_)
    recorder.write_choices(states, np.zeros(len(states), np.int64), masks)
    return masks


@rule
def follow(states: States, actions: NDArray[np.int64]) -> int:
    """Make the actions one after another, from ``states[0]``, up to the first illegal one; its place, −1 if none is."""
    buffer = np.empty(MOST_ACTIONS, np.int64)
    for k in range(len(actions)):
        states[k + 1] = states[k]
        state = states[k + 1]
        n = verbs.legal(state, buffer) if verbs.mover(state) >= 0 else 0
        if n == 0 or not is_among(verbs.listed(state, actions[k]), buffer, n):
            return k
        verbs.apply(state, actions[k])
    return -1


@rule
def allowed_actions(states: States, actions: int) -> NDArray[np.bool_]:
    """Mark the actions that may be made in ``states[0]``: those listed as legal and what is equal to them."""
    allowed, buffer, state = np.zeros(actions, np.bool_), np.empty(MOST_ACTIONS, np.int64), states[0]
    n = verbs.legal(state, buffer) if verbs.mover(state) >= 0 else 0
    for action in range(actions):
        allowed[action] = n > 0 and is_among(verbs.listed(state, action), buffer, n)
    return allowed


@dataclass(frozen=True)
class ViewBatch:
    """Views of every seat and a spectator at every moment of a playout, and a world that each may imagine; all of shape
    (n,)."""

    moments: NDArray[np.int64]
    viewers: NDArray[np.int64]
    states: States  #: the truth
    views: States
    worlds: States  #: each drawn from the view


def look_around(played: Playout) -> ViewBatch:
    """Collect every view of a playout, with a world drawn from each."""
    seats = np.arange(SPECTATOR, played.game.seats)
    moments = np.repeat(np.arange(len(played.states)), len(seats))
    viewers = np.tile(seats, len(played.states))
    states = played.states[moments]
    seen = views.observe_all(states, viewers)
    return ViewBatch(moments, viewers, states, seen, imagined(played, seen))


def imagined(played: Playout, seen: States) -> States:
    """Draw a world for each of these views; every second is believed, and has to agree with all that is known too."""
    worlds = np.zeros(len(seen), seen.dtype)
    try:
        imagine_each(seen[::2], rng.generator((*played.seed, 2)), worlds[::2])
        imagine_each(seen[1::2], rng.generator((*played.seed, 3)), worlds[1::2], verbs.believe)
    except ValueError as error:
        raise AssertionError(f"{played}: there is a view from which nothing can be imagined: {error}") from error
    return worlds


def rows_of_bytes(states: States) -> NDArray[np.uint8]:
    """View the bytes of records, a row each."""
    return np.ascontiguousarray(states).view(np.uint8).reshape(len(states), states.dtype.itemsize)


def assert_same(played: Playout, what: str, left: States, right: States, where: Callable[[int], str]) -> None:
    """Compare records byte for byte; ``what`` is said to differ, and ``where`` names the row."""
    different = (rows_of_bytes(left) != rows_of_bytes(right)).any(axis=1)
    if different.any():
        row = int(np.argmax(different))
        assert left.dtype.names is not None
        names = [name for name in left.dtype.names if not np.array_equal(left[name][row], right[name][row])]
        found = "; ".join(f"{name}: {left[name][row]} and {right[name][row]}" for name in names)
        raise AssertionError(f"{played}, {where(row)}: {what}: {found or 'bytes between the fields'}")


# Properties


def check_no_leak(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Redraw all that a seat may not know: its view, whose turn it is, what it may do and its hint stay the same."""
    for played in playouts(game, deals, seed):
        seen = look_around(played)
        again = views.observe_all(seen.worlds, seen.viewers)
        assert_same(played, "the view of an imagined world is another", seen.views, again, _where(seen))
        _hidden_fields_are_blank(played, seen)
        _something_is_redrawn(played, seen, hooks)
        for kind, states in (("view", seen.views), ("imagined world", seen.worlds)):
            movers = [verbs.mover(state) for state in states]
            assert movers == played.movers[seen.moments].tolist(), f"{played}: another seat is to act in the {kind}"
        _movers_may_do_the_same(played, seen)


def _where(seen: ViewBatch) -> Callable[[int], str]:
    return lambda row: f"moment {seen.moments[row]}, viewer {seen.viewers[row]}"


def _hidden_fields_are_blank(played: Playout, seen: ViewBatch) -> None:
    for each in played.game.description.fields:
        if each.visible is Visible.PUBLIC:
            continue
        values = seen.views[each.name].copy()
        if each.visible is Visible.OWNER:
            own = np.flatnonzero(seen.viewers >= 0)
            values[own, seen.viewers[own]] = 0
        assert not values.any(), f"{played}: a view shows something of {each.name}"


def _something_is_redrawn(played: Playout, seen: ViewBatch, hooks: Hooks) -> None:
    """Cards are redrawn at some moment; else a view has shown them all, and a field is declared public that is not."""
    known = {each.name for each in COMMON}
    fields = [each.name for each in played.game.description.fields if each.name not in known]
    for viewer in range(SPECTATOR, played.game.seats):
        rows = seen.viewers == viewer
        places = hooks.where_cards_are if hooks.cards_of is None else fields
        redrawn = any(not np.array_equal(seen.states[name][rows], seen.worlds[name][rows]) for name in places)
        assert redrawn, f"{played}: all that viewer {viewer} imagines is the truth"


def _movers_may_do_the_same(played: Playout, seen: ViewBatch) -> None:
    mine = np.flatnonzero((seen.viewers == played.movers[seen.moments]) & (seen.viewers >= 0))
    actions = played.game.description.actions
    legal, hints = legal_masks(seen.states[mine], actions), hints_of(seen.states[mine], played.seed)
    for k, hint in enumerate(hints):
        assert legal[k, hint], f"{played}, moment {k}: the hint {hint} is not legal"
    for kind, states in (("view", seen.views[mine]), ("imagined world", seen.worlds[mine])):
        same = (legal == legal_masks(states, actions)).all(axis=1)
        assert same.all(), f"{played}, moment {np.argmin(same)}: other actions are legal in the mover's {kind}"
        same = hints == hints_of(states, played.seed)
        assert same.all(), f"{played}, moment {np.argmin(same)}: the hint is another in the mover's {kind}"


def check_round_trip(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """An imagined world is a legal state with the same view: every card once, hands as large, all public as it is."""
    for played in playouts(game, deals, seed):
        seen = look_around(played)
        assert (seen.worlds["viewer"] == EVERYTHING).all(), f"{played}: an imagined world is not a full state"
        again = views.observe_all(seen.worlds, seen.viewers)
        assert_same(played, "the view of an imagined world is another", seen.views, again, _where(seen))
        spectator = np.full(len(seen.viewers), SPECTATOR)
        public, imagined_public = (views.observe_all(states, spectator) for states in (seen.states, seen.worlds))
        assert_same(played, "public fields changed", public, imagined_public, _where(seen))
        cards_are_the_pack(played, seen.worlds, hooks, _where(seen))
        for each in _card_fields(played.game.description, hooks):
            if each.visible is Visible.OWNER and each.holds in (Holds.CARDS, Holds.COUNTS):
                held, drawn = (_sizes(each, states) for states in (seen.states, seen.worlds))
                assert np.array_equal(held, drawn), f"{played}: an imagined world has other numbers in {each.name}"


def _sizes(field: Field, states: States) -> NDArray[np.int64]:
    """Count the cards of each seat's entry of a field: shape (states, seats)."""
    values = states[field.name]
    sizes: NDArray[np.int64] = values.sum(axis=-1) if field.holds is Holds.COUNTS else np.bitwise_count(values)
    return sizes


def _card_fields(description: Description, hooks: Hooks) -> list[Field]:
    if hooks.cards_of is not None:
        return []
    fields = {each.name: each for each in description.fields}
    for name in hooks.where_cards_are:
        assert name in fields, f"{description.name} has no field {name!r}: say where its cards are, in Hooks"
    return [fields[name] for name in hooks.where_cards_are]


def check_worlds_replay(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """A world imagined at any moment, dealt anew, replays through the whole history: every action is legal, the viewer
    sees at every moment what they saw, and it ends in that world. At each decision another viewer imagines."""
    for played in playouts(game, deals, seed):
        moments = np.arange(len(played.states))
        viewers = (moments + sum(played.seed)) % (game.seats + 1) + SPECTATOR
        worlds = imagined(played, views.observe_all(played.states, viewers))
        for moment in range(len(worlds)):
            _replays(played, moment, int(viewers[moment]), worlds[moment : moment + 1], hooks)


def _replays(played: Playout, moment: int, viewer: int, world: States, hooks: Hooks) -> None:
    where = f"{played}, moment {moment}, viewer {viewer}"
    actions = hooks.actions_seen(played, moment, world[0])
    states = np.zeros(moment + 1, world.dtype)
    try:
        states[0] = hooks.redeal(played, moment, world[0]).state
    except ValueError as error:
        raise AssertionError(f"{where}: an imagined world cannot be dealt: {error}") from error
    illegal = _replay(played, moment, world[0], states, np.array(actions, np.int64), hooks)
    assert illegal < 0, f"{where}: in an imagined world action {illegal} ({actions[illegal]}) could not have been made"
    assert_same(played, "an imagined world replays to another", world, states[-1:], lambda row: where)
    looks = np.full(moment + 1, viewer)
    had, would = (views.observe_all(each, looks) for each in (played.states[: moment + 1], states))
    assert_same(played, "in an imagined world the viewer would have seen", had, would, lambda row: f"{where}, at {row}")


def _replay(played: Playout, moment: int, world: np.void, states: States, actions: Ints, hooks: Hooks) -> int:
    """Make the actions from ``states[0]`` on, up to the first illegal one; its place, −1 if none is."""
    decided = hooks.chance_in_play(played, moment, world)
    made = 0
    for stop in [*sorted(decided), moment]:
        illegal = follow(states[made : stop + 1], actions[made:stop])
        if illegal >= 0:
            return made + illegal
        made = stop
        for name, values in decided.get(stop, {}).items():
            states[name][stop] = values
    return -1


def check_conservation(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """After every action the cards in all places are the pack."""
    for played in playouts(game, deals, seed):
        cards_are_the_pack(played, played.states, hooks, lambda row: f"moment {row}")


def cards_are_the_pack(played: Playout, states: States, hooks: Hooks, where: Callable[[int], str]) -> None:
    """In each of these states of a playout the cards in all places are the pack."""
    description = played.game.description
    expected = np.bincount(played.game.pack, minlength=len(description.cards))
    wrong = (counted_cards(description, states, hooks) != expected).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        counts = counted_cards(description, states[row : row + 1], hooks)[0]
        cards = np.flatnonzero(counts != expected)
        found = ", ".join(f"{description.cards[card]} {counts[card]} times" for card in cards)
        raise AssertionError(f"{played}, {where(row)}: the cards are not the pack: {found}")


def counted_cards(description: Description, states: States, hooks: Hooks = DEFAULTS) -> NDArray[np.int64]:
    """Count the places of each card: shape (states, cards)."""
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
