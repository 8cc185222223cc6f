"""Reviews of finished deals over HTTP: waited for, made once, and told only to those who may see the hands."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from tefuda.bots.explanations import DistinguishingOutcome, KeyCard
from tefuda.bots.players import advice
from tefuda.bots.review import DealReview, Decision, Reviewer
from tefuda.client import Client
from tefuda.engine.texts import LANGUAGES
from tefuda.server.live import reviews
from tefuda.server.table import events, permission
from tefuda.server.table.callers import Caller, Refused, token_hash
from tefuda.server.table.player_names import seat_names
from tefuda.server.table.table_state import TableState
from tests.server.server_process import Served
from tests.server.test_leaks import push
from tests.server.test_two_worlds import table_of_people, token

HIDDEN = "luk-fu"
"""A game that leaves cards unseen at the end of a deal."""

FROM_HIDDEN_HANDS = {"luck", "others", "worths"}


class Reader:
    """Somebody who asks for reviews of one table."""

    def __init__(self, server: Served, table: str, token: str = "") -> None:
        self.address = f"{server.url}/api/v1/tables/{table}/review"
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, **query: Any) -> httpx.Response:
        return httpx.get(self.address, params=query, headers=self.headers, timeout=60)

    def read(self, **query: Any) -> Any:
        """The review, however long it takes."""
        while True:
            answer = self.ask(wait=20, **query)
            if answer.status_code != 202:
                assert answer.status_code == 200, answer.text
                return answer.json()


@pytest.fixture(scope="module")
def player(server: Served) -> Reader:
    """Whoever played a deal that gave something away, at a table whose second deal has been dealt."""
    while not (found := played(server)).read()["moments"]:
        pass  # the cards were such that no play was a bad one
    return found


def played(server: Served) -> Reader:
    """Whoever plays a deal badly at a table whose second deal has been dealt."""
    client = Client(server.url)
    seat = client.open("gong-zhu", name="Aiko", bots=["hints"] * 3, options={"target": 10_000})
    for moment in seat:  # no single deal ends such a game
        if moment.state["deal"]["number"] == 2:
            break
        seat.play(moment.choices[-1])
    seat.close()
    assert client.token
    return Reader(server, seat.table, client.token)


@pytest.mark.slow
def test_a_review_is_made_when_somebody_asks_for_it(server: Served) -> None:
    begun = played(server).ask()
    assert begun.status_code == 202
    assert set(begun.json()) == {"judged", "decisions", "moments"}


@pytest.mark.slow
def test_a_review_is_waited_for_then_the_same_for_everybody_who_asks(server: Served, player: Reader) -> None:
    review, stranger = player.read(), Reader(server, player.address.split("/")[-2])
    assert (review["session"], review["deal"], review["seat"]) == (1, 1, 0)
    assert round(review["luck"] + review["own"] + review["others"], 6) == review["gain"] == review["worths"][-1]
    assert len(review["worths"]) > 52
    assert 0 < len(review["moments"]) <= 3
    dearest = sorted(review["decisions"], key=lambda each: -each["given_away"])
    assert [each["plays"] for each in review["moments"]] == [
        each["plays"] for each in dearest[: len(review["moments"])]
    ]
    assert "you played" in review["moments"][0]["text"]
    told = stranger.ask(seat=0).json()
    assert told["decisions"] == review["decisions"]
    assert "Aiko played" in told["moments"][0]["text"]


@pytest.mark.slow
def test_the_others_deals_are_reviewed_too_once_all_hands_are_open(player: Reader) -> None:
    own, other = player.read(), player.read(seat=2)
    assert other["seat"] == 2
    assert other["decisions"] != own["decisions"]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_dearest_moments_are_told_in_the_readers_language(player: Reader, language: str) -> None:
    (first, *_), (english, *_) = player.read(lang=language)["moments"], player.read(lang="en")["moments"]
    assert (first["text"] == english["text"]) == (language == "en")
    assert str(first["plays"] + 1) in first["text"]
    assert "{" not in first["text"]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"deal": 2}, 409, "deal_not_over"),
        ({"deal": 9}, 404, "no_such_deal"),
        ({"seat": 4}, 404, "no_such_seat"),
        ({"deal": 0}, 422, "bad_input"),
        ({"wait": 999}, 422, "bad_input"),
    ],
)
def test_what_cannot_be_reviewed_is_refused(player: Reader, query: dict[str, int], status: int, code: str) -> None:
    answer = player.ask(**query)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_spectator_has_no_review_of_their_own(server: Served, player: Reader) -> None:
    assert Reader(server, player.address.split("/")[-2]).ask().json()["error"]["code"] == "not_seated"
    assert Reader(server, "nowhere").ask().json()["error"]["code"] == "no_such_table"


def test_a_table_without_spectators_is_reviewed_by_those_who_sit_there(server: Served) -> None:
    seat = Client(server.url).open("gong-zhu", name="Aiko", bots=["hints"] * 3, spectators="none")
    assert Reader(server, seat.table).ask(seat=0).json()["error"]["code"] == "not_seated"


# Deals that leave cards unseen


@pytest.fixture(scope="module")
def sealed() -> TableState:
    """A table after a deal of which some cards stay hidden."""
    table = table_of_people(HIDDEN, 1)
    while table.deal is not None and not table.deal.over:
        push(table, *events.play_for(table.deal.mover, table.deal.legal()[0]))
    assert table.deal is not None
    assert not table.deal.is_all_public()
    return table


def person(seat: int) -> Caller:
    return Caller(token=token_hash(token(seat)))


def test_while_cards_are_hidden_people_review_their_own_seats_alone(sealed: TableState) -> None:
    assert not reviews.is_shown(sealed, 1, 1)
    permission.may_see_review(sealed, person(1), 1, shown=False)
    for caller in (person(0), Caller(token="nobody's")):
        with pytest.raises(Refused) as refused:
            permission.may_see_review(sealed, caller, 1, shown=False)
        assert (refused.value.code, refused.value.status) == ("hands_hidden", 403)
        permission.may_see_review(sealed, caller, 1, shown=True)


def test_what_follows_from_hidden_hands_is_told_when_they_may_be_shown(sealed: TableState) -> None:
    assert sealed.deal is not None
    review = Reviewer(simulations=20, worlds=20).review(sealed.deal, 1)
    hidden = reviews.review_answer(sealed, review, person(1), "en", shown=False)
    shown = reviews.review_answer(sealed, review, person(1), "en", shown=True)
    assert set(shown) - set(hidden) == FROM_HIDDEN_HANDS
    assert {name: told for name, told in shown.items() if name in hidden} == hidden


def test_a_deal_without_a_loss_is_summed_up(sealed: TableState) -> None:
    assert sealed.deal is not None
    review = Reviewer(simulations=20, worlds=20).review(sealed.deal, 1)
    decisions = [replace(each, best=each.play, given_away=0.0) for each in review.decisions]
    faultless = replace(review, decisions=decisions, own=0.0)
    told = reviews.review_answer(sealed, faultless, person(1), "en", shown=True)
    assert told["moments"] == []
    assert f"None of {len(review.decisions)} decisions cost anything" in told["summary"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_moment_says_what_would_have_become_of_whose_play_it_was(sealed: TableState, language: str) -> None:
    assert sealed.deal is not None
    plays = next(k for k, (mover, _) in enumerate(sealed.deal.history) if mover == 1)
    word = sealed.deal.history[plays][1]
    contrast, holding = (
        DistinguishingOutcome("wins", "K5", word, 0.38, 0.21),
        KeyCard(2, "K6", 1, 0.3, "K5", word, "wins", 0.02, 0.52),
    )
    decision = Decision(plays, 1, word, "K5", 1.0, 0.8, 1.4, contrast, holding)
    review = DealReview(1, [decision], [0.0], 1.0, -1.0, 0.0, 0.0)
    own, other = (
        reviews.review_answer(sealed, review, caller, language, shown=True)["moments"][0]["reason"]
        for caller in (person(1), person(0))
    )
    assert own != other
    for said in (own, other):
        assert said.index("38") < said.index("52")
        assert "LF-43" in said
        assert "{" not in said
    if language == "en":
        assert "you win the deal in about 38%" in own
        assert " wins the deal in about 38%" in other
        assert "you win the deal in 2%; if not, in 52%" in own
        assert " wins the deal in 2%; if not, in 52%" in other


def test_what_speaks_for_a_play_is_said_to_its_player_and_quoted_to_others(sealed: TableState) -> None:
    assert sealed.deal is not None
    plays = next(k for k, (mover, _) in enumerate(sealed.deal.history) if mover == 1)
    advised = advice(sealed.deal.at(plays))
    made = next(word for word in sealed.deal.at(plays).legal() if word != advised)
    review = DealReview(1, [Decision(plays, 1, made, advised, 1.0, 0.8, 1.4)], [0.0], 1.0, -1.0, 0.0, 0.0)
    own, other = (
        reviews.review_answer(sealed, review, caller, "en", shown=True)["moments"][0]["reason"]
        for caller in (person(1), person(0))
    )
    assert own
    assert other == f"A hint would have told {seat_names(sealed, 'en')[1]}: “{own}”"
