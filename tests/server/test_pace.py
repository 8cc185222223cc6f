"""Clock, speed and taking back: nothing is done for somebody who is alone with bots; friends choose their clock."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from tefuda.server.live import scheduler
from tefuda.server.live.pools import BotPool, Payer, Thought
from tefuda.server.live.scheduler import GRACE, SPEEDS, Scheduler
from tefuda.server.settings import ServerSettings
from tefuda.server.store.port import Draft
from tefuda.server.table import commands, events, replays, table_messages
from tefuda.server.table.callers import Caller
from tefuda.server.table.table_state import TableState
from tests.server.test_table import ANN, BEN, HOST, Played, order, refused

USUAL = 17.0
"""Seconds that people take here for an answer."""


def seated(*others: Any, **settings: Any) -> Played:
    """A deal with the host, these others, and bots on the other seats."""
    played = Played(**settings)
    for number, caller in enumerate((HOST, *others)):
        played.do(order(commands.join, played.table, caller, name=f"P{number}"))
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    played.deal()
    return played


def until_asked(played: Played, seat: int) -> None:
    """Others play until this seat is to choose."""
    table = played.table
    while table.deal is not None and (table.deal.mover != seat or table.own_answer() is not None):
        played.do(events.play_for(table.deal.mover, table.own_answer() or table.deal.legal()[0]))


def waits(table: TableState, *, here: bool = True) -> float | None:
    """Seconds until something happens at a table by itself; None if nothing does.

    Args:
        table: the table.
        here: whether those who sit there are connected.
    """
    times = SimpleNamespace(draw=lambda _question, _player: USUAL)
    resources: Any = SimpleNamespace(settings=ServerSettings(), answer_times=times)
    live: Any = SimpleNamespace(state=table, is_here=lambda seat: here)
    step = Scheduler(resources, live, live)._next_step()
    return None if step is None else step.wait


def test_a_step_that_was_scheduled_twice_is_taken_once() -> None:
    """A table that is joined while its commitment is written has two steps on their way that commit to the shuffle."""
    played = Played()
    table, drafts = played.table, list[Draft]()

    async def carry_out(decide: events.Decide) -> int:
        found = decide(table)
        await asyncio.sleep(0)  # it is written
        drafts.extend(found)
        played.do(found)
        return table.seq

    async def join_while_it_commits() -> None:
        tasks = list[asyncio.Task[None]]()
        background = SimpleNamespace(spawn=lambda work: tasks.append(asyncio.create_task(work)))
        resources: Any = SimpleNamespace(settings=ServerSettings(), background=background)
        live: Any = SimpleNamespace(state=table, is_watched=True, is_unloaded=False, carry_out=carry_out)
        scheduler = Scheduler(resources, live, live)
        for _ in range(2):
            scheduler.schedule()  # the second time while the first one's step is written
            scheduler._ring()
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)

    played.do(order(commands.join, table, HOST, name="P0"))
    played.do(order(commands.seat_bots, table, HOST, bot="hints"))
    asyncio.run(join_while_it_commits())
    assert [draft.kind for draft in drafts] == ["committed"]


def test_nobody_plays_for_who_is_alone_and_no_deal_begins_without_them() -> None:
    played = seated(clock=5)
    until_asked(played, 0)
    assert waits(played.table) is None
    played.do(events.miss(0))  # as older versions did
    assert waits(played.table) is None
    played.play_out()
    assert waits(played.table) is not None, "the house commits to the next deal"
    played.do(events.commit(played.table, bytes(32)))
    assert waits(played.table) is None


def test_a_table_that_all_have_left_waits_for_them() -> None:
    played = seated(BEN)
    for caller in (HOST, BEN):
        played.do(order(commands.leave, played.table, caller))
    assert waits(played.table) is None
    played.do(order(commands.join, played.table, HOST, name="Host"))
    assert played.table.seat_of(HOST) == 0


def test_among_friends_time_is_counted_unless_they_play_without_a_clock() -> None:
    quick, without = seated(BEN, clock=30), seated(BEN, clock=None)
    for played, found in ((quick, pytest.approx(30, abs=26)), (without, None)):
        until_asked(played, 1)
        assert waits(played.table) == found
        played.do(order(commands.leave, played.table, BEN))
        until_asked(played, 0)
        assert waits(played.table) is None, "the other is alone now"


def test_the_host_changes_clock_and_speed_at_any_time() -> None:
    played = seated(BEN)
    refused("not_host", commands.pace, played.table, BEN, clock=None)
    assert order(commands.pace, played.table, HOST, clock=60, speed="normal") == []
    played.do(order(commands.pace, played.table, HOST, clock=None))
    assert (played.table.clock, played.table.speed) == (None, "normal")
    played.do(order(commands.pace, played.table, HOST, speed="instant"))
    assert (played.table.clock, played.table.speed) == (None, "instant")
    assert played.table.settings["public"], "the rest stays as it was"


@pytest.mark.parametrize("speed", SPEEDS)
def test_bots_wait_as_long_as_the_host_likes(speed: Any) -> None:
    live: Any = SimpleNamespace(state=seated(speed=speed).table)
    resources: Any = SimpleNamespace(settings=ServerSettings(pace=1.0))
    clock = Scheduler(resources, live, live)
    assert 0.6 * SPEEDS[speed] <= clock.bot_time("hints") <= 1.4 * SPEEDS[speed]
    assert 0.6 * SPEEDS[speed] + 0.5 < clock.bot_time("search:500ms") <= 1.4 * SPEEDS[speed] + 0.75


@pytest.mark.parametrize("thought", [0.0, 0.3])
def test_a_bot_answers_when_the_time_is_over_that_was_drawn_before_it_thought(
    thought: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when it has nothing to think about: the time tells nobody whether it had a choice."""
    now = SimpleNamespace(steady=100.0)

    async def choose(*_: object) -> Thought:
        began = now.steady
        now.steady += thought
        return Thought("a play", began, thought)

    async def sleep(seconds: float) -> None:
        now.steady += seconds

    monkeypatch.setattr(scheduler, "time", SimpleNamespace(monotonic=lambda: now.steady))
    monkeypatch.setattr(scheduler, "asyncio", SimpleNamespace(sleep=sleep))
    resources: Any = SimpleNamespace(bots=SimpleNamespace(choose=choose), settings=ServerSettings())
    live: Any = SimpleNamespace(state=seated().table, payer=None)
    clock = Scheduler(resources, live, live)
    monkeypatch.setattr(clock, "bot_time", lambda _: 1.25)
    assert asyncio.run(clock._think("hints", live.state.deal, None)) == "a play"
    assert now.steady == pytest.approx(101.25)


def test_a_bot_with_one_play_takes_as_long_as_one_that_had_to_think() -> None:
    class Slow:
        def choose(self, view: Any, legal: Any, rng: Any) -> int:
            time.sleep(0.02)
            return int(legal[0])

    table = next(found for secret in range(99) if (found := forced(secret)) is not None)
    choice = seated().table

    async def scenario() -> list[float]:
        pool = BotPool(1)
        pool._bot = lambda spec: Slow()  # type: ignore[method-assign]
        assert choice.deal is not None
        assert table.deal is not None
        while len(choice.deal.legal_actions()) == 1:
            choice.deal.play(choice.deal.legal()[0])
        thoughts = [await pool.choose(Payer("", None), deal.copy(), "slow") for deal in (choice.deal, table.deal)]
        pool.close()
        return [thought.seconds for thought in thoughts]

    thought, other = asyncio.run(scenario())
    assert other == thought >= 0.02


def test_nobody_who_is_away_is_answered_for_sooner_than_with_a_choice() -> None:
    table = next(found for secret in range(99) if (found := forced(secret)) is not None)
    assert waits(table) == pytest.approx(USUAL, abs=0.5)
    assert waits(table, here=False) == pytest.approx(GRACE, abs=0.5), "their clock has run since the time in the log"


def forced(secret: int) -> TableState | None:
    """Four people, one of whom is to give the only answer there is; None if all can choose."""
    played = Played()
    for number, caller in enumerate((HOST, ANN, BEN, Caller("guest-cho"))):
        played.do(order(commands.join, played.table, caller, name=f"P{number}"))
    played.do(events.commit(played.table, bytes([secret]) * 32))
    played.do(events.close_seals(played.table))
    deal = played.table.deal
    assert deal is not None
    for _ in range(4):
        if deal.sole_answer() is not None:
            return played.table
        played.do(events.play_for(deal.mover, "expose:none"))
    return None


def test_who_is_alone_takes_their_last_play_back() -> None:
    played = seated()
    refused("nothing_to_take_back", commands.take_back, played.table, HOST)
    until_asked(played, 0)
    assert played.table.deal is not None
    before, made = played.table.deal.array.tobytes(), len(played.table.deal.history)
    played.do(order(commands.play, played.table, HOST, play=played.table.deal.legal()[0]))
    until_asked(played, 0)
    played.do(order(commands.take_back, played.table, HOST))
    assert played.table.deal.array.tobytes() == before
    assert (played.table.deal.mover, len(played.table.deal.history), played.table.taken_back) == (0, made, 1)
    refused("not_seated", commands.take_back, played.table, ANN)


def made_a_choice(*others: Any, **settings: Any) -> tuple[Played, bytes]:
    """A deal at which the host has made a choice and others have gone on; and the deal as it was before."""
    played = seated(*others, public=False, **settings)
    until_asked(played, 0)
    assert played.table.deal is not None
    before = played.table.deal.array.tobytes()
    played.do(order(commands.play, played.table, HOST, play=played.table.deal.legal()[0]))
    played.do(events.play_for(played.table.deal.mover, played.table.deal.legal()[0]))
    return played, before


def test_friends_take_a_play_back_once_all_who_are_there_agree() -> None:
    played, before = made_a_choice(ANN, BEN)
    refused("not_asked", commands.answer_back, played.table, ANN, agreed=True)
    played.do(order(commands.take_back, played.table, HOST))
    assert table_messages.shared_state(played.table)["asked_back"] == {"seat": 0, "awaited": [1, 2]}
    refused("asked_already", commands.take_back, played.table, HOST)
    refused("not_asked", commands.answer_back, played.table, HOST, agreed=True)
    played.do(order(commands.answer_back, played.table, ANN, agreed=True))
    refused("not_asked", commands.answer_back, played.table, ANN, agreed=False)
    assert table_messages.shared_state(played.table)["asked_back"] == {"seat": 0, "awaited": [2]}
    played.do(order(commands.answer_back, played.table, BEN, agreed=True))
    assert [event.kind for event in played.events[-2:]] == ["answered_back", "taken_back"]
    assert played.table.deal is not None
    assert played.table.deal.array.tobytes() == before
    assert (played.table.taken_back, played.table.request) == (1, None)
    folded = TableState()
    for event in played.events:
        events.apply(folded, event)
    assert folded.deal is not None
    assert folded.deal.array.tobytes() == before


def test_a_play_stands_that_a_friend_does_not_give_back_and_nobody_is_asked_again() -> None:
    played, _ = made_a_choice(ANN, BEN)
    made = len(played.table.present.history)
    played.do(order(commands.take_back, played.table, HOST))
    played.do(order(commands.answer_back, played.table, ANN, agreed=False))
    assert (len(played.table.present.history), played.table.taken_back, played.table.request) == (made, 0, None)
    refused("asked_already", commands.take_back, played.table, HOST)
    refused("not_asked", commands.answer_back, played.table, BEN, agreed=True)
    until_asked(played, 0)
    played.do(order(commands.play, played.table, HOST, play=played.table.present.legal()[0]))
    assert order(commands.take_back, played.table, HOST), "it is another play"


def test_a_request_ends_when_those_who_have_not_answered_are_gone() -> None:
    played, before = made_a_choice(ANN, BEN)
    played.do(order(commands.take_back, played.table, HOST))
    played.do(order(commands.answer_back, played.table, ANN, agreed=True))
    played.do(order(commands.leave, played.table, BEN))
    assert played.table.request is None
    played.do(order(commands.take_back, played.table, HOST))
    played.do(order(commands.answer_back, played.table, ANN, agreed=True))
    assert played.table.present.array.tobytes() == before


def test_whoever_is_away_is_not_asked_and_a_request_ends_with_its_deal() -> None:
    played, before = made_a_choice(ANN, BEN)
    played.table.gone = frozenset({1})
    played.do(order(commands.take_back, played.table, HOST))
    played.do(order(commands.answer_back, played.table, BEN, agreed=True))
    assert played.table.present.array.tobytes() == before
    until_asked(played, 0)
    played.do(order(commands.play, played.table, HOST, play=played.table.present.legal()[0]))
    played.table.gone = frozenset({1, 2})
    refused("not_among_friends", commands.take_back, played.table, HOST)
    played.table.gone = frozenset()
    played.do(order(commands.take_back, played.table, HOST))
    played.play_out()
    refused("not_asked", commands.answer_back, played.table, ANN, agreed=True)


def test_nothing_is_taken_back_from_other_people_or_from_a_finished_deal() -> None:
    played = seated(BEN)
    until_asked(played, 0)
    refused("not_among_friends", commands.take_back, played.table, HOST)
    alone = seated()
    alone.play_out()
    refused("no_deal", commands.take_back, alone.table, HOST)


def test_a_record_holds_the_deal_as_it_was_played_in_the_end() -> None:
    played = seated()
    until_asked(played, 0)
    assert played.table.deal is not None
    first, second = played.table.deal.legal()[:2]
    played.do(order(commands.play, played.table, HOST, play=first))
    played.do(order(commands.take_back, played.table, HOST))
    played.do(order(commands.play, played.table, HOST, play=second))
    played.play_out()
    played.do(order(commands.close, played.table, HOST))
    _, (deal,) = replays.shown_deals(played.events)
    assert deal.over
    assert deal.history == played.table.deal.history
    assert replays.record_fault(played.events, [deal], []) is None


def test_tables_from_before_clocks_could_be_chosen_go_on() -> None:
    played = Played()
    assert (played.table.settings["clock"], played.table.speed) == (60, "normal")
