"""Observations: every field of a view is there, at the place that its plane names, turned to the observer."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tools.pages.planes_page import page

import tefuda
from tefuda import games
from tefuda.engine import views
from tefuda.engine.errors import TefudaError
from tefuda.engine.record import Field, Holds, Visible
from tefuda.table.game import Game
from tefuda.table.plane_kernels import list_all, pack_all
from tefuda.table.planes import MOST_INT8, Observation, words_of
from tefuda.testing import playouts

FAST = ("gong-zhu", "sap-ng-wu")
DEEP = tuple(name for name in games.names() if name not in FAST)

Named = Iterator[tuple[str, list[float]]]


def shown(game: Game, field: Field, value: Any, viewer: int) -> list[float]:
    """One value as its plane should tell it, worked out the slow way."""
    cards, seats = len(game.description.cards), game.seats
    if field.holds is Holds.COUNTS:
        return [float(copies) for copies in value]
    if field.holds is Holds.NUMBER:
        return [int(value) / field.scale]
    if field.holds is Holds.ACTION:
        text = f"{int(value) + 1:b}"[::-1]
        return [float(bit) for bit in text.ljust(game.description.actions.bit_length(), "0")]
    if field.holds in (Holds.CARDS, Holds.BITS, Holds.SEATS):
        size = {Holds.CARDS: cards, Holds.BITS: field.of, Holds.SEATS: seats}[field.holds]
        bits = [float(int(value) >> k & 1) for k in range(size)]
        return bits[viewer:] + bits[:viewer] if field.holds is Holds.SEATS else bits
    size = {Holds.CARD: cards, Holds.KIND: field.of, Holds.SEAT: seats}[field.holds]
    place = (int(value) - viewer) % seats if field.holds is Holds.SEAT and value >= 0 else int(value)
    return [float(k == place) for k in range(size)]


def expected(game: Game, view: Any, viewer: int) -> Named:
    """Every plane of a view by name."""
    settings = {each.field or each.name for each in game.description.rules.settings.values()}
    for field in game.description.fields[3:]:
        if field.visible is Visible.NOBODY or field.name in settings:
            continue
        value = view[field.name]
        plain = field.shape[:-1] if field.holds is Holds.COUNTS else field.shape
        if field.visible is Visible.OWNER:
            value, plain = value[viewer], plain[1:]
        elif plain and plain[0] == max(game.description.seats):
            plain = (game.seats, *plain[1:])
            if not field.in_order:
                value = np.roll(value[: game.seats], -viewer, axis=0)
        for place in np.ndindex(plain):
            yield field.name + "".join(f"[{k}]" for k in place), shown(game, field, value[place], viewer)


def listed(observation: Observation, seen: NDArray[Any]) -> NDArray[np.int8]:
    """Observations from lists of their numbers that are not 0."""
    told = np.zeros((len(seen), observation.size), np.int8)
    places, numbers = np.zeros(observation.size, np.int64), np.zeros(observation.size, np.float32)
    for row, view in zip(told, words_of(seen), strict=True):
        n = list_all(view, observation.layout, observation.game.seats, MOST_INT8, places, numbers)
        assert len(set(places[:n].tolist())) == n
        assert numbers[:n].all()
        row[places[:n]] = numbers[:n]
    return told


def check_planes(game: Game, deals: int) -> None:
    observation = Observation(game)
    for playout in playouts(game, deals, 3):
        viewers = np.arange(len(playout.states)) % game.seats
        seen = views.observe_all(playout.states, viewers)
        floats = observation.encode(seen, np.full((len(seen), observation.size), np.nan, np.float32))
        small = observation.encode(seen)
        assert small.dtype == np.int8
        np.testing.assert_array_equal(small, np.clip(np.rint(floats), -127, 127))
        np.testing.assert_array_equal(small, listed(observation, seen))
        for k, view in enumerate(seen):
            told = dict(expected(game, view, int(viewers[k])))
            assert list(told) == [plane.name for plane in observation.planes]
            for plane in observation.planes:
                np.testing.assert_allclose(floats[k, plane.place], told[plane.name], err_msg=f"{playout}: {plane.name}")


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST)
def test_planes_tell_the_whole_view(name: str) -> None:
    check_planes(tefuda.load(name), 2)


@pytest.mark.slow
def test_planes_of_other_seats_and_options() -> None:
    check_planes(tefuda.load("gong-zhu", seats=5, expose_order="simultaneous"), 2)


@pytest.mark.deep
@pytest.mark.parametrize("name", DEEP)
def test_planes_of_other_games(name: str) -> None:
    for seats in games.description(name).seats:
        check_planes(tefuda.load(name, seats), 3)


def turned(game: Game, states: NDArray[Any], by: int) -> NDArray[Any]:
    """The same moments with everybody moved on by so many seats."""
    moved = states.copy()
    for field in game.description.fields:
        value, seats = states[field.name], game.seats
        if field.shape and field.shape[0] == max(game.description.seats) and not field.in_order:
            value = value.copy()
            value[:, :seats] = np.roll(value[:, :seats], by, axis=1)
        if field.holds is Holds.SEAT:
            value = np.where(value >= 0, (value + by) % seats, value)
        if field.holds is Holds.SEATS:
            value = (value << by | value >> (seats - by)) & ((1 << seats) - 1)
        moved[field.name] = value
    return moved


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST)
def test_where_one_sits_changes_nothing(name: str) -> None:
    game = tefuda.load(name)
    observation = Observation(game)
    for playout in playouts(game, 2, 5):
        everybody = np.zeros(len(playout.states), np.int64)
        here = observation.encode(views.observe_all(playout.states, everybody))
        for by in range(1, game.seats):
            there = observation.encode(views.observe_all(turned(game, playout.states, by), everybody + by))
            np.testing.assert_array_equal(here, there)


def test_a_spectator_sees_no_hand() -> None:
    game = tefuda.load("gong-zhu")
    observation = Observation(game)
    deal = game.deal(seed=1)
    assert not observation.encode(deal.view(-1).array)[0, observation["hands"]].any()
    assert observation.encode(deal.view(2).array)[0, observation["hands"]].sum() == 13


def test_amounts_of_the_session_do_not_change_in_its_first_deal() -> None:
    """Where they are 0 then, environments need not write them: Kakkuri's totals begin with counters."""
    for name, totals in (("gong-zhu", {"totals", "own_totals"}), ("kakkuri", set())):
        observation = Observation(tefuda.load(name))
        left_out = np.flatnonzero(~observation.changing())
        assert {observation.planes[k].name.partition("[")[0] for k in left_out} == {"deals", "finished"} | totals


def test_later_deals_tell_the_amounts_of_the_session() -> None:
    game = tefuda.load("gong-zhu")
    observation, view = Observation(game), game.deal(seed=1).view(2).array.copy()
    view["totals"], view["deals"] = [[-120, 44, 2000, 0, 0]], 3
    (told,) = observation.encode(view)
    assert [told[observation[f"totals[{k}]"]][0] for k in range(4)] == [127, 0, -12, 4]  # tenths, from seat 2 on
    assert told[observation["deals"]] == [3]


def test_many_views_are_told_as_one_by_one() -> None:
    game = tefuda.load("gong-zhu")
    observation, views_of_deals = Observation(game), [game.deal(seed=k).view(k % 4).array for k in range(300)]
    told = observation.encode(np.concatenate(views_of_deals))
    np.testing.assert_array_equal(told, np.concatenate([observation.encode(view) for view in views_of_deals]))


def drawn_views(game: Game, count: int) -> NDArray[Any]:
    """Views in which every field has random values of those that it may hold, whatever the rules say."""
    chance, views_of_chance = np.random.default_rng(3), np.repeat(game.template, count)
    cards, actions = len(game.description.cards), game.description.actions
    ends = {
        Holds.NUMBER: 128, Holds.COUNTS: 9, Holds.CARD: cards, Holds.CARDS: 1 << cards, Holds.ACTION: actions,
        Holds.SEAT: game.seats, Holds.SEATS: 1 << game.seats,
    }  # fmt: skip
    for field in game.description.fields[3:]:
        end = ends.get(field.holds, field.of if field.holds is Holds.KIND else 1 << field.of)
        end = min(end, np.iinfo(views_of_chance[field.name].dtype).max + 1)
        least = -1 if field.holds in (Holds.KIND, Holds.CARD, Holds.SEAT, Holds.ACTION) else 0
        views_of_chance[field.name] = chance.integers(least, end, views_of_chance[field.name].shape)
    views_of_chance["viewer"] = np.arange(count) % game.seats
    return views_of_chance


@pytest.mark.parametrize("name", games.names())
def test_all_values_of_all_fields_are_told_alike_in_every_form(name: str) -> None:
    game = tefuda.load(name)
    observation, seen = Observation(game), drawn_views(game, 200)
    told = observation.encode(seen)
    np.testing.assert_array_equal(told, listed(observation, seen))
    floats = observation.encode(seen, np.full(told.shape, np.nan, np.float32))
    np.testing.assert_array_equal(told, np.clip(np.rint(floats), -MOST_INT8, MOST_INT8))
    packed = observation.packed()
    layout, width = packed.packed_layout()
    rows = np.full((len(seen), width), -1, np.int64)
    pack_all(words_of(seen), layout, game.seats, MOST_INT8, rows)
    unpacked = packed.unpack(rows.view(np.uint8))
    for plane in packed.planes:
        np.testing.assert_array_equal(unpacked[:, plane.place], told[:, observation[plane.name]], plane.name)


def test_every_plane_says_what_it_means() -> None:
    for name in games.names():
        made = Observation(tefuda.load(name)).planes
        assert len({plane.name for plane in made}) == len(made)
        assert all(plane.meaning and plane.size > 0 for plane in made)
        assert [plane.start for plane in made[1:]] == [plane.start + plane.size for plane in made[:-1]]


def test_the_page_of_planes_lists_the_planes_of_every_game() -> None:
    text = page()
    for name in games.names():
        game = tefuda.load(name)
        assert f"## {name}, {game.seats} seats: {Observation(game).size} numbers" in text
        assert all(f"`{plane.name.partition('[')[0]}" in text for plane in Observation(game).planes)


def test_a_series_of_cards_may_be_read_as_a_set() -> None:
    game = tefuda.load("kakkuri")
    whole = Observation(game)
    few = whole.without(["table", "totals"])
    everything, fields = ({plane.name.partition("[")[0] for plane in each.planes} for each in (whole, few))
    assert fields == (everything | {"table as a set"}) - {"table", "totals"}
    (playout,) = playouts(game, 1, 3)
    seen = views.observe_all(playout.states, np.arange(len(playout.states)) % game.seats)
    told = few.encode(seen)
    for k, view in enumerate(seen):
        cards = {int(card) for card in view["table"] if card >= 0}
        assert set(np.flatnonzero(told[k, few["table as a set"]]).tolist()) == cards
    np.testing.assert_array_equal(told, listed(few, seen))
    of_all = whole.encode(seen)
    for plane in few.planes[:-1]:
        np.testing.assert_array_equal(told[:, plane.place], of_all[:, whole[plane.name]])


def test_an_unknown_plane_is_named() -> None:
    with pytest.raises(TefudaError, match="gong-zhu has no plane 'hand'; there are: totals"):
        Observation(tefuda.load("gong-zhu"))["hand"]


def test_views_of_another_game_and_arrays_that_do_not_fit_are_refused() -> None:
    observation = Observation(tefuda.load("gong-zhu"))
    view = tefuda.load("gong-zhu").deal(seed=1).view(0).array
    with pytest.raises(TefudaError, match="views: they are no records of gong-zhu"):
        observation.encode(tefuda.load("ma-diao").deal(seed=1).view(0).array)
    with pytest.raises(TefudaError, match=r"out: float64 of shape \(1, 1094\); int8 or float32"):
        observation.encode(view, np.zeros((1, observation.size)))  # type: ignore[type-var]
    with pytest.raises(TefudaError, match=r"out: int8 of shape \(2, 3\)"):
        observation.encode(view, np.zeros((2, 3), np.int8))
