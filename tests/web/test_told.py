"""What a table says of what happens without its reader: answers given for them, people who leave, what is asked."""

import re
from typing import TYPE_CHECKING

import pytest

from tefuda.client import Client
from tests.server.server_process import Served
from tests.web.conftest import Visit
from tests.web.driver import NEXT, play
from tests.web.tables import PHONE, TALL, Person, company, drivers, expect, get, until_asked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

FORCED = """async () => {
  const load = name => import(document.querySelector(`link[href$="js/dom.js"]`).href.replace("dom", name));
  const [{Story}, {Store}, {namesIn}, {sheet}, {bar}, {questionOf}, {render}] = await Promise.all(
    ["table/story", "table/store", "table/people", "table/sheet", "table/bar", "table/status", "dom"].map(load));
  const store = new Store(() => {}), story = new Story(store, () => {}, () => {});
  const forced = () => store.now.answers.filter(each => each !== null);
  const scene = {number: 4, phase: "phase.supremes", seats: Array(3).fill({played: ""})};
  const over = {over: true, number: 1, scene, payoff: [-1, 2, -1], totals: [-1, 2, -1], sheet: [[], [], []]};
  const tell = (kind, more = {}, deal = {scene, number: 1}) => {
    const seats = [0, 1, 2].map(seat => ({name: "Bo", bot: seat ? "hints" : null, open: false}));
    const state = {events: [{kind, seat: 0, ...more}], you: {seat: 0}, seats, speed: "normal", phase: "playing",
                   table: "t", session: 2, results: [], deal};
    story.hear(state);
    story.hurry();
    return state;
  };
  const sheetOf = state => {
    const place = document.createElement("div");
    render(place, sheet(state, namesIn(state), store.now));
    return [...place.children].map(each => (each.querySelector(":scope > summary") ?? each).textContent);
  };
  tell("dealt");
  tell("played", {forced: true, lines: ["You pass: nothing of yours beats earth-eight."]});
  const place = store.now.said.get(0), never = sheetOf(tell("said", {seat: 1}, over));
  tell("played", {forced: false, lines: []});
  tell("played", {forced: true, lines: ["You pass."]});
  const often = sheetOf(tell("said", {seat: 1}, over));
  tell("played", {seat: 1});
  tell("played", {forced: true, lines: ["You pass again."]});
  tell("taken_back", {seat: 1, plays: 3}); // a friend's last play, the reader's three before it stay
  const others = forced();
  tell("taken_back");
  const after = forced(), asked = {plays: [{word: "supreme:none", cards: [], any: 0, said: "supreme:none"},
    {word: "supreme:12+24", cards: ["12", "24"], any: 0, said: "supreme:"}], found: {exact: [], wider: []}, picked: [],
    busy: false, wish: null, marks: [], question: questionOf(scene)};
  return {place, never, often, others, after, log: store.now.log.map(line => line.text),
          question: questionOf(scene), bar: bar(asked).map(each => each?.textContent ?? "")};
}"""
"""What is said where an only answer was given for the reader, and of what is asked before cards are played."""


def test_an_answer_that_was_given_for_the_reader_is_told_in_words(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "sap-ng-wu", 3, people=1) as (guest,):
        until_asked(guest.page)
        told = guest.page.evaluate(FORCED)
    assert told["place"] == told["log"][1] == "You pass: nothing of yours beats earth-eight."
    never = "You had nothing to decide in this deal. Answers given for you because there was only one: 1."
    assert never in told["never"]
    assert "Answers given for you because there was only one: 2." in told["often"]
    assert told["others"] == [told["place"], "", "You pass."]
    assert told["after"] == ["You pass: nothing of yours beats earth-eight."], (
        "what was taken back was not asked either"
    )
    assert any("Replay: after the game" in part for part in told["never"]), "where it is not to be seen yet"
    assert told["question"] == "Will you lay your supreme cards?"
    assert not any("twice" in part for part in told["bar"])


BANTER = """async () => {
  const load = name => import(document.querySelector(`link[href$="js/dom.js"]`).href.replace("dom", name));
  const [{banter, chat}, {Store}, {choose}, {mute}] =
    await Promise.all(["table/banter", "table/store", "storage", "table/people"].map(load));
  const seats = [0, 1, 2, 3].map(seat => ({name: `hints ${seat}`, bot: seat < 2 ? null : "hints"}));
  const state = {table: "t", session: 2, results: [[-1, 2, 5, -6]], seats, you: {seat: 0}, deal: {number: 3}};
  const said = (of, more = {}) => Array.from({length: 300}, (_, seq) => banter({...of, seq}, {...state, ...more}));
  const moment = {kind: "played", moment: {tune: [440], seat: 2, lucky: false}};
  const found = {dealt: said({kind: "dealt"}), again: said({kind: "dealt"}), moment: said(moment),
                 first: said(moment, {results: []}), tour: said(moment, {table: ""})};
  const store = new Store(() => {});
  const story = {store, spoken: [], speak: (...words) => story.spoken.push(words), redraw: () => {}};
  const seq = found.moment.findIndex(each => each?.seat === 2);
  mute("hints 2");
  chat(story, {...moment, seq}, state);
  mute("hints 2");
  const after = new Promise(go => { story.redraw = go; });
  chat(story, {...moment, seq}, state);
  await after;
  await new Promise(go => setTimeout(go, 0)); // what was said first would have come before
  choose("banter", "off");
  return {...found, off: said(moment), lines: store.now.log.map(line => line.text), spoken: story.spoken};
}"""
"""What bots say at the beginning of many deals, and at many moments that are bad luck for one of them."""


def test_bots_say_something_now_and_then_the_same_to_all(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "sap-ng-wu", 3, people=1) as (guest,):
        told = guest.page.evaluate(BANTER)
    assert told["dealt"] == told["again"]
    dealt, moment = ([each for each in told[kind] if each] for kind in ("dealt", "moment"))
    assert 60 < len(dealt) < 180
    assert {(each["seat"], each["text"]) for each in dealt} == {
        (2, "What a lovely deal!"), (2, "I have the lucky chair!"),
        (3, "I collect these."), (3, "My purse was too heavy anyway."),
    }  # fmt: skip
    assert {(each["seat"], each["text"]) for each in moment} == {(2, "Ha, it found me!"), (3, "My condolences.")}
    for silent in ("first", "tour", "off"):
        assert [each for each in told[silent] if each] == []
    assert (told["lines"], told["spoken"][0][:2]) == (["Aster: Ha, it found me!"], [2, "Ha, it found me!"])


def test_who_leaves_and_whose_connection_is_lost_is_said_to_all_others(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "luk-fu", 3, people=3) as (aiko, bo, third):
        third.page.wait_for_selector("#table[data-phase=playing]")
        bo.page.close()
        place = third.page.locator(".seat", has_text="Bo")
        expect(place).to_contain_text("not connected")
        expect(third.page.locator(".live")).to_contain_text("Bo is not connected.")
        table = third.page.locator("#table").get_attribute("data-table")
        assert "seq" in aiko.post(f"/{table}/stand_in", {"seat": 1})
        for where in (".log", ".live", ".line-state"):
            expect(third.page.locator(where)).to_contain_text("Aiko lets a bot play for Bo until they are back.")
        expect(place).to_contain_text("away, a bot plays")
        bo.page = bo.context.new_page()
        bo.sit(str(table))
        expect(third.page.locator(".live")).to_contain_text("Bo is back.")
        expect(place).not_to_contain_text("away")
        aiko.post(f"/{table}/leave", {})
        told = "Aiko leaves; Plum, a bot, plays on.", "Bo now hosts the table."
        for where in (".log", ".live", ".line-state"):
            for sentence in told:
                expect(third.page.locator(where)).to_contain_text(sentence)
        expect(bo.page.locator(".line-state")).to_contain_text("You now host the table.")
        bo.page.locator(".table-tools summary").click()
        expect(bo.page.locator(".table-tools [data-act=shut]")).to_be_visible()
        expect(third.page.locator(".seat", has_text="Plum").locator(".portrait")).to_be_visible()
        expect(third.page.locator(".seat.own")).to_have_attribute("aria-label", "Your place")
        assert not re.search("You's|Seat \\d", third.page.content())


def test_who_is_invited_is_told_by_whom_to_what_and_needs_no_name(chromium: "Browser", site: Served) -> None:
    host, friend, stranger = (Person(chromium, site, "en", TALL) for _ in range(3))
    body = {"game": "gong-zhu", "seats": 4, "name": "Aiko", "by_invitation": True, "bots": ["hints", "hints"]}
    opened = host.post("", body)
    stranger.page.goto(f"{site.url}/t/{opened['table']}")
    expect(stranger.page.locator(".overlay")).to_contain_text("by invitation")
    assert stranger.page.locator(".overlay :is([data-sit], input)").count() == 0
    friend.page.goto(f"{site.url}/t/{opened['table']}?invite={opened['invite']}")
    expect(friend.page.locator(".overlay")).to_contain_text("Aiko invites you to play Gong Zhu. Like Hearts")
    expect(friend.page.locator(".overlay")).to_contain_text("A deal takes about 4 minutes.")
    assert re.fullmatch(r"\w+", friend.page.locator("#name").input_value())
    friend.page.locator("[data-sit]").click()
    friend.page.wait_for_selector("#table[data-hand='']")
    for person in (host, friend, stranger):
        person.context.close()
    assert [*friend.faults, *stranger.faults] == []


def test_who_waits_for_others_may_learn_or_play_meanwhile(chromium: "Browser", site: Served) -> None:
    host, friend = (Person(chromium, site, "en", TALL) for _ in range(2))
    opened = host.post("", {"game": "luk-fu", "seats": 3, "name": "Aiko"})
    friend.post(f"/{opened['table']}/join", {"name": "Bo"})
    friend.page.goto(f"{site.url}/t/{opened['table']}")
    tour = friend.page.get_by_role("link", name="Ten steps while you wait")
    assert [tour.get_attribute(name) for name in ("href", "target")] == ["/games/luk-fu/tour/first", "_blank"]
    assert not friend.page.locator(".welcome").count()  # others would wait for who follows it
    with friend.context.expect_page() as beside:
        friend.page.get_by_role("button", name="Play against bots meanwhile").click()
    beside.value.wait_for_selector("#table[data-hand='']")
    expect(friend.page.locator(".overlay")).to_be_visible()
    for person in (host, friend):
        person.context.close()
    assert friend.faults == []


def test_who_has_not_looked_sees_backs_and_what_is_asked(visit: Visit) -> None:
    """KK-11: on the second step of the tour."""
    page = visit("/games/kakkuri/tour#2", PHONE)
    expect(page.locator(".hand .playing-card.backed")).to_have_count(6)
    expect(page.locator(".hand .question")).to_contain_text("Nobody has looked yet.")
    assert page.locator(".hand .slot").count() == 0


PRESS = """([key, code, more]) => {
  const pressed = new KeyboardEvent("keydown", {key, code, bubbles: true, cancelable: true, ...more});
  document.body.dispatchEvent(pressed);
  return document.querySelector("#table").dataset.panel;
}"""


@pytest.mark.parametrize(
    ("key", "more"),
    [("р", {}), ("く", {}), ("ｋ", {}), ("K", {"modifierCapsLock": True})],
    ids=["Cyrillic", "kana", "full width", "Caps Lock"],
)
def test_commands_are_the_same_keys_on_every_keyboard(visit: Visit, key: str, more: dict[str, bool]) -> None:
    page = visit("/games/gong-zhu/tour")
    page.wait_for_selector(".coach[data-shown='1']")
    assert page.evaluate(PRESS, ["Process", "KeyK", {"isComposing": True}]) != "keys"
    assert page.evaluate(PRESS, [key, "KeyK", more]) == "keys"


def test_why_not_is_asked_by_a_question_mark_of_any_width(visit: Visit) -> None:
    page = visit("/games/gong-zhu/tour")
    page.wait_for_selector(".coach[data-shown='1']")
    page.evaluate(PRESS, ["？", "Slash", {"shiftKey": True}])
    page.locator(".why").wait_for()


def test_a_link_to_a_deal_goes_on_leading_there_after_a_rematch(site: Served) -> None:
    client = Client(site.url)
    seat = client.open("ma-diao", name="Aiko", bots=["hints"] * 3, options={"session_deals": 1})
    for moment in seat:
        seat.play(moment.choices[0])
    address = f"{site.url}/r/{seat.table}?deal=1"
    assert 'data-go="play"' in get(address).text
    client.post(f"tables/{seat.table}/rematch")
    assert 'data-session="1"' in get(address).text
    assert 'data-go="play"' in get(address).text
    found = get(f"{site.url}/api/v1/tables/{seat.table}/replay?deal=1").json()
    assert found["session"] == 1


def test_the_keyboard_goes_on_with_the_next_deal(chromium: "Browser", site: Served) -> None:
    """Where the last card was played, and nothing behind the sheet has the focus."""
    with company(chromium, site, "ma-diao", 4, people=1) as (guest,):
        play(drivers([guest], "keyboard"))
        expect(guest.page.locator(f"{NEXT}:focus")).to_have_count(1)
        guest.page.keyboard.press("Enter")
        guest.page.locator(".results").wait_for(state="detached")
