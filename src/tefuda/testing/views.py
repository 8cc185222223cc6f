"""Views: nobody is shown what they may not see, every imagined world is possible, cards are conserved."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import views
from tefuda.engine.description import Description
from tefuda.engine.playout import MOST_ACTIONS
from tefuda.engine.record import COMMON, EVERYTHING, SPECTATOR, Field, Holds, Visible
from tefuda.table.game import Game
from tefuda.testing.playouts import DEFAULTS, Hooks, Playout, States, playouts
from tefuda.testing.view_batches import (
    ViewBatch,
    assert_same,
    follow,
    hints_of,
    imagined,
    legal_masks,
    look_around,
    movers_of,
)


def check_no_leak(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Redraw all that a seat may not know: its view, whose turn it is, what it may do and its hint stay the same."""
    for played in playouts(game, deals, seed):
        seen = look_around(played)
        again = views.observe_all(seen.worlds, seen.viewers)
        assert_same(played, "the view of an imagined world is another", seen.views, again, _where(seen))
        _hidden_fields_are_blank(played, seen)
        _something_is_redrawn(played, seen, hooks)
        for kind, states in (("view", seen.views), ("imagined world", seen.worlds)):
            same = np.array_equal(movers_of(states), played.movers[seen.moments])
            assert same, f"{played}: another seat is to act in the {kind}"
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
    """Where nobody's cards are ever redrawn, a view has shown them all: a field is declared public that is not."""
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
        for each in _hand_fields(played.game.description, hooks):
            held, drawn = (_sizes(each, states) for states in (seen.states, seen.worlds))
            assert np.array_equal(held, drawn), f"{played}: an imagined world has other numbers of cards in {each.name}"


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
    for name in hooks.where_cards_are:
        assert name in fields, f"{description.name} has no field {name!r}: say where its cards are, in Hooks"
    return [fields[name] for name in hooks.where_cards_are]


def check_worlds_replay(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """A world imagined at any moment, dealt anew, replays through the whole history: every action is legal, the viewer
    sees at every moment what they saw, and it ends in that world. At each decision another viewer imagines.
    """
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


def _replay(
    played: Playout, moment: int, world: Any, states: States, actions: NDArray[np.int64], hooks: Hooks
) -> int:  # fmt: skip
    """Make the actions from ``states[0]`` on; which of them is the first illegal one, −1 if none."""
    buffer = np.empty(MOST_ACTIONS, np.int64)
    decided = hooks.chance_in_play(played, moment, world)
    made = 0
    for stop in [*sorted(decided), moment]:
        illegal = follow(states[made : stop + 1], actions[made:stop], buffer)
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
    """In each of these states of a played game."""
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
