"""Nobody is sent what they may not know: messages depend on their view alone, and no socket betrays a hidden card."""

import asyncio
import json
import re
import secrets
from collections.abc import Sequence
from copy import copy, deepcopy
from typing import Any

import numpy as np
import pytest
from pydantic_core import to_json

from tefuda import games, load
from tefuda.engine import rng, verbs
from tefuda.engine.record import duplicate
from tefuda.server.store import Draft, Event
from tefuda.server.table import events, reports, table_messages
from tefuda.server.table.events import apply
from tefuda.server.table.reports import Perspective
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal
from tefuda.table.record import Record
from tests.server.players import Player, seat_all
from tests.server.server_process import Served, serving


def push(table: TableState, *drafts: Draft) -> None:
    for draft in drafts:
        apply(table, Event(table.seq + 1, 1000 * (table.seq + 1), draft.kind, draft.body))


def table_of(game: str, **options: Any) -> TableState:
    """A table with a bot on every seat, its first deal dealt."""
    table, found = TableState(), load(game, **options)
    host = {"guest": None, "token": "host"}
    settings = {"host": host, "public": True, "invite": None, "spectators": "public", "clock": 60}
    rules, changed = found.description.rules_version, found.changed_options()
    body = {"table": "t", "game": game, "rules": rules, "seats": found.seats, "options": changed, **settings}
    push(table, Draft("created", body))
    push(table, *events.first_bots(table, ["hints"] * found.seats))
    push(table, *events.commit(table, secrets.token_bytes(32)))
    push(table, *events.deal(table))
    return table


def elsewhere(table: TableState, seat: int, generator: Any) -> TableState:
    """The same table in another world that this seat's view allows."""
    assert table.deal is not None
    other, world = copy(table), np.zeros(1, table.game.template.dtype)
    verbs.imagine(table.deal.view(seat).record, generator, world[0])
    other.deal = Deal(table.game, world, None, None)
    return other


def check_states(table: TableState, generator: Any) -> None:
    """What the table shows is the same, byte for byte, in every world that the viewer thinks possible."""
    for seat in range(-1, table.game.seats):
        viewer = Perspective(seat, "en")
        other = elsewhere(table, seat, generator)
        assert reports.encoded(table_messages.state_message(table, viewer)) == reports.encoded(
            table_messages.state_message(other, viewer)
        )


def other_play(table: TableState, word: str) -> str | None:
    """Another play of the mover that must look the same to the others, if this one is hidden from them."""
    deal = table.deal
    assert deal is not None
    if deal.is_open(word):
        return None
    for action in deal.legal_actions():
        copied = deal.copy()
        copied.act(action)
        if copied.history[len(deal.history) :]:
            other = copied.history[-1][1]
            if other != word and not deal.is_open(other):
                return other
    return None


def check_stories(table: TableState, word: str) -> None:
    """What others are told of a hidden play is what they would be told of another one that changes nothing for them."""
    deal, other = table.deal, other_play(table, word)
    assert deal is not None
    if other is None:
        return
    seat, lines = deal.mover, []
    others = [each for each in range(-1, table.game.seats) if each != seat]
    viewers = [Perspective(each, brief=brief) for each in others for brief in (False, True)]
    ends = []
    for each in (word, other):
        tried = copy(table)
        tried.deal, tried.results, tried.open_deals = deal.copy(), [], set()
        event = Event(table.seq + 1, 0, "played", {"seat": seat, "play": each})
        lines.append(reports.apply_and_report(tried, event, viewers))
        ends.append({viewer: tried.deal.view(viewer.seat).array.tobytes() for viewer in viewers})
    for viewer in viewers:
        assert "play" not in lines[0][viewer]
        if ends[0][viewer] == ends[1][viewer]:
            assert to_json(lines[0][viewer]) == to_json(lines[1][viewer])


def check_leaks(game: str, deals: int, **options: Any) -> None:
    for seed in range(deals):
        table, generator = table_of(game, **options), rng.generator((seed, 1))
        chooser = np.random.default_rng(seed)
        while table.deal is not None and not table.deal.over:
            check_states(table, generator)
            copied = table.deal.copy()
            while len(copied.history) == len(table.deal.history):
                copied.act(int(chooser.choice(copied.legal_actions())))
            word = copied.history[-1][1]
            check_stories(table, word)
            push(table, *events.play_for(table.deal.mover, word))


def test_what_is_sent_depends_on_the_view_alone() -> None:
    check_leaks("gong-zhu", 2, expose_order="simultaneous")


@pytest.mark.deep
@pytest.mark.parametrize("game", games.names())
def test_what_is_sent_depends_on_the_view_alone_in_every_game(game: str) -> None:
    check_leaks(game, 6)


# Through the socket


def words_in(text: str, cards: set[str]) -> set[str]:
    """The card words in a message."""
    return set(re.findall(r"[A-Z]+[0-9A-Z]*", text)) & cards


def known_by(deals: list[Deal], cards: set[str], seat: int) -> set[str]:
    """Every card that a seat's views have ever shown in these deals."""
    known: set[str] = set()
    for whole in deals:
        again = whole.at(0)
        for mover, word in [(-1, ""), *whole.history]:
            if word:
                again.play(word, mover)
            known |= words_in(json.dumps(again.view(seat).to_dict()), cards)
    return known


def told_of_this_deal(state: dict[str, Any]) -> str:
    """A state without what everybody can tell by the rules: the cards of the scene's reference (its marks stay), and in
    Ma Diao the card that counts as top in place of the face card, which all see (MD-31)."""
    message = deepcopy(state)
    scene = (message["deal"] or {}).get("scene") or {}
    for each in scene.get("reference", []):
        del each["cards"]
    if "middle" in scene:
        scene["middle"] = [each for each in scene["middle"] if each[0] != "scene.promoted"]
    return json.dumps(message)


DEAL = {
    "number", "mover", "over", "legal", "answered", "wish", "equal", "named", "since", "scene", "payoff",
    "totals", "sheet", "settlement",
}  # fmt: skip
"""What is told of a deal; everything that could show cards is checked below."""


def check_frames(whole: Deal, players: Sequence[tuple[int, Player]], generator: Any) -> int:
    """Every state, sent whole or by a patch, shows what it would show in another world that its reader thinks possible.

    This finds leaks also where cards are numbers, which a search for words would see everywhere.

    Returns:
        how many of the other worlds were not the true one.
    """
    states = [(seat, state) for seat, player in players for state in player.states]
    plays = {event["seq"] for _, state in states for event in state["events"] if event["kind"] == "played"}
    again = whole.at(0)
    moments, others = [again.copy()], 0
    for mover, word in whole.history:
        again.play(word, mover)
        moments.append(again.copy())
    for seat, state in states:
        deal = state["deal"]
        if deal is None or deal["over"] or deal["number"] != 1:
            continue
        assert set(deal) <= DEAL
        moment = moments[sum(seq <= state["seq"] for seq in plays)]
        world = np.zeros(1, whole.game.template.dtype)
        verbs.imagine(moment.view(seat).record, generator, world[0])
        others += duplicate(world).tobytes() != duplicate(moment._states).tobytes()
        other = Deal(whole.game, world, None, None)
        acts = other.mover == seat
        scene = other.view(seat).scene
        legal = other.legal() if acts else []
        shown = {
            "mover": other.mover,
            "legal": legal,
            "named": reports.named(whole.game.description, [*legal, *(place.played for place in scene.seats)]),
            "answered": acts and other.own_answer() is not None,
            "equal": table_messages.equal_cards(other, scene.hand) if acts else {},
            "scene": scene,
        }
        assert json.loads(reports.encoded(shown)) == {name: deal[name] for name in shown}
        for event in state["events"]:
            number = sum(seq < event["seq"] for seq in plays)
            if event.get("play") and event["seat"] != seat:
                assert moments[number].is_open(whole.history[number][1])
    return others


async def leak_hunt(url: str, game: str, seed: int, **settings: Any) -> None:
    """Play a deal with a spectator, and search all that was sent for what the reader may not know."""
    description = games.description(game)
    cards = set(description.cards)
    crowd = await seat_all([url], game, description.seats[0], seed, query="patch=true", **settings)
    spectator = await Player(url, crowd.table).connect(query="patch=true")
    watching = asyncio.create_task(spectator.play_on())
    await crowd.play()
    await watching
    assert (await crowd.post("close")).status_code == 200
    text = await crowd.record()
    deals = Record.parse(text).verify()
    readers = [(-1, spectator), *enumerate(crowd.players)]
    assert check_frames(deals[0], readers, rng.generator(seed)) > len(deals[0].history)
    for seat, player in [] if any(word.isdecimal() for word in cards) else readers:
        # A game's own words (option values, texts) may look like cards: only what differs between seats is a leak.
        seen = words_in("\n".join(told_of_this_deal(state) for state in player.states), cards)
        assert seen <= known_by(deals[:1], cards, seat), f"{game}: seat {seat} was sent {seen}"
    await crowd.close()
    await spectator.close()


def test_no_hidden_card_comes_through_the_socket(server: Served) -> None:
    asyncio.run(leak_hunt(server.url, "gong-zhu", 1, options={"expose_order": "simultaneous"}))


@pytest.mark.deep
def test_no_hidden_card_comes_through_the_socket_in_any_game(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("leaks")
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log") as served:
        for game in games.names():
            for seed in range(5):
                asyncio.run(leak_hunt(served.url, game, seed))


def test_nobody_hears_how_a_table_by_itself_answers_for_others(server: Served) -> None:
    """A seat with only one answer is a mover like any other: only it is told that the table answers for it."""

    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=3)
        await crowd.play()
        for player in crowd.players:
            for frame in player.frames:
                deal = json.loads(frame).get("deal")
                assert not (deal and deal["answered"] and deal["mover"] != player.state["you"]["seat"])
        await crowd.close()

    asyncio.run(scenario())


def test_only_the_seat_itself_is_told_that_its_answer_was_the_only_one() -> None:
    """With the reason in words, where the game has one."""
    table = table_of("sap-ng-wu")
    assert table.deal is not None
    forced = set[str]()
    while not table.deal.over:
        seat, word, only = table.deal.mover, table.deal.legal()[0], table.deal.sole_answer()
        event = Event(table.seq + 1, 0, "played", {"seat": seat, "play": word})
        told = reports.apply_and_report(table, event, {Perspective(each) for each in (-1, 0, 1, 2)})
        assert {each.seat for each, report in told.items() if report.get("forced")} == ({seat} if only else set())
        if only == "pass":
            forced.add(told[Perspective(seat)]["lines"][0])
            assert "You: pass" not in told[Perspective(seat)]["lines"]
    assert forced
    assert all(re.fullmatch(r"You pass: nothing of yours beats [\w ,-]+\.", line) for line in forced)


def test_an_outsider_sees_no_cards(server: Served) -> None:
    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=4, spectators="none")
        outsider = await Player(server.url, crowd.table).connect()
        watching = asyncio.create_task(outsider.play_on())
        await crowd.play()
        await watching
        for message in map(json.loads, outsider.frames):
            assert message["deal"] is None
            assert all("play" not in event and "lines" not in event for event in message["events"])
        await crowd.close()
        await outsider.close()

    asyncio.run(scenario())


def test_states_of_duplicated_worlds_are_really_others() -> None:
    """The oracle of this file can fail: worlds that a spectator imagines do differ from the truth."""
    table = table_of("gong-zhu")
    assert table.deal is not None
    other = elsewhere(table, -1, rng.generator(1))
    assert other.deal is not None
    assert duplicate(other.deal._states).tobytes() != table.deal._states.tobytes()
    assert reports.encoded(table_messages.state_message(table, Perspective(0))) != reports.encoded(
        table_messages.state_message(other, Perspective(0))
    )
