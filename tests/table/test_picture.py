"""A deal and a view show themselves as pictures; a view's picture shows what its seat may know and nothing else."""

import re
from xml.etree import ElementTree

import pytest

import tefuda
from tefuda import Deal, games
from tefuda.engine import rng, verbs
from tefuda.table.view import View

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=games.names())
def deal(request: pytest.FixtureRequest) -> Deal:
    """Some plays into a deal."""
    deal, hints = tefuda.load(request.param).deal(seed=5), tefuda.bot("hints")
    for _ in range(12):
        tefuda.choose_play(hints, deal, seed=3)
    return deal


def picture(thing: Deal | View) -> ElementTree.Element:
    svg = thing._repr_svg_()
    assert svg is not None
    return ElementTree.fromstring(svg)


def drawn(svg: ElementTree.Element) -> int:
    """How many cards are shown."""
    return sum(1 for _ in svg.iter(f"{SVG}use") if "scale" in _.get("transform", ""))


def texts(svg: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SVG}text")]


def test_a_deal_shows_every_seat_and_every_hand(deal: Deal) -> None:
    svg = picture(deal)
    assert {f"seat {seat}" for seat in range(deal.game.seats)} <= set(texts(svg))
    assert drawn(svg) >= sum(place.held for place in deal.view(-1).scene.seats)


def test_a_view_shows_the_same_whatever_it_may_not_know(deal: Deal) -> None:
    """Everything hidden is drawn anew; the seat's picture stays as it is."""
    seat = deal.mover
    view = deal.view(seat)
    world = view.array.copy()
    verbs.imagine(view.array[0], rng.generator(1), world[0])
    assert world.tobytes() != view.array.tobytes()
    assert View(view.game, world, seat)._repr_svg_() == view._repr_svg_()


def test_a_spectator_sees_no_hand(deal: Deal) -> None:
    assert deal.view(-1).hand() == []
    assert drawn(picture(deal.view(-1))) == drawn(picture(deal.view(0)))


def test_every_view_knows_whose_turn_it_is(deal: Deal) -> None:
    assert {deal.view(seat).mover for seat in range(-1, deal.game.seats)} == {deal.mover}
    assert repr(deal.view(0)) == f"<View of {deal.game.name} from seat 0: seat {deal.mover} to move>"


def test_pictures_in_one_page_share_no_names() -> None:
    """Of gong-zhu: the drawings of one must not stand in for those of the other."""
    deal = tefuda.load("gong-zhu").deal(seed=5)
    one, other = (set(re.findall(r' id="([^"]+)"', str(deal.view(seat)._repr_svg_()))) for seat in (0, 1))
    assert one
    assert not one & other
