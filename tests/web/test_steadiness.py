"""Nothing at a table moves by itself but cards."""

from typing import TYPE_CHECKING

import pytest

from tests.server.server_process import Served
from tests.web.driver import play
from tests.web.tables import PHONE, SIZES, TALL, company, drivers, shifts, until_asked, until_still, watch_shifts

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SEATS = {"gong-zhu": 4, "luk-fu": 3, "ma-diao": 4, "sap-ng-wu": 3, "kakkuri": 5}

FEW = [game if game in ("gong-zhu", "kakkuri") else pytest.param(game, marks=pytest.mark.deep) for game in SEATS]
"""A game of tricks, one of cards laid at the places; the others with the deep tests."""


@pytest.mark.parametrize("size", [TALL, pytest.param({"width": 1280, "height": 800}, marks=pytest.mark.deep)])
@pytest.mark.parametrize("game", FEW)
def test_nothing_jumps_during_a_deal(chromium: "Browser", site: Served, game: str, size: dict[str, int]) -> None:
    with company(chromium, site, game, SEATS[game], people=1, size=size) as (guest,):
        until_asked(guest.page)
        watch_shifts(guest.page)
        play(drivers([guest]))
        assert shifts(guest.page) < 0.05


PILES = """async () => {
  const load = name => import(document.querySelector(`link[href$="js/${name}.js"]`).href);
  const [{drawFelt}, {roomOf}] = await Promise.all(["table/felt", "table/hand"].map(load));
  const root = document.querySelector("#table"), place = root.querySelector(".felt");
  const four = each => Array(4).fill(each), marked = [], hearts = [..."A23456789"].map(rank => `H${rank}`);
  const piles = [{label: "scene.exposed", cards: ["SQ"], marked}, {label: "scene.captured", cards: hearts, marked}];
  const seat = {held: 5, played: "", piles, total: 0, side: 0, notes: [], tally: [0, 0]};
  const scene = {phase: "", number: 3, tricks: 13, hand: [], seats: four(seat), mark: "", reference: [], beside: [],
                 middle: [], lead: 1, winning: 1, beating: [], stake: []};
  const state = {seats: four({name: "Bo", bot: null, absent: false, open: false}), you: {seat: 0, host: true},
                 events: [], options: {}, deal: {number: 1, mover: 1, over: false, named: {}, scene}};
  drawFelt(place, {state, names: four("Bo"), played: four(""), taker: null, said: new Map(),
                   room: roomOf(root).middle});
  return [...place.querySelectorAll(".seat:not(.own) .pile")].filter(pile => {
    const [own, around] = [pile, pile.closest(".seat")].map(each => each.getBoundingClientRect());
    return own.top < around.top || own.bottom > around.bottom || own.right > around.right;
  }).length;
}"""
"""How many piles of others do not lie within their place, where each has exposed a card and taken nine."""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_both_piles_of_a_place_are_in_sight_on_a_small_phone(chromium: "Browser", site: Served, language: str) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1, size=PHONE, language=language) as (guest,):
        until_asked(guest.page)
        assert guest.page.evaluate(PILES) == 0


LAID = """async seats => {
  const load = name => import(document.querySelector(`link[href$="js/${name}.js"]`).href);
  const [{drawFelt}, {roomOf}] = await Promise.all(["table/felt", "table/hand"].map(load));
  const root = document.querySelector("#table"), place = root.querySelector(".felt");
  const all = each => Array(seats).fill(each), played = "C2+C3+C4+C5+C6+C7";
  const seat = {held: 0, played, piles: [], total: 20, side: 0, notes: [["scene.dealer", {}]], tally: [0, 0]};
  const scene = {phase: "", number: 0, tricks: 0, hand: [], seats: all(seat), mark: "", reference: [], beside: [],
                 middle: [["scene.laid", {card: "C5", seat: "#1"}]], lead: null, winning: null, beating: [], stake: []};
  const state = {seats: all({name: "Bo", bot: null, absent: false, open: false}), you: {seat: 0, host: true},
                 events: [], options: {}, deal: {number: 1, mover: 1, over: false, named: {}, scene}};
  drawFelt(place, {state, names: all("Bo"), played: all(played), taker: null, said: new Map(),
                   room: roomOf(root).middle});
  const felt = place.getBoundingClientRect();
  return [...place.querySelectorAll(".lain > .playing-card")].filter(card => {
    const {x, y, bottom, right} = card.getBoundingClientRect();
    const isWithin = bottom <= felt.bottom + 1 && right <= felt.right + 1;
    return isWithin && card.contains(document.elementFromPoint(x + 4, y + 6));
  }).length;
}"""
"""How many cards lie within the felt with their index uncovered, where everybody has laid a whole hand."""


@pytest.mark.parametrize("seats", [5, 8])
def test_all_cards_that_lie_at_the_places_are_in_sight(chromium: "Browser", site: Served, seats: int) -> None:
    with company(chromium, site, "kakkuri", seats, people=1, language="ja") as (guest,):
        until_asked(guest.page)
        for size in SIZES:
            guest.page.set_viewport_size(size)  # type: ignore[arg-type]
            until_still(guest.page)
            assert guest.page.evaluate(LAID, seats) == 6 * seats, size


STEADY = """async () => {
  const load = name => import(document.querySelector(`link[href$="js/${name}.js"]`).href);
  const [{drawFelt}, {roomOf}] = await Promise.all(["table/felt", "table/hand"].map(load));
  const root = document.querySelector("#table"), place = root.querySelector(".felt");
  const five = each => Array(5).fill(each);
  const lines = [["scene.laid", {card: "C5", seat: "#1"}], ["scene.box", {count: "7", pot: "0"}],
                 ["scene.right", {seat: "#1"}]];
  const where = (middle, notes, played, total) => {
    const seat = {held: 5, played, piles: [], total, side: 0, notes: notes.map(note => [note, {}]), tally: [0, 0]};
    const scene = {phase: "", number: 0, tricks: 0, hand: [], seats: five(seat), mark: "", reference: [], beside: [],
                   middle, lead: null, winning: null, beating: [], stake: []};
    const state = {seats: five({name: "Bo", bot: null, absent: false, open: false}), you: {seat: 0, host: true},
                   events: [], options: {}, deal: {number: 1, mover: 1, over: false, named: {}, scene}};
    drawFelt(place, {state, names: five("Bo"), played: five(played), taker: null, said: new Map(),
                        room: roomOf(root).middle});
    const parts = [".centre .line:first-child", ".centre .playing-card", ".seat:not(.own) > :is(.facts, .lain)",
                   ".side", ".middle"];
    return [...place.querySelectorAll(parts.join())].map(each => {
      const {x, y} = each.getBoundingClientRect();
      return `${each.className} ${Math.round(x)} ${Math.round(y)}`;
    }).join("; ");
  };
  const few = lines.slice(0, 2);
  return [where(few, [], "C5", 9), where(lines, [], "C5", 9), where(few, ["scene.dealer"], "C6", 9),
          where(lines, ["scene.dealer", "scene.dropped"], "C5", -19)];
}"""
"""Where the parts of the felt are, with more and fewer lines in the middle, notes at the places and points."""


def test_what_is_said_on_the_felt_moves_nothing(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "kakkuri", 5, people=1) as (guest,):
        until_asked(guest.page)
        for size in SIZES:
            guest.page.set_viewport_size(size)  # type: ignore[arg-type]
            assert len(set(guest.page.evaluate(STEADY))) == 1, size


def test_the_hand_keeps_its_room_when_its_last_card_is_played(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        until_asked(guest.page)
        until_still(guest.page)
        high = "document.querySelector('.hand').clientHeight"
        before = guest.page.evaluate(high)
        guest.page.evaluate("document.querySelector('.hand').replaceChildren()")
        assert guest.page.evaluate(high) == before > 0


DRAWN = """async () => {
  const {Drawing} = await import(document.querySelector('link[href$="js/dom.js"]').href);
  const drawn = [];
  const drawing = new Drawing(() => drawn.push("felt"), () => drawn.push("rest"));
  const after = async (...asked) => {
    drawn.length = 0;
    asked.forEach(each => drawing[each]());
    await new Promise(go => setTimeout(go, 300));
    return drawn.join(" ");
  };
  return [await after("ownSoon", "ownSoon"), await after("ownSoon", "soon"), await after("soon", "ownSoon"),
          await after("inTurn", "ownSoon"), await after("feltNow", "ownSoon"), await after("ownSoon", "feltNow")];
}"""
"""What is drawn, in order, after what has been asked for in one moment."""


def test_what_the_reader_picks_draws_no_felt_and_no_draw_is_lost(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        assert guest.page.evaluate(DRAWN) == ["rest", *["felt rest"] * 5]


LARGE_TEXT = """async () => {
  const load = name => import(document.querySelector(`link[href$="js/${name}.js"]`).href);
  const [{drawFelt}, {roomOf}, {game}] = await Promise.all(["table/felt", "table/hand", "table/game"].map(load));
  const root = document.querySelector("#table"), felt = root.querySelector(".felt");
  const seats = Number(root.dataset.seats), words = Object.keys(game.cards), marked = [];
  const cards = word => [{label: "scene.hand", cards: [word], marked}], isTricks = root.dataset.game !== "kakkuri";
  const places = words.slice(0, seats).map(word => ({held: 5, played: word, piles: isTricks ? cards(word) : [],
    total: 20, side: 0, notes: [["scene.dealer", {}]], tally: [0, 0]}));
  const middle = isTricks ? [] : [["scene.laid", {card: words[0], seat: "#1"}]];
  const scene = {phase: "", number: isTricks ? 3 : 0, tricks: isTricks ? 13 : 0, hand: [], seats: places, mark: "",
                 reference: [], beside: [], middle, lead: 1, winning: isTricks ? 1 : -1, beating: [], stake: []};
  const sitting = Array(seats).fill({name: "Camellia", bot: null, absent: false, open: false});
  const state = {seats: sitting, you: {seat: 0, host: true}, events: [], options: {},
                 deal: {number: 1, mover: 1, over: false, named: {}, scene}};
  const draw = () => drawFelt(felt, {state, names: Array(seats).fill("Camellia"), taker: null, said: new Map(),
    played: places.map(each => each.played), room: roomOf(root).middle});
  draw();
  draw(); // in the room that it has now
  const box = each => each.getBoundingClientRect();
  const within = (one, other) => one.top >= other.top - 1 && one.bottom <= other.bottom + 1
    && one.left >= other.left - 1 && one.right <= other.right + 1 && one.width * one.height > 0;
  const apart = (one, other) => one.bottom <= other.top || one.top >= other.bottom
    || one.right <= other.left || one.left >= other.right;
  const all = selector => [...root.ownerDocument.querySelectorAll(selector)].filter(each => each.checkVisibility());
  const sees = each => each.contains(document.elementFromPoint(box(each).left + 6, box(each).top + 8));
  const [whole, window] = [box(felt), {top: 0, left: 0, right: innerWidth, bottom: innerHeight}];
  const put = all(".seat"), lying = all(":is(.play, .lain, .centre) > .playing-card, .centre .playing-card");
  const cut = each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
  return [
    ...put.filter(each => !within(box(each), whole) || !sees(each)).map(each => `place ${each.dataset.seat}`),
    ...put.flatMap((one, k) => put.slice(k + 1).filter(other => !apart(box(one), box(other))).map(() => "places")),
    ...(put.length === seats ? [] : ["places are missing"]), ...(lying.length < seats ? ["cards are missing"] : []),
    ...lying.filter(each => !within(box(each), whole) || !sees(each)).map(each => `card ${each.dataset.word}`),
    ...all(".masthead > *, .table-tools > *, .status, .bar > *, .tab")
      .filter(each => !within(box(each), window) || cut(each))
      .map(each => `${each.className} ${each.textContent.trim()}`),
  ];
}"""
"""What of a table is cut, covered or out of sight, where everybody has played a card."""


@pytest.mark.parametrize("game", FEW)
def test_all_of_a_table_is_in_sight_where_text_is_twice_as_large(chromium: "Browser", site: Served, game: str) -> None:
    with company(chromium, site, game, SEATS[game], people=1) as (guest,):
        until_asked(guest.page)
        guest.page.evaluate("document.documentElement.style.fontSize = '32px'")
        for size in (TALL, {"width": 1366, "height": 768}):
            guest.page.set_viewport_size(size)  # type: ignore[arg-type]
            until_still(guest.page)
            assert guest.page.evaluate(LARGE_TEXT) == [], size
