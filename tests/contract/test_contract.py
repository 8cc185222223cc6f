"""Every game keeps the contract with every option: a few deals of each in the normal run, thousands in the deep run."""

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda import games
from tefuda.engine.bits import members_of
from tefuda.engine.description import Value
from tefuda.games.gong_zhu.rules import exposure_action
from tefuda.games.gong_zhu.state import EXPOSING, SIMULTANEOUS
from tefuda.games.luk_fu.state import THROW
from tefuda.games.ma_diao import state as ma_diao
from tefuda.games.ma_diao.arranging import deck_of
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.testing import VIEW_PROPERTIES, Hooks, Trail, check_contract, option_sets, public_history
from tests.kakkuri import replay

DEALS = 500
DEEP_DEALS = 10_000
DEEP_SEED = int(os.environ.get("TEFUDA_DEEP_SEED", "1"))

Table = tuple[str, int, dict[str, Value]]


def gong_zhu_actions(trail: Trail, moment: int, world: Any) -> list[int]:
    """GZ-7, simultaneous: what others have chosen is hidden until all have; in this world they chose otherwise."""
    actions = public_history(trail, moment, world)
    if world.phase != EXPOSING or world.expose_order != SIMULTANEOUS:
        return actions
    return [int(exposure_action(int(world.pending[seat]))) for seat in trail.movers[:moment]]


def luk_fu_deal(trail: Trail, moment: int, world: Any) -> Deal:
    """LF-5, LF-6: the hands as they were dealt are in the world; so is who dealt them."""
    words = trail.game.description.cards
    hands = [" ".join(words[card] for card in members_of(world.dealt[seat])) for seat in range(trail.game.seats)]
    fields = {"dealer": int(world.dealer)}
    return trail.game.deal(0, hands=hands, chance=int(world.chance), before=trail.deal.before, fields=fields)


def luk_fu_actions(trail: Trail, moment: int, world: Any) -> list[int]:
    """LF-31, LF-40: in this world other cards were thrown face down; each throw goes card by card, ascending."""
    actions = public_history(trail, moment, world)
    left = {}
    for k, action in enumerate(actions):
        if THROW <= action < 2 * THROW:
            place = (int(trail.movers[k]), int(trail.states[k]["number"]))
            if place not in left:
                left[place] = members_of(world.thrown[place])
            actions[k] = THROW + left[place].pop(0)
    return actions


def ma_diao_deal(trail: Trail, moment: int, world: Any) -> Deal:
    """MD-8, MD-9: the hands as they were dealt and the stock are in the world."""
    accuser = members_of(world.accuser_down) or [int(world.accuser_card)]
    hidden, face = members_of(world.stock), int(world.face)
    bottom_is_face = world.face_card == ma_diao.BOTTOM
    stock = [*hidden, *accuser, face] if bottom_is_face else [face, *accuser, *hidden, int(world.bottom)]
    deck = deck_of([int(cards) for cards in world.dealt], int(world.first_dealt), stock)
    return trail.game.deal(0, deck=deck, chance=int(world.chance), before=trail.deal.before)


def ma_diao_actions(trail: Trail, moment: int, world: Any) -> list[int]:
    """MD-16, MD-24: in this world other cards were thrown face down, and answers not yet shown may be others."""
    actions = public_history(trail, moment, world)
    for k, action in enumerate(actions):
        seat, number = int(trail.movers[k]), int(trail.states[k]["number"])
        if world.phase == ma_diao.DECLARING:
            actions[k] = ma_diao.DECLARE if world.pending[seat] == ma_diao.SAYS_DECLARE else ma_diao.SILENT
        elif ma_diao.THROW <= action < ma_diao.SILENT:
            thrown = members_of(world.thrown[seat, number]) or [int(world.rows[seat, number])]
            actions[k] = ma_diao.THROW + thrown[0]
    return actions


HOOKS = {
    "gong-zhu": Hooks(actions_seen=gong_zhu_actions),
    "kakkuri": Hooks(
        where_cards_are=replay.WHERE_CARDS_ARE,
        redeal=replay.redeal,
        chance_in_play=replay.chance_in_play,
    ),
    "luk-fu": Hooks(
        where_cards_are=("hands", "played", "thrown", "sitter_card", "turned_up", "dead"),
        redeal=luk_fu_deal,
        actions_seen=luk_fu_actions,
    ),
    "ma-diao": Hooks(
        where_cards_are=("hands", "rows", "thrown", "face", "bottom", "accuser_card", "accuser_down", "stock"),
        redeal=ma_diao_deal,
        actions_seen=ma_diao_actions,
    ),
    "sap-ng-wu": Hooks(where_cards_are=("hands", "won", "laid", "table", "discards")),
}

SCORING_ONLY = {
    "gong-zhu": {
        "target",
        "end_on_plus",
        "team_end",
        "all_hearts_transformer_300",
        "heart_values",
        "pig_flips",
        "sheep_flips",
    },
    "kakkuri": {
        "guri_takes_pot",
        "forced_out_pays",
        "session_deals",
        "start_counters",
        "bankruptcy",
    },
    "luk-fu": {
        "multiplier_10_12",
        "red_bonus",
        "red_scope",
        "sitter_bonus",
        "sitter_bonus_mode",
        "pass_penalty",
        "dealer_stays_on",
        "draw_keeps_dealer",
        "session_deals",
    },
    "ma-diao": {
        "strike_stacking",
        "refusal_redeal",
        "double_extraordinary",
        "knock",
        "dealer_stays_on_great_live",
        "session_deals",
    },
    "sap-ng-wu": {
        "supreme8_quad_bonus",
        "quad_bonus",
        "quad_in_draw",
        "quad_rule",
        "start_counters",
        "session_deals",
    },
}
"""Options that change no play and nothing that anybody can know of the cards."""


def load(name: str, seats: int | None = None, options: dict[str, Value] | None = None) -> Game:
    return Game(games.description(name), seats, options)


def hooks(name: str) -> Hooks:
    return HOOKS.get(name, Hooks())


def tables(name: str) -> list[Table]:
    return [(name, seats, options) for seats, options in option_sets(games.description(name))]


def title(table: Table) -> str:
    name, seats, options = table
    return "-".join([name, str(seats), *(f"{option}={value}" for option, value in options.items())])


ALL_TABLES = [table for name in games.names() for table in tables(name)]


def changes_play(table: Table) -> bool:
    name, _, options = table
    return not options or not set(options) <= SCORING_ONLY.get(name, set())


@pytest.mark.parametrize("table", ALL_TABLES, ids=title)
def test_every_option_set_keeps_the_contract(table: Table) -> None:
    check_contract(load(*table), deals=2, seed=2, hooks=hooks(table[0]))


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("check", VIEW_PROPERTIES, ids=lambda check: check.__name__)
def test_views_of_many_deals(name: str, check: Any) -> None:
    check(load(name), DEALS, 0, hooks(name))


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("check", VIEW_PROPERTIES, ids=lambda check: check.__name__)
def test_views_of_any_deal(name: str, check: Any) -> None:
    """Any seed, any table: hypothesis looks for one that breaks a property."""

    @settings(deadline=None, max_examples=15, derandomize=True, database=None)
    @given(seed=st.integers(0, 2**32 - 1), table=st.sampled_from(tables(name)))
    def holds(seed: int, table: Table) -> None:
        check(load(*table), 1, seed, hooks(name))

    holds()


DEEP_TABLES = [table for table in ALL_TABLES if changes_play(table)]


@pytest.mark.deep
@pytest.mark.parametrize("table", DEEP_TABLES, ids=title)
@pytest.mark.parametrize("check", VIEW_PROPERTIES, ids=lambda check: check.__name__)
def test_views_of_thousands_of_deals(table: Table, check: Any) -> None:
    """``TEFUDA_DEEP_SEED`` chooses other deals."""
    shared = sum(other[0] == table[0] for other in DEEP_TABLES)
    check(load(*table), -(-DEEP_DEALS // shared), DEEP_SEED, hooks(table[0]))


@pytest.mark.deep
@pytest.mark.parametrize("table", ALL_TABLES, ids=title)
def test_every_option_set_keeps_the_contract_in_many_deals(table: Table) -> None:
    check_contract(load(*table), deals=10, seed=DEEP_SEED, hooks=hooks(table[0]))
