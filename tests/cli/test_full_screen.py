"""The full-screen table, played by keys and by clicks, with bots that answer at once; tours and problems on it."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tefuda import Session, advice, games, load
from tefuda.bots import problem
from tefuda.bots.advice import usual_advice
from tefuda.bots.problem import Problem
from tefuda.cli import lesson
from tefuda.cli.course import take, tour_course
from tefuda.cli.decision import SearchLoader, Tutor
from tefuda.cli.draw import cards_in
from tefuda.cli.full_screen.screens import Home, Reader
from tefuda.cli.full_screen.table import FullScreenTable, PlayLine, TableApp, plays_with
from tefuda.cli.game_in_progress import GameInProgress
from tefuda.cli.lesson import SolvedProblems
from tefuda.cli.play_command import offers
from tefuda.cli.table_talk import TellingPace
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.table import tour
from tefuda.table.deal import Deal
from tefuda.table.record import Record
from tefuda.table.tour import Tour

GAMES = ("gong-zhu", "kakkuri", "luk-fu", "ma-diao", "sap-ng-wu")


@pytest.fixture(autouse=True)
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints without a search, which would be compiled first: the rules of thumb stand for it."""
    monkeypatch.setattr(SearchLoader, "start", lambda _: None)
    monkeypatch.setattr(SearchLoader, "is_ready", lambda *_: True)
    monkeypatch.setattr(Tutor, "look_ahead", lambda _, deal: usual_advice(deal))


def table(game: str, path: Path | None, *, language: str = "en", pace: float | None = 0) -> FullScreenTable:
    """A table whose record is kept at a path, if there is one."""
    session = Session(load(game), 7)
    current = GameInProgress(session, path or Path("nowhere"), "hints", "played" if path else None)
    return FullScreenTable(current, language, TellingPace(pace))


async def until(pilot: Pilot[Any], met: Callable[[], object]) -> None:
    """Let the table go on until something is so."""
    for _ in range(6000):
        await pilot.pause(0.005)
        if met():
            return
    raise AssertionError("it does not come to that")


async def asked(pilot: Pilot[Any], app: FullScreenTable) -> Deal:
    """The deal in which the player is to choose, or which is over: its sheet is shown."""
    await until(pilot, lambda: app.query_one(PlayLine).listens or isinstance(app.screen, Reader))
    return app.current.session.deal


def shown(app: TableApp, name: str = "#log") -> str:
    """The text of a part of the screen, also what has been scrolled away, without the ends of lines."""
    parts = app.screen.query_one(name).query(Static) if name in ("#log", "#page") else [app.screen.query_one(name)]
    lines = [part.render_line(y).text for part in parts for y in range(part.size.height)]
    return " ".join(" ".join(lines).split())


async def type_line(pilot: Pilot[Any], app: TableApp, text: str) -> None:
    app.query_one(PlayLine).value = text
    await pilot.press("enter")
    await pilot.pause()


async def click_card(pilot: Pilot[Any], app: TableApp, card: str) -> None:
    """Click a card where it is drawn in the hand."""
    await pilot.pause()  # until the screen is laid out
    hand = app.query_one("#hand")
    for x, y in ((x, y) for y in range(hand.size.height) for x in range(hand.size.width)):
        meta = app.screen.get_style_at(hand.region.x + x, hand.region.y + y).meta
        if meta.get("@click") == f"app.card({card!r})":
            await pilot.click(hand, offset=(x, y))
            await pilot.pause()
            return
    raise AssertionError(f"{card} is not drawn")


async def click_cards(pilot: Pilot[Any], app: FullScreenTable, play: str) -> None:
    """Click the cards of a play, then confirm it, if that is asked for."""
    deal = app.current.session.deal
    plays = len(deal.history)
    for card in cards_in(play):
        await click_card(pilot, app, card)
    if len(deal.history) == plays:
        line = app.query_one(PlayLine)
        assert sorted(cards_in(line.value)) == sorted(cards_in(play))
        await type_line(pilot, app, play)


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_is_played_by_keys_and_clicks_in_turn(game: str, tmp_path: Path) -> None:
    app, path = table(game, tmp_path / "game.tfd"), tmp_path / "game.tfd"

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            plays = 0
            while not (deal := await asked(pilot, app)).over:
                word, plays = advice(deal), plays + 1
                cards = set(cards_in(word))
                if plays % 2 and cards <= set(deal.view(0).hand()):
                    await click_cards(pilot, app, word)
                else:
                    await type_line(pilot, app, word)
            assert "Score sheet, deal 1" in shown(app, "#page")
            await pilot.press("f10")
        assert plays

    asyncio.run(play())
    deal = Record.read(path).replay().deals[0]
    assert deal.over
    assert np.array_equal(deal.deck, Session(load(game), 7).next_deal().deck)  # type: ignore[arg-type]


def opening(app: FullScreenTable) -> None:
    """Set the first trick of Gong Zhu on the table, in which the player must follow suit."""
    hands = ["SA S4 H2", "SK H3 C2", "SQ H4 C3", "SJ H5 C4"]
    deal = app.current.session.game.position({"hands": hands, "to_move": 3})
    deal.play("SJ")
    app.current.session.deals.append(deal)


def test_the_keys_answer_and_a_refusal_says_its_rule() -> None:
    """Of gong-zhu."""
    app = table("gong-zhu", None)
    opening(app)

    async def play() -> None:
        async with app.run_test(size=(120, 40)) as pilot:
            deal = await asked(pilot, app)
            await click_card(pilot, app, "H2")
            assert "[GZ-12]" in shown(app)
            assert len(deal.history) == 1
            app.query_one(PlayLine).value = "CA"
            await pilot.press("f3")
            await pilot.pause()
            assert "ace of clubs" in shown(app)
            await pilot.press("f2")
            await until(pilot, lambda: "Thinking" in shown(app))
            assert advice(deal) in shown(app)
            await pilot.press("f4")
            await pilot.pause()
            assert "You have chosen no play in this deal yet." in shown(app)
            await pilot.press("f5")
            await until(pilot, lambda: isinstance(app.screen, Reader))
            assert "GZ-12" in shown(app, "#page")
            await pilot.press("escape")
            await until(pilot, lambda: not isinstance(app.screen, Reader))
            await pilot.press("f6")
            await until(pilot, lambda: isinstance(app.screen, Reader))
            assert "Bot 1: 0" in shown(app, "#page")
            await pilot.press("f10")

    asyncio.run(play())
    assert app.return_value == 0


def test_a_play_is_taken_back_and_typed_again_by_the_arrow_up() -> None:
    """Of gong-zhu."""
    app = table("gong-zhu", None)
    opening(app)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await asked(pilot, app)
            await pilot.press("s", "4", "enter")
            await asked(pilot, app)
            assert (0, "S4") in app.current.session.deal.history
            assert "S4" in shown(app, "#last")
            await pilot.press("f4")
            deal = await asked(pilot, app)
            await pilot.pause()
            assert len(deal.history) == 1
            assert "S4" not in shown(app, "#last")
            await pilot.press("up", "up")
            assert app.query_one(PlayLine).value == "s4"

    asyncio.run(play())


def test_cards_to_be_thrown_are_clicked_and_confirmed() -> None:
    """Of luk-fu."""
    app = table("luk-fu", None)
    hands = ["T9 T8 S1 S3 C9", "K1 K2 K3 K4 K5", "C1 C2 C3 C4 C5"]
    deal = app.current.session.game.position({"hands": hands, "to_move": 1})
    deal.play("K1+K2+K3")
    deal.play("~C1+C2+C4")
    app.current.session.deals.append(deal)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await asked(pilot, app)
            assert "Throw 3 cards face down" in shown(app, "#listed")
            for card in ("T9", "S1", "T8", "T9", "S3"):  # the ten-nine is given back
                await click_card(pilot, app, card)
            assert app.query_one(PlayLine).value == "~T8+S1+S3"
            await pilot.press("enter")
            await until(pilot, lambda: len(deal.history) > 2)
            assert set(cards_in(deal.history[2][1])) == {"S1", "T8", "S3"}

    asyncio.run(play())


def test_a_game_is_saved_and_resumed(tmp_path: Path) -> None:
    """Of gong-zhu."""
    path = tmp_path / "game.tfd"
    app = table("gong-zhu", path)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            word = advice(await asked(pilot, app))
            await type_line(pilot, app, word)
            await asked(pilot, app)
            await type_line(pilot, app, "q")

    asyncio.run(play())
    assert app.return_value == 0
    session = Record.read(path).replay()
    plays = len(session.deal.history)
    again = FullScreenTable(GameInProgress(session, path, "hints", "at once", resumed=True), "en", TellingPace(0))

    async def go_on() -> None:
        async with again.run_test(size=(80, 24)) as pilot:
            deal = await asked(pilot, again)
            assert "Resuming the game" in shown(again)
            await type_line(pilot, again, advice(deal))
            await asked(pilot, again)
            await pilot.press("ctrl+c")

    asyncio.run(go_on())
    assert again.return_value == 130
    assert len(Record.read(path).replay().deal.history) > plays


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_small_and_large_windows_in_every_language(language: str) -> None:
    """Of sap-ng-wu, whose hands and plays are the most."""
    app = table("sap-ng-wu", None, language=language)
    words = catalogue(TEXTS, language)

    async def play() -> None:
        async with app.run_test(size=(120, 40)) as pilot:
            await asked(pilot, app)
            for columns, lines in ((120, 40), (80, 24), (60, 24)):
                await pilot.resize_terminal(columns, lines)
                await pilot.pause()
                await pilot.pause()
                for name in ("#scene", "#log", "#hand", "#ask"):
                    region = app.query_one(name).region
                    assert region.height > 0, (name, columns)
                    assert region.right <= columns, (name, columns)
                    assert region.bottom < lines, (name, columns)
            assert words("full_screen.type") == app.query_one(PlayLine).placeholder
            assert words("play.your_turn") in shown(app, "#prompt")

    asyncio.run(play())


def test_any_key_goes_on_and_space_pauses() -> None:
    """Of kakkuri."""
    app = table("kakkuri", None, pace=None)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            line = app.query_one(PlayLine)
            while not line.listens:
                await pilot.press("x")
            assert line.value == ""
            app.talk.pace = TellingPace(60)
            await type_line(pilot, app, advice(app.current.session.deal))
            await pilot.press("space")
            await until(pilot, lambda: "Paused" in shown(app))

    asyncio.run(play())


def test_tab_completes_a_legal_play() -> None:
    """Of gong-zhu."""
    app = table("gong-zhu", None)
    opening(app)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await asked(pilot, app)
            await pilot.press("s")
            await until(pilot, lambda: app.query_one(PlayLine)._suggestion)
            await pilot.press("tab")
            assert app.query_one(PlayLine).value == "S4"

    asyncio.run(play())


def test_plays_are_found_by_the_cards_they_take() -> None:
    legal = ["11", "11+11", "11+35", "supreme:12+24", "13=4", "~3"]
    assert plays_with(legal, ["11"]) == ["11", "11+11", "11+35", "~3"]
    assert plays_with(legal, ["11", "11"]) == ["11+11", "~3"]
    assert plays_with(legal, ["24"]) == ["supreme:12+24", "~3"]
    assert plays_with(legal, ["13"]) == ["13=4", "~3"]
    assert plays_with(legal, ["11", "11", "11", "11"]) == []


def test_the_home_screen_offers_games_to_go_on_with_all_games_and_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of kakkuri."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    session = Session(load("kakkuri"), 7)
    session.next_deal().play("keep")
    (tmp_path / "tefuda").mkdir()
    (tmp_path / "tefuda" / "kakkuri.tfd").write_text(session.record(), "utf-8")
    begun: list[tuple[object, ...]] = []
    app = Home("en", list(offers("en", lambda *words, **settings: begun.append((*words, *settings)))))

    async def choose() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            names = [name for name, _, _ in app._offers]
            assert names[0].startswith("Go on: Kakkuri, ")
            assert len(names) == 1 + len(games.names()) + 2
            assert names[-2:] == ["Tours: learn a game step by step", "Problems"]
            await pilot.press("enter")

    asyncio.run(choose())
    assert app.return_value is not None
    app.return_value()
    assert begun == [("kakkuri", "resume", "record")]


# Courses: tours and problems


async def told(pilot: Pilot[Any], app: TableApp, text: str, times: int = 1) -> None:
    """Wait until something stands in the log, and the player is asked."""
    await until(pilot, lambda: shown(app).count(text) == times and app.query_one(PlayLine).listens)
    await pilot.pause()


GUIDED = """
game = "gong-zhu"
title = { en = "A trick", ja = "一トリック" }
names = { en = ["Ann", "Bo", "Cy"], ja = ["アン", "ボー", "シー"] }

[position]
hands = ["SA S4 H2", "SK H3 C2", "SQ H4 C3", "SJ H5 C4"]
to_move = 3

[[step]]
moves = ["3:SJ"]
ask = "H2"
en = { head = "Follow", text = "#3 leads the {SJ}. Try the {H2} (GZ-12)." }
ja = { head = "フォロー", text = "#3が{SJ}を出しました。" }

[[step]]
show = ["S4"]
play = "S4"
en = { head = "Duck", text = "Play the {S4}.", other = "That would win the trick." }
ja = { head = "下をくぐる", text = "{S4}を出しましょう。", other = "それでは取ってしまいます。" }

[[step]]
skip = ["1:SK", "2:SQ"]
en = { head = "Done", text = "#1 wins." }
ja = { head = "終わり", text = "#1が取りました。" }
"""


@pytest.fixture
def guided(tmp_path: Path) -> Tour:
    """A tour of one trick of Gong Zhu."""
    path = tmp_path / "trick.toml"
    path.write_text(GUIDED, "utf-8")
    return tour.load(path)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
def test_a_tour_is_gone_through_by_clicks_and_keys(guided: Tour, size: tuple[int, int]) -> None:
    app = TableApp(partial(tour_course, guided, "en", 0), "en")

    async def go_through() -> None:
        async with app.run_test(size=size) as pilot:
            await told(pilot, app, "Cy leads the ♠SJ. Try the ♥H2 (GZ-12).")
            assert "Step 1 of 3" in shown(app)
            await click_card(pilot, app, "H2")
            await told(pilot, app, "[GZ-12]")
            await until(pilot, lambda: "Press Enter to go on" in shown(app, "#prompt"))
            await pilot.click("#prompt", offset=(5, 0))  # does what Enter does
            await told(pilot, app, "Step 2 of 3")
            await click_card(pilot, app, "SA")
            await told(pilot, app, "That would win the trick.")
            await pilot.press("f3")
            await told(pilot, app, "Type or click a card first")
            await type_line(pilot, app, "? gz-12")
            await told(pilot, app, "GZ-12 Play goes counter-clockwise")
            await pilot.press("f2")  # "Show me"
            await told(pilot, app, "Ann wins.")
            await pilot.press("f4")  # "Back"
            await told(pilot, app, "Step 2 of 3", times=2)
            assert app.moment is not None
            assert app.moment.deal.history == [(3, "SJ")]
            await click_card(pilot, app, "S4")
            await told(pilot, app, "Ann wins.", times=2)
            await pilot.press("enter")
            await until(pilot, lambda: app._exit)

    asyncio.run(go_through())
    assert app.return_value is None


def test_a_tour_speaks_its_readers_language_and_is_left(guided: Tour) -> None:
    app = TableApp(partial(tour_course, guided, "ja", None), "ja")

    async def leave() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "シー" in shown(app))
            await pilot.press("space")  # the play stands until a key is pressed
            await told(pilot, app, "シーが♠SJを出しました。")
            await type_line(pilot, app, "q")
            await until(pilot, lambda: app._exit)

    asyncio.run(leave())
    assert app.return_value == 0


@pytest.fixture
def two_problems() -> tuple[Problem, Problem]:
    """The easiest two of Kakkuri."""
    first, second, *_ = problem.problems_of(load("kakkuri").description)
    return first, second


def test_problems_are_solved_on_the_full_screen_and_progress_is_kept(
    two_problems: tuple[Problem, Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of kakkuri."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(Problem, "solution", lambda each, deal: usual_advice(deal))
    game, (right, wrong) = load("kakkuri"), two_problems
    app = TableApp(partial(lesson.solve_all, game, "en", two_problems), "en")

    async def solve() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await told(pilot, app, f"Problem {right.name} ★")
            assert f"Problem {right.name} ★" in shown(app, "#scene")
            assert "What would you play?" in shown(app, "#prompt")
            await type_line(pilot, app, "no play")
            await told(pilot, app, "is not a play")
            await type_line(pilot, app, right.best)
            await told(pilot, app, "Right.")
            await until(pilot, lambda: "Press Enter for the next problem" in shown(app, "#prompt"))
            await pilot.press("enter")
            await told(pilot, app, f"Problem {wrong.name} ★")
            await pilot.press("f2")  # whoever asks for the answer has not solved it
            await told(pilot, app, "You have solved everything that is due.")
            assert "Not the best play." in shown(app)
            assert "Press Enter to go back" in shown(app, "#prompt")
            await pilot.press("enter")
            await until(pilot, lambda: app._exit)

    asyncio.run(solve())
    kept = json.loads((tmp_path / "tefuda" / "kakkuri-problems.json").read_text("utf-8"))
    assert {name: each["solved"] for name, each in kept.items()} == {right.name: True, wrong.name: False}


def test_where_no_problem_is_due_it_says_so(
    two_problems: tuple[Problem, Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of kakkuri."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for each in two_problems:
        SolvedProblems.of_game("kakkuri").answered(each, solved=True)
    app = TableApp(partial(lesson.solve_all, load("kakkuri"), "en", two_problems), "en")

    async def look() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await told(pilot, app, "You have solved everything that is due.")
            await pilot.press("x", "enter")
            await until(pilot, lambda: app._exit)

    asyncio.run(look())


@pytest.mark.parametrize(("typed", "stayed"), [("H2\n\nSA\n\nh\n\n", True), ("H2\n\nSA\n\nh\n", False), ("q\n", False)])
def test_a_tour_goes_line_by_line_where_no_screen_is_filled(
    guided: Tour, typed: str, stayed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(typed))
    assert take(partial(tour_course, guided, "en", 0), "en", full=False) == stayed
    said = " ".join(capsys.readouterr().out.split())
    assert "Cy leads the ♠SJ." in said
    for told in ("[GZ-12]", "That would win the trick.", "Step 3 of 3", "Ann wins.", "for a table with bots"):
        assert (told in said) == (typed != "q\n"), told
