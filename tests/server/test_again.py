"""A finished deal tried again from one of its moments."""

from typing import Any

import httpx
import pytest

from tefuda.server.pages.replay_page import given_again
from tefuda.server.table import commands, events, replays, reports, table_messages
from tefuda.server.table.callers import Refused
from tefuda.server.table.message_types import GivenDeal
from tefuda.server.table.replays import game_result
from tefuda.server.table.table_state import TableState
from tefuda.table.record import Record
from tests.server.server_process import Served
from tests.server.test_leaks import push
from tests.server.test_past_versions import under
from tests.server.test_people import guest, is_over, open_table, play_on
from tests.server.test_table import ANN, HOST, Played, order
from tests.server.test_two_worlds import table_of_people

PLAYS = 21


@pytest.fixture(scope="module")
def finished() -> Played:
    """A table with two finished deals, the first bids of the second being made."""
    played = Played()
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    for _ in range(2):
        played.deal()
        played.play_out()
    return played


def tried(given: GivenDeal, row: dict[str, object]) -> Played:
    """The table that tries it again."""
    played = Played(given=given, spectators="none")
    played.do(order(commands.join, played.table, ANN, name="Ann", seat=given["seat"]))
    played.do(events.first_bots(played.table, ["hints"] * 3))
    played.do(events.give(played.table, row))
    return played


@pytest.fixture
def second(finished: Played) -> Played:
    """The second deal, tried again in the middle."""
    return tried(*given_again(finished.table, PLAYS))


def test_it_stands_where_it_stood(finished: Played, second: Played) -> None:
    assert finished.table.deal is not None
    moment, now = finished.table.deal.at(PLAYS), second.table.deal
    assert now is not None
    assert now.state.tobytes() == moment.state.tobytes()  # with the totals of the game so far
    assert now.history == moment.history
    assert second.table.seat_of(ANN) == moment.mover
    assert second.table.phase == "playing"


def test_what_came_of_it_is_told_beside_what_was_played(finished: Played, second: Played) -> None:
    second.play_out()
    state = table_messages.state_message(second.table, reports.Perspective(0))
    assert state["given"]["paid"] == finished.table.deal.payoff()  # type: ignore[union-attr]
    assert (state["given"]["table"], state["given"]["deal"], state["given"]["plays"]) == ("t", 2, PLAYS)
    assert state["phase"] == "over"
    assert len(state["results"]) == 1


def test_it_can_be_tried_once_more_from_the_same_moment(second: Played) -> None:
    assert second.table.deal is not None
    began = second.table.deal.state.tobytes()
    second.play_out()
    second.do(order(commands.rematch, second.table, ANN))
    assert (second.table.session, second.table.phase) == (2, "playing")
    assert second.table.deal.state.tobytes() == began


def test_plays_are_taken_back_to_its_beginning_and_no_further(second: Played) -> None:
    with pytest.raises(Refused, match="nothing_to_take_back"):
        order(commands.take_back, second.table, ANN)
    assert second.table.deal is not None
    second.do(events.play_for(second.table.deal.mover, second.table.deal.legal()[0]))
    second.do(order(commands.take_back, second.table, ANN))
    assert len(second.table.deal.history) == PLAYS


def test_its_record_replays_and_proves_nothing(finished: Played, second: Played) -> None:
    second.play_out()
    text = replays.write_record(second.events)
    assert Record.parse(text).replay().deal.payoff() == second.table.deal.payoff()  # type: ignore[union-attr]
    deal = replays.shown_deals(second.events)[1][0]
    assert replays.proof(deal) is None
    assert replays.proofs(second.table) == []
    assert "proof" not in text


def test_a_copy_of_the_table_goes_on_alike(second: Played) -> None:
    twin = second.table.copy()
    second.play_out()
    assert twin.phase == "playing"
    assert game_result(second.table).over


def test_a_seat_plays_from_the_next_moment_at_which_it_was_to_play(finished: Played) -> None:
    assert finished.table.deal is not None
    for seat in range(4):
        given, _ = given_again(finished.table, PLAYS, seat)
        assert given["seat"] == finished.table.deal.history[given["plays"]][0] == seat
        assert PLAYS <= given["plays"] < PLAYS + 8


@pytest.mark.parametrize(("plays", "seat"), [(9999, None), (0, 4)])
def test_there_is_no_such_moment(finished: Played, plays: int, seat: int | None) -> None:
    with pytest.raises(Refused, match="no_such_moment"):
        given_again(finished.table, plays, seat)


def test_of_other_rules_only_that_it_was_played_is_known(finished: Played) -> None:
    played = tried(*given_again(finished.table, PLAYS))
    played.play_out()
    table = under(99, played)
    assert table.past is not None
    assert table.past.shown() == []


# At a server


def try_again(client: httpx.Client, table: str, **moment: Any) -> httpx.Response:
    return client.post(f"/r/{table}/again", data={name: str(value) for name, value in moment.items()})


def test_whoever_may_see_a_replay_tries_it_again(server: Served) -> None:
    with guest(server) as ann, guest(server, "Ben") as ben:
        table = open_table(ann, options={"target": 10_000})
        play_on([ann], table, lambda state: bool(state["results"]))
        page = ben.get(f"/r/{table}").text
        assert f'action="/r/{table}/again"' in page
        tried = try_again(ben, table, deal=1, session=1, plays=10).headers["location"].removeprefix("/t/")
        state = ben.get(f"/api/v1/tables/{tried}").json()
        given = state["given"]
        assert (given["kind"], given["table"], given["plays"]) == ("again", table, 10)
        assert state["you"]["seat"] == given["seat"]
        assert sorted(bool(seat["bot"]) for seat in state["seats"]) == [False, True, True, True]
        assert ann.get(f"/api/v1/tables/{tried}").json()["deal"] is None  # Ben's practice is his own
        ben.post(f"/api/v1/tables/{tried}/pace", json={"speed": "instant"})
        play_on([ben], tried, is_over)
        assert tried in ben.get("/").text
        assert "Gong Zhu" not in ben.get("/me").text.partition('id="past"')[2].partition("</section>")[0]
        replay = ben.get(f"/api/v1/tables/{tried}/replay").json()
        assert replay["proof"] is None
        assert ben.get(f"/r/{tried}").status_code == 200
        for moment, status in (({"plays": 999}, 404), ({"deal": 9}, 404), ({"plays": "x"}, 422)):
            assert try_again(ben, table, **moment).status_code == status
        assert try_again(ben, "nowhere").status_code == 404


def test_a_deal_whose_hands_are_hidden_is_not_tried_again() -> None:
    table: TableState = table_of_people("luk-fu", 1)
    while table.deal is not None and not table.deal.over:
        push(table, *events.play_for(table.deal.mover, table.deal.legal()[0]))
    assert table.deal is not None
    assert not table.deal.is_all_public()
    assert table.shown == set()
