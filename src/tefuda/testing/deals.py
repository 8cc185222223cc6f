"""The deal as a whole: records, settlement, and that asking changes nothing."""

import json

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import views
from tefuda.engine.description import Description
from tefuda.engine.record import SPECTATOR, duplicate
from tefuda.engine.texts import LANGUAGES
from tefuda.table.game import Game
from tefuda.table.reasons import say_line
from tefuda.table.record import parse
from tefuda.testing.looking import (
    assert_same,
    hints_of,
    imagined,
    legal_masks,
    look_around,
    movers_of,
    payoffs_each,
    rows_of_bytes,
)
from tefuda.testing.plays import in_every_language
from tefuda.testing.trails import DEFAULTS, Hooks, Trail, play_out, stacked, trails


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
    """The end of a deal: payoffs within bounds add to the totals, each is explained, and the next deal starts clean."""
    for trail in trails(game, deals, seed):
        _totals_carry(trail)
        _stays_within_bounds(trail)
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


def _stays_within_bounds(trail: Trail) -> None:
    description = trail.game.description
    if description.bounds is None:
        return
    bounds, payoff = description.bounds(trail.game.template[0]), trail.deal.payoff()
    inside = bounds.least <= min(payoff) and max(payoff) <= bounds.most
    assert inside, f"{trail}: payoffs {payoff} are not from {bounds.least} to {bounds.most}"
    assert sum(payoff) == 0 or not bounds.zero_sum, f"{trail}: payoffs {payoff} do not sum to 0"
    made = len(trail.actions)
    assert made <= bounds.actions, f"{trail}: {made} actions, by its bounds at most {bounds.actions}"


def _sheet_can_be_said(trail: Trail) -> None:
    description = trail.game.description
    for seat in range(trail.game.seats):
        lines = description.sheet(trail.deal.state, seat)
        assert lines, f"{trail}: no score sheet for seat {seat}"
        for line in lines:
            assert in_every_language(description.texts, line.code), f"{trail}: a language lacks {line.code}"
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
    assert_same(trail, "the next deal keeps something of this", stacked([left.state]), stacked([right.state]), str)
