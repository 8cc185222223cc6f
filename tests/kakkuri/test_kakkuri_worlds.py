"""Kakkuri: what a viewer knows of the box is in every world they imagine; all else is as likely as it should be."""

from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import pytest

from tefuda.engine import bits, rng, verbs
from tefuda.engine.record import SPECTATOR
from tefuda.engine.views import observe_all
from tefuda.games.kakkuri.plays import CARD_WORDS, UTAZU_CARDS
from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.testing.view_checks import imagine_each
from tests.kakkuri.replay import box_of

WORLDS = 1200
FOLDED = "D2 H4 H6 H8 C4 C6"


believe_each = partial(imagine_each, imagine=verbs.believe)


def worlds_of(deal: Deal, viewer: int, seed: int = 1, draw: Any = imagine_each) -> Any:
    """Worlds that a seat imagines now."""
    states = np.repeat(np.frombuffer(deal.state.tobytes(), deal.state.dtype), WORLDS)
    seen = observe_all(states, np.full(WORLDS, viewer))
    worlds = np.zeros(WORLDS, seen.dtype)
    draw(seen, rng.generator(seed), worlds)
    return worlds


def evenly(counts: Counter[Any], values: int) -> bool:
    """Whether counts of so many values may come from equal chances (chi-square, far out in the tail)."""
    expected = sum(counts.values()) / values
    off = sum((count - expected) ** 2 / expected for count in counts.values()) + expected * (values - len(counts))
    return bool(off < values + 5 * (2 * values) ** 0.5 + 5)


def eight() -> Deal:
    return load("kakkuri", 8, fuwaru=False, early_drop=False, return_consent="never").deal(2)


@pytest.mark.slow
def test_who_was_forced_out_knows_the_whole_box() -> None:
    """KK-14."""
    deal = eight()
    out = int(deal.state.forced_out)
    boxes = {frozenset(box_of(world)) for world in worlds_of(deal, out)}
    assert boxes == {frozenset(box_of(deal.state))}
    orders = Counter(box_of(world)[0] for world in worlds_of(deal, out))
    assert evenly(orders, 5)


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 5])
def test_everybody_knows_that_c3_is_in_the_box_until_it_is_raised(viewer: int) -> None:
    """KK-14: of the other cards that they do not see each is as likely."""
    deal = eight()
    assert viewer != deal.state.forced_out
    three = card("C3")
    assert deal.state.table[0] != three
    others = Counter[int]()
    for world in worlds_of(deal, viewer):
        box = set(box_of(world))
        assert three in box
        others.update(box - {three})
    seen = 1 + (6 if viewer >= 0 else 0)
    assert evenly(others, 48 - seen - 1)


def two_dropped(rebuild: str) -> Deal:
    """Two hands and the field card have just become the box of four players."""
    fields = {
        "hands": ["S9 SQ", FOLDED, "C9", "S2 S3 S4 S5 S6 S7"],
        "field": "C3", "dropped": [1, 3], "box": 0, "right": 0,
    }  # fmt: skip
    return load("kakkuri", 4, rebuild=rebuild, return_consent="never").position(fields)


def card(word: str) -> int:
    return CARD_WORDS.index(word)


def test_what_lay_face_up_is_in_a_rebuilt_box_and_in_no_hand() -> None:
    """KK-44."""
    deal = two_dropped("shuffle")
    deal.play("raise")
    assert deal.state.table[0] != card("C3")
    for world in worlds_of(deal, 0):
        assert card("C3") in box_of(world)
        assert world.box_size == 12
        assert bits.size(int(world.gave_up[1])) == bits.size(int(world.gave_up[3])) == 6
        assert world.gave_up[1] & world.gave_up[3] == 0


def test_whose_hand_went_into_the_box_knows_his_cards_there() -> None:
    """KK-44: before they are raised again the viewer sees them in no other hand."""
    deal = two_dropped("shuffle")
    deal.play("raise")
    own = {card(word) for word in FOLDED.split()} - {int(deal.state.table[0])}
    for world in worlds_of(deal, 1):
        assert own <= set(box_of(world))


def test_a_card_of_two_hands_comes_from_either_as_likely() -> None:
    """KK-44: that it has come up does not say whose it was; to its owner it does."""
    deal = two_dropped("shuffle")
    deal.play("raise")
    up = int(deal.state.table[0])
    assert up != card("C3")
    assert evenly(Counter(bits.has(int(world.gave_up[1]), up) for world in worlds_of(deal, 0)), 2)
    owner = 1 if bits.has(int(deal.state.gave_up[1]), up) else 3
    assert all(bits.has(int(world.gave_up[owner]), up) for world in worlds_of(deal, owner))


def one_dropped(cut: int) -> Deal:
    """The box is C3 and a dropped hand after it, cut so that this place of the pile came to the top."""
    fields = {"hands": ["S9 SQ", FOLDED, "C9"], "field": "C3", "dropped": [1], "box": 0, "right": 0}
    for chance in range(10_000):
        deal = load("kakkuri", 3, rebuild="cut_only", return_consent="never").position(fields)
        deal._states["chance"] = chance
        deal.play("raise")
        box = [int(deal.state.table[0]), *box_of(deal.state)]
        if box.index(card("C3")) == -cut % 7:
            return deal
    raise AssertionError(f"no cut at {cut}")


def test_a_cut_box_is_known_once_a_known_card_has_come_up() -> None:
    """KK-44, KK-58: after C3, on top of the pile, all of the hand is still to come; its order nobody knows."""
    deal = one_dropped(0)
    assert deal.state.table[0] == card("C3")
    assert {frozenset(box_of(world)) for world in worlds_of(deal, 1)} == {frozenset(box_of(deal.state))}
    assert evenly(Counter(box_of(world)[0] for world in worlds_of(deal, 1)), 6)


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1, 2])
def test_a_cut_box_may_have_been_cut_anywhere_in_the_hand_that_comes_up(viewer: int) -> None:
    """KK-44, KK-58: below a card of the dropped hand C3 may be at any of six places; a second leaves five."""
    deal = one_dropped(3)
    places = Counter(box_of(world).index(card("C3")) for world in worlds_of(deal, viewer))
    assert set(places) == set(range(6))
    assert evenly(places, 6)
    deal.play("end")
    deal.play("end")
    deal.play("raise")
    places = Counter(box_of(world).index(card("C3")) for world in worlds_of(deal, viewer))
    assert set(places) == set(range(5))
    assert evenly(places, 5)


def test_an_utazu_that_was_claimed_is_known() -> None:
    """KK-22."""
    deal = load("kakkuri", 3).position({"hands": ["SA HA DA C9 S9 D4", "S5 S6", "C7 C8"], "field": "S8"})
    deal.play("utazu")
    assert all(bits.inside(UTAZU_CARDS, int(world.hands[0])) for world in worlds_of(deal, 1))


@pytest.mark.slow
def test_who_stopped_is_believed_to_hold_nothing_that_could_have_followed() -> None:
    """KK-38 lets anybody stop, so it may be otherwise; wilds are worth keeping."""
    deal = load("kakkuri", 3, fuwaru=False, early_drop=False).position(
        {"hands": ["H4 H5 H6 H8 SK C4", "S9 SQ SJ C9 CQ CJ", "D4 D5 D6 D8 DK S4"], "field": "C3", "to_move": 0}
    )
    deal.play("end")
    fours = frozenset(card(word) for word in ("C4", "S4", "D4", "H4"))
    for draw, expected in ((imagine_each, True), (believe_each, False)):
        holds = [not fours.isdisjoint(bits.members_of(int(world.hands[0]))) for world in worlds_of(deal, 1, draw=draw)]
        assert any(holds) == expected
    assert any(bits.has(int(world.hands[0]), card("CA")) for world in worlds_of(deal, 1, draw=believe_each))
