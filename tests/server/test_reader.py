"""What is told of readers themselves: "you", in sentences that are right with it."""

import re

import pytest

import tefuda
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.games import description, names
from tefuda.server.table import tour_steps
from tefuda.server.table.message_types import DealOutcome
from tefuda.server.table.player_names import WITHIN_EVENT, with_names
from tefuda.server.table.table_messages import deal_outcome, told_to
from tefuda.table import tour

NAMES = ["Ann", "Bo", "Cy"]


@pytest.mark.parametrize(
    ("text", "reader", "told"),
    [
        ("#0: pass", 0, "You: pass"),
        ("#0: pass", 1, "Ann: pass"),
        ("#0: pass", -1, "Ann: pass"),
        ("Trick 2: #2: ♠3, #1: ♠K. Taken by #1", 1, "Trick 2: Cy: ♠3, You: ♠K. Taken by you"),
        ("#2: handed the deal to #0", 0, "Cy: handed the deal to you"),
    ],
)
def test_readers_are_addressed(text: str, reader: int, told: str) -> None:
    assert with_names(text, NAMES, "en", reader, WITHIN_EVENT) == told


@pytest.mark.parametrize(
    ("text", "reader", "told"),
    [
        ("#0 took the pig, #1 the sheep.", 0, "You took the pig, Bo the sheep."),
        ("#0 took the pig, #1 the sheep.", 1, "Ann took the pig, you the sheep."),
        ("a stake each from #0, #2: +2", 2, "a stake each from Ann, you: +2"),
        ("Declared an extraordinary hand: #0, #1.", 0, "Declared an extraordinary hand: You, Bo."),
        ("pays #1: −3", -1, "pays Bo: −3"),
    ],
)
def test_readers_are_addressed_by_score_sheets_too(text: str, reader: int, told: str) -> None:
    assert with_names(text, NAMES, "en", reader) == told


def test_a_name_that_looks_like_a_seat_is_a_name() -> None:
    assert with_names("#0: #1", ["#1", "#0"], "en", -1, WITHIN_EVENT) == "#1: #0"
    assert with_names("#0 pays #1", ["#1", "#0"], "en", -1) == "#1 pays #0"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", names())
def test_a_log_never_calls_its_reader_by_name(game: str, language: str) -> None:
    told = tour.load(description(game).files.tours[0])
    steps = tour_steps.steps(told, language, "Reader")
    events = [event for step in steps for state in step["states"] for event in state["events"]]
    lines = [line for event in events for line in event.get("lines", [])]
    assert not [line for line in lines if "Reader" in line]
    assert any(catalogue(TEXTS, language)("you") in line for line in lines)


@pytest.mark.parametrize("game", names())
def test_english_sentences_are_right_with_you(game: str) -> None:
    """After "You:" no verb stands in the third person."""
    texts = catalogue(description(game).files.texts, "en")
    beginnings = [texts(f"events.{key}").removeprefix("{seat}: ").split()[0] for key in texts.under("events")]
    assert not [
        word for word in beginnings if word.endswith("es") or word in ("asks", "deals", "drops", "hands", "plays")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", names())
def test_a_score_sheet_never_calls_its_reader_by_name(game: str, language: str) -> None:
    deal = tefuda.load(game).deal(seed=4)
    while not deal.over:
        deal.play(deal.legal()[0])
    outcome = deal_outcome(deal, language)
    called = [f"Name{seat}" for seat in range(deal.game.seats)]
    you = catalogue(TEXTS, language)("you")
    for reader in range(-1, deal.game.seats):
        told = told_to(outcome, called, language, reader)
        for plain, text in zip(_texts(outcome), _texts(told), strict=True):
            assert "#" not in text
            assert f"Name{reader}" not in text
            assert (f"#{reader}" in plain) <= (you.casefold() in text.casefold())


def _texts(outcome: DealOutcome) -> list[str]:
    return [outcome.get("outcome", ""), *(line for lines in outcome["sheet"] for line in lines)]


@pytest.mark.parametrize("game", names())
def test_english_score_sheets_are_right_with_you(game: str) -> None:
    """After a seat no verb stands in a form that "you" does not have."""
    texts = catalogue(description(game).files.texts, "en")
    keys = [f"{part}.{key}" for part in ("outcome", "sheet") for key in texts.under(part)]
    after = {key: re.findall(r"\{(?:seats?|other)\},? (?:who )?(\w+)", texts(key)) for key in keys}
    wrong = {key: verbs for key, verbs in after.items() if any(verb in WRONG or verb.endswith("es") for verb in verbs)}
    assert not wrong


WRONG = ("is", "was", "has", "knocks", "pays", "stops", "takes", "wins")
