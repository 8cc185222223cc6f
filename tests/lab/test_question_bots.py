"""Bots made for questions: plays named by patterns, habits, and mistaken beliefs about the rules."""

import pytest

from tefuda import load
from tefuda.bots.players import HintsBot, bot
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.lab.play.question_bots import PlayPattern, believes, never
from tefuda.table.deal import Deal

# Habits: what is never played, or always, and under which condition


def chosen(spec: str, deal: Deal) -> str:
    return deal.word(bot(spec).choose(deal.view(deal.mover), deal.legal_actions(), generator(1)))


@pytest.fixture
def exposing() -> Deal:
    """The mover may expose the pig and the sheep; the rules of thumb expose the sheep."""
    deal = load("gong-zhu").deal(seed=24)
    assert deal.legal() == ["expose:none", "expose:SQ", "expose:DJ", "expose:SQ+DJ"]
    return deal


def test_what_is_advised_stays_where_the_habit_allows_it(exposing: Deal) -> None:
    advised = deal_word(exposing)
    assert chosen(f"always:{advised}|expose:SQ.*", exposing) == advised
    assert chosen("never:S2", exposing) == advised
    assert chosen("always:HA", exposing) == advised, "no such play is legal here"


def deal_word(deal: Deal) -> str:
    return deal.word(HintsBot().choose(deal.view(deal.mover), deal.legal_actions(), generator(1)))


def test_a_habit_decides(exposing: Deal) -> None:
    assert chosen("always:expose:.*SQ.*DJ", exposing) == "expose:SQ+DJ"
    assert chosen("never:expose:.*(SQ|DJ).*", exposing) == "expose:none"
    assert chosen("never:expose:(none|.*SQ.*)", exposing) == "expose:DJ"


def test_what_a_habit_leaves_is_rehearsed() -> None:
    deal = load("gong-zhu", exposing=False).deal(seed=3)
    for _ in range(20):
        deal.play(deal.legal()[0])
    while len(deal.legal()) < 3:
        deal.play(deal.legal()[0])
    advised = deal_word(deal)
    first, again = chosen(f"never:{advised}", deal), chosen(f"never:{advised}", deal)
    assert first == again != advised
    assert first in deal.legal()


def test_a_habit_holds_under_its_condition(exposing: Deal) -> None:
    assert chosen("always:expose:none if held>=13 and tricks=0", exposing) == "expose:none"
    assert chosen("always:expose:none if held<13", exposing) == deal_word(exposing)
    assert chosen("never:expose:none if answers>3", exposing) == deal_word(exposing)


def test_another_player_may_have_the_habit(exposing: Deal) -> None:
    assert chosen("never:expose:SQ by search:30it", exposing) == chosen("search:30it", exposing) != "expose:SQ"
    assert chosen("always:expose:.*SQ.*DJ by net", exposing) == "expose:SQ+DJ"
    with pytest.raises(TefudaError, match="bot 'never:pass by nobody': there is no bot 'nobody'"):
        bot("never:pass by nobody")


def test_a_habit_that_cannot_be_read(exposing: Deal) -> None:
    with pytest.raises(TefudaError, match="bot 'never:': say which play"):
        bot("never:")
    with pytest.raises(TefudaError, match="gong-zhu: no play is called 'drop'"):
        never("drop").warm(exposing.view(exposing.mover))


def test_a_habit_that_never_applies_plays_as_hints_do() -> None:
    deal = load("gong-zhu").deal(seed=5)
    habit, hints = never(".* if deals>0"), HintsBot()
    for step in range(400):
        if deal.over:
            break
        legal, view = deal.legal_actions(), deal.view(deal.mover)
        action = habit.choose(view, legal, generator((1, step)))
        assert action == hints.choose(view, legal, generator((1, step)))
        deal.act(action)


# A bot that believes in other options than the table's


def test_it_plays_as_the_other_bot_would_under_those_options() -> None:
    deal, believed = (load("gong-zhu", exposed_singleton_lead=each).deal(seed=3) for each in (False, True))
    for each in (deal, believed):
        while each.legal()[0] == "expose:none":
            each.play(each.legal()[-1])
    one = bot("believes:exposed_singleton_lead=true:search:30it").choose(
        deal.view(deal.mover), deal.legal_actions(), generator(1)
    )
    other = bot("search:30it").choose(believed.view(believed.mover), believed.legal_actions(), generator(1))
    assert one == other


def test_the_table_is_as_it_was() -> None:
    deal = load("ma-diao").deal(seed=3)
    view = deal.view(deal.mover)
    assert not believes("accuser=off:hints").believed(view).record.accuser
    assert view.record.accuser


@pytest.mark.parametrize("text", ["hints", "accuser:hints", "=no:hints"])
def test_what_is_not_written_like_it(text: str) -> None:
    with pytest.raises(TefudaError, match="is not written like believes:"):
        bot(f"believes:{text}")


def test_options_that_the_game_does_not_have() -> None:
    view = load("ma-diao").deal(seed=3).view(0)
    with pytest.raises(TefudaError, match="ma-diao has no option 'accusers'; did you mean 'accuser'"):
        believes("accusers=no:hints").warm(view)


# Plays named by their words and by numbers of the record


def found(text: str) -> list[str]:
    """The plays of a deal in which the mover may expose the pig and the sheep."""
    deal = load("gong-zhu").deal(seed=24)
    actions = PlayPattern.read(text).among(deal.view(deal.mover), deal.legal_actions())
    return [deal.word(action) for action in actions]


def test_the_whole_word_must_match() -> None:
    assert found("expose:none") == ["expose:none"]
    assert found("expose:.*SQ.*") == ["expose:SQ", "expose:SQ+DJ"]
    assert found("expose") == []


def test_all_conditions_must_hold() -> None:
    assert found("expose:none if held=13 and tricks<1") == ["expose:none"]
    assert found("expose:none if held>=13 and tricks>0") == []
    assert found("expose:none if best_card=-1") == ["expose:none"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "say which play"),
        ("(", r"'\(' is not a regular expression"),
        ("stop if fu", "'fu' is not written like held<3"),
        ("stop if fu<3 and", "is not written like held<3"),
    ],
)
def test_what_cannot_be_read(text: str, said: str) -> None:
    with pytest.raises(TefudaError, match=said):
        PlayPattern.read(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("expose:no", "gong-zhu: no play is called 'expose:no'; did you mean 'expose:none'"),
        ("SQ if hold<3", "gong-zhu: its record has no number 'hold'; did you mean 'held'"),
    ],
)
def test_what_the_game_does_not_know(text: str, said: str) -> None:
    game = load("gong-zhu")
    with pytest.raises(TefudaError, match=said):
        PlayPattern.read(text).check(game.description, game.template)
