"""Checks of the deal as a whole: records, settlement, plays out of turn, scenes, texts; asking changes nothing."""

import json
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng, verbs, views
from tefuda.engine.description import Description
from tefuda.engine.record import SPECTATOR, duplicate
from tefuda.engine.scene import Scene
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import LANGUAGES
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import say_line
from tefuda.table.record import Record
from tefuda.testing.play_checks import in_every_language, is_made_at_once
from tefuda.testing.playouts import DEFAULTS, Hooks, Playout, States, play_out, playouts, stacked
from tefuda.testing.view_checks import (
    assert_same,
    cards_are_the_pack,
    hints_of,
    imagined,
    legal_masks,
    look_around,
    rows_of_bytes,
)

SELDOM = 8  #: one of so many plays that could be made out of turn is made: deals must not end with the first questions
MOMENTS = 40  #: about so many of each deal are looked at, at equal distances: every view of each is laid out


def check_record(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """A record is a text that replays to the same state and the same following deal, whole or cut short."""
    for played in playouts(game, deals, seed):
        lines = _replays(played.deal, str(played)).splitlines(keepends=True)
        plays = len(played.deal.history) // 2
        part = Record.parse("".join(lines[: 2 + plays])).replay().deals[0]
        assert part.history == played.deal.history[:plays], f"{played}: half a record replays to something else"


def _replays(deal: Deal, where: str) -> str:
    """Record a deal that is over, check that it replays, and return the record."""
    text = deal.record()
    replayed = Record.parse(text).replay().deals[0]
    assert replayed.history == deal.history, f"{where}: the record replays to other plays"
    assert replayed.state.tobytes() == deal.state.tobytes(), f"{where}: the record replays to another state"
    assert replayed.following().tobytes() == deal.following().tobytes(), f"{where}: another deal would follow"
    assert replayed.record() == text, f"{where}: the replayed deal is recorded otherwise"
    return text


def check_purity(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Asking changes nothing; a seed gives one deal; between the fields all is 0: equal states are equal bytes."""
    for played in playouts(game, deals, seed):
        before = played.states.tobytes()
        seen = look_around(played)
        views_before = seen.views.tobytes()
        imagined(played, seen.views)
        assert seen.views.tobytes() == views_before, f"{played}: imagine changes the view"
        _ask_everything(played)
        assert played.states.tobytes() == before, f"{played}: asking changes the state"
        for states in (played.states, seen.views, seen.worlds):
            assert not rows_of_bytes(states)[:, _padding(game.description)].any(), f"{played}: bytes between the fields"
        same = play_out(game, played.seed, played.deal.before, hints=played.seed[-1] % 3 == 2)
        assert same.states.tobytes() == before, f"{played}: the same seed gives another deal"


def _ask_everything(played: Playout) -> None:
    description, states = played.game.description, played.states
    legal_masks(states[:-1], description.actions)
    views.observe_all(states, played.movers)
    hints_of(states[:-1], played.seed)
    for state in states:
        verbs.mover(state)
        verbs.payoff(state, np.zeros(played.game.seats, np.int64))
        description.setup.facts(state)
    description.rules.why_not(states[0], int(played.movers[0]), played.deal.history[0][1])
    for seat in range(played.game.seats):
        description.display.sheet(states[-1], seat)


def _padding(description: Description) -> NDArray[np.bool_]:
    """Mark the bytes of the record that belong to no field."""
    outside = np.ones(description.record.itemsize, np.bool_)
    for element, start, *_ in (description.record.fields or {}).values():
        outside[start : start + element.itemsize] = False
    return outside


def check_texts(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Every language has what is said of the game, of its options, of every view of a deal and of every play."""
    description = game.description
    keys = ["title", "native", "about", "example"]
    for option in description.rules.options:
        names = ["label", "help", *(f"values.{value}" for value in option.values)]
        keys += [f"options.{option.name}.{name}" for name in names]
    keys += [f"rules.{option.rule}" for option in description.rules.options]
    for key in keys:
        assert in_every_language(description.files.texts, key), f"{game.name}: a language lacks {key}"
    for played in playouts(game, deals, seed):
        told = {line.code: line for line in _told(played)}
        for line in told.values():
            _can_be_said(played, line)


def _told(played: Playout) -> Iterator[Sentence]:
    """Lines of the texts that some views of a deal show, and of what is told of the plays between them."""
    deal, every = played.again(), max(1, len(played.deal.history) // MOMENTS)
    events = played.game.description.display.events
    yield from _lines_of(deal.view(deal.mover).scene)
    for number, (seat, word) in enumerate(played.deal.history):
        before = deal.view(SPECTATOR)
        deal.play(word)
        yield from events(before.record, seat, word, deal.view(SPECTATOR).record)
        if number % every == 0 or deal.over:
            yield from _lines_of(deal.view(seat).scene)


def _lines_of(scene: Scene) -> Iterator[Sentence]:
    groups = [*scene.hand, *scene.reference, *scene.beside, *(pile for each in scene.seats for pile in each.piles)]
    yield from map(Sentence, [scene.phase, *(group.label for group in groups), *([scene.mark] if scene.mark else [])])
    for key, fields in (*scene.stake, *scene.middle, *(note for each in scene.seats for note in each.notes)):
        yield Sentence(key, fields)


def check_settlement(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """The end of a deal: payoffs within bounds add to the totals, each is explained, and the next deal starts clean."""
    for played in playouts(game, deals, seed):
        _amounts_of_the_session_stay(played)
        _totals_carry(played)
        _stays_within_bounds(played)
        _sheet_can_be_said(played)
        json.dumps([played.deal.view(seat).to_dict() for seat in range(SPECTATOR, game.seats)])
        if not played.deal.facts()["over"]:
            _next_deal_starts_clean(played)


def _amounts_of_the_session_stay(played: Playout) -> None:
    assert played.deal.before is not None
    for name in (each.name for each in played.game.description.fields if each.of_session):
        before, now = played.deal.before[name][0].tolist(), played.deal.state[name].tolist()
        assert now == before, f"{played}: {name} is {before} before the deal, and {now} at its end"


def _totals_carry(played: Playout) -> None:
    facts, before = played.deal.facts(), played.deal.before
    assert before is not None
    undeclared = set(facts) - set(played.game.description.setup.fact_names)
    assert not undeclared, f"{played}: facts without a declared name: {undeclared}"
    assert {"over", "totals"} <= set(facts), f"{played}: the facts lack over or totals"
    payoff = played.deal.payoff()
    if "totals" in (before.dtype.names or ()):
        totals = [int(total) + points for total, points in zip(before["totals"][0], payoff, strict=False)]
        assert facts["totals"] == totals, f"{played}: totals {facts['totals']}, by the payoff {totals}"
        carried = played.deal.following()["totals"][0].tolist()[: played.game.seats]
        assert carried == totals, f"{played}: {carried} is carried on, the totals are {totals}"


def _stays_within_bounds(played: Playout) -> None:
    description = played.game.description
    if description.rules.bounds is None:
        return
    bounds, payoff = description.rules.bounds(played.game.template[0]), played.deal.payoff()
    inside = bounds.least <= min(payoff) and max(payoff) <= bounds.most
    assert inside, f"{played}: payoffs {payoff} are not from {bounds.least} to {bounds.most}"
    assert sum(payoff) == 0 or not bounds.zero_sum, f"{played}: payoffs {payoff} do not sum to 0"
    made = len(played.actions)
    assert made <= bounds.actions, f"{played}: {made} actions, by its bounds at most {bounds.actions}"


def _sheet_can_be_said(played: Playout) -> None:
    description = played.game.description
    if description.display.outcome is not None:
        _can_be_said(played, description.display.outcome(played.deal.state))
    for seat in range(played.game.seats):
        lines = description.display.sheet(played.deal.state, seat)
        assert lines, f"{played}: no score sheet for seat {seat}"
        for line in lines:
            _can_be_said(played, line)


def _can_be_said(played: Playout, line: Sentence) -> None:
    description = played.game.description
    assert in_every_language(description.files.texts, line.code), f"{played}: a language lacks {line.code}"
    for language in LANGUAGES:
        assert "{" not in say_line(description, line, language), f"{played}: {line.code} is not filled in"


def _next_deal_starts_clean(played: Playout) -> None:
    """The next deal is the same from what was handed on and from the carried fields alone, as a record has them."""
    game, following = played.game, played.deal.following()
    carried = duplicate(game.template)
    for each in game.description.fields:
        if each.carried:
            carried[each.name] = following[each.name]
    left, right = (game.deal((*played.seed, 3), before=before) for before in (following, carried))
    assert left.mover >= 0, f"{played}: the next deal has nobody to act"
    assert_same(played, "the next deal keeps something of this", stacked([left.state]), stacked([right.state]), str)


# Plays out of turn


def check_plays_out_of_turn(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """A wish is made at once just where no reason forbids it; then the cards are the pack and the record replays."""
    if game.description.rules.wish is None:
        return
    for played in playouts(game, deals, seed):
        deal, states = _play_with_interruptions(played)
        cards_are_the_pack(played, states, hooks, lambda row: f"played again with plays out of turn, moment {row}")
        _replays(deal, f"{played}, played again with plays out of turn, {deal.history}")


def _play_with_interruptions(played: Playout) -> tuple[Deal, States]:
    """Play the deal again at random, now and then out of turn; return it with all its states."""
    deal, generator = played.again(), rng.generator((*played.seed, 4))
    states, is_between_plays = [deal.state], True
    while not deal.over:
        for seat in range(deal.game.seats) if is_between_plays else ():
            wish = deal.wish(seat)
            if wish is not None and _may(deal, seat, wish.play, str(played)) and not rng.below(generator, SELDOM):
                deal.play(wish.play, seat)
                states.append(deal.state)
        if deal.over:
            break
        legal, made = deal.legal_actions(), len(deal.history)
        deal.act(legal[rng.below(generator, len(legal))])
        states.append(deal.state)
        is_between_plays = len(deal.history) > made
    return deal, stacked(states)


def _may(deal: Deal, seat: int, word: str, where: str) -> bool:
    """Tell if a seat may make its wish now, out of turn; state and view give no reason then, and else they do."""
    if seat == deal.mover:
        return False
    may = is_made_at_once(deal, seat, word)
    for kind, state in (("the state", deal.state), ("its view", deal.view(seat).record)):
        why = deal.game.description.rules.why_not(state, seat, word)
        assert may == (why is None), (
            f"{where}, after {deal.history}: {word} of seat {seat} can{'' if may else 'not'} be made, {kind} says {why}"
        )
    return may


# Scenes


def check_scenes(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Views of several that are laid out together show and tell each viewer the same as a view laid out alone."""
    events = game.description.display.events
    for played in playouts(game, deals, seed):
        deal, every = played.again(), max(1, len(played.deal.history) // MOMENTS)
        for number, (seat, word) in enumerate(played.deal.history):
            if number % every:
                deal.play(word)
                continue
            before = deal.views()
            deal.play(word)
            for earlier, later in zip(before, deal.views(), strict=True):
                alone = deal.view(later.seat)
                where = f"{played}, after {len(deal.history)} plays, view of {later.seat}"
                assert later.array.tobytes() == alone.array.tobytes(), f"{where}: views seen together differ"
                assert later.scene == alone.scene, f"{where}: the scene differs when several look"
                told = events(earlier.record, seat, word, alone.record)
                assert later.told_since(earlier, seat, word) == told, f"{where}: {word} is told otherwise"
