"""Duplicate matches: the same decks in every seat, honest intervals, honest counting."""

import json
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import typer

from tefuda import games
from tefuda.cli import match_command as command
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.estimates import Sums, student_t
from tefuda.engine.record import COMMON, Field, record_type
from tefuda.engine.verbs import implements
from tefuda.lab.play.match import Match
from tefuda.lab.play.runner import rotations
from tefuda.lab.play.scores import MatchResult, bot_names
from tefuda.table.game import Game, load, numbered_deals

ONE_HINTS = ["hints", "random", "random", "random"]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("gong-zhu")


@pytest.fixture(scope="module")
def result(game: Game) -> MatchResult:
    return Match(game, ONE_HINTS, 300, 1).play()


def untimed(result: MatchResult) -> MatchResult:
    """The result without what differs from run to run."""
    entries = tuple(replace(entry, microseconds=0.0) for entry in result.entries)
    return replace(result, seconds=0.0, entries=entries)


def test_decks_are_those_of_the_table(game: Game) -> None:
    states, _ = numbered_deals(game, 7, range(20, 23))
    for state, number in zip(states, range(20, 23), strict=True):
        assert state == game.deal((7, number)).state


def test_every_bot_sits_once_in_every_seat() -> None:
    for seats in (2, 4, 5):
        chairs = rotations(seats)
        for line in (*chairs, *chairs.T):
            assert sorted(line) == list(range(seats))


def test_equal_bots_end_exactly_level(game: Game) -> None:
    for bot in ("random", "hints"):
        entries = Match(game, [bot] * 4, 40, 3).play().entries
        assert len({entry.points for entry in entries}) == 1
        assert all(entry.gain.mean == entry.gain.margin == 0 for entry in entries)
        assert all(entry.first_places == 0.25 for entry in entries)


def test_rotations_of_a_deal_begin_with_the_same_cards(game: Game) -> None:
    block = Match(game, ["hints"] * 4, 3, 5).player(threading.Event())(range(3))
    points, counts = block.points, block.counts
    by_seat = [points[:, rotation, np.argsort(chairs)] for rotation, chairs in enumerate(rotations(4))]
    for seen in by_seat:
        assert (seen == by_seat[0]).all()
    assert points.shape == (3, 4, 4)
    assert counts.shape == (3, 4, 4, 2)


def test_the_place_in_the_list_does_not_matter(game: Game, result: MatchResult) -> None:
    moved = Match(game, ["random", "random", "hints", "random"], 300, 1).play()
    same = {**vars(moved.entries[2]), "microseconds": 0.0}
    assert same == {**vars(result.entries[0]), "microseconds": 0.0}


def test_the_same_seed_gives_the_same_match_in_any_blocks_and_threads(game: Game, result: MatchResult) -> None:
    again = Match(game, ONE_HINTS, 300, 1, block=77, threads=1).play()
    assert untimed(again) == untimed(result)
    assert untimed(Match(game, ONE_HINTS, 300, 2).play()) != untimed(result)


def test_five_bots_play_with_five_seats() -> None:
    result = Match(load("gong-zhu", 5), ["hints", *["random"] * 4], 20, 0).play()
    assert result.rotations == 5
    assert [entry.decisions for entry in result.entries] == [20 * 5 * 11] * 5  # ten cards and an answer


def test_hints_beat_random(result: MatchResult) -> None:
    hints = result.entries[0]
    assert hints.gain.margin is not None
    assert hints.gain.mean >= 60
    assert hints.gain.mean - hints.gain.margin > 0
    assert hints.illegal == 0
    assert hints.first_places > 0.25
    assert sum(entry.gain.mean for entry in result.entries) == pytest.approx(0)
    assert sum(entry.first_places for entry in result.entries) == pytest.approx(1)


def test_intervals_shrink_with_the_square_root(game: Game, result: MatchResult) -> None:
    longer = Match(game, ONE_HINTS, 1200, 1).play()
    for few, many in zip(result.entries, longer.entries, strict=True):
        assert few.points.margin is not None
        assert many.points.margin == pytest.approx(few.points.margin / 2, rel=0.3)
    assert Match(game, ONE_HINTS, 1, 1).play().entries[0].points.margin is None


def test_partners_have_the_same_points() -> None:
    game = load("gong-zhu", partnership=True)
    first, second, third, fourth = Match(game, ["hints", "random"] * 2, 50, 0).play().entries
    assert first.points == third.points
    assert second.points == fourth.points
    assert first.gain.mean > 0
    assert first.gain.mean == pytest.approx(first.points.mean - second.points.mean)  # a partner is not among the others


def test_wrong_bots_are_refused_in_one_line(game: Game) -> None:
    with pytest.raises(TefudaError, match=r"no bot 'hint'; .*; did you mean 'hints'"):
        Match(game, ["hint", "random", "random", "random"], 1, 0).play()
    with pytest.raises(TefudaError, match="3 bots for 4 seats"):
        Match(game, ["random"] * 3, 1, 0).play()
    with pytest.raises(TefudaError, match="4 or 5, not by 3"):
        command.match("gong-zhu", ["random"] * 3, 1)


def test_bots_of_a_kind_are_numbered() -> None:
    assert bot_names(["random", "hints", "random"]) == ["random", "hints", "random (2)"]


# Interrupting


def test_an_interrupted_match_reports_what_was_played(game: Game) -> None:
    finished = []

    def stop(deals: int) -> None:
        finished.append(deals)
        if len(finished) == 2:
            raise KeyboardInterrupt

    result = Match(game, ONE_HINTS, 300, 1, block=50).play(stop)
    assert result.interrupted
    assert (result.deals, result.asked) == (100, 300)
    assert result.entries == tuple(
        replace(entry, microseconds=mine.microseconds)
        for entry, mine in zip(Match(game, ONE_HINTS, 100, 1).play().entries, result.entries, strict=True)
    )


def test_an_interrupted_match_has_its_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], result: MatchResult
) -> None:
    cut = replace(result, interrupted=True, asked=1000)
    monkeypatch.setattr(command, "play_match", lambda *_: cut)
    with pytest.raises(typer.Exit) as stopped:
        command.match("gong-zhu", ONE_HINTS, 1000, seed=1)
    assert stopped.value.exit_code == 130
    assert "Interrupted: 300 of 1000 deals" in capsys.readouterr().out


def test_a_match_may_stop_when_it_is_decided(game: Game) -> None:
    result = Match(game, ONE_HINTS, 300, 1, block=10, until_decided=True).play()
    gain = result.entries[0].gain
    assert result.decided
    assert 100 <= result.deals < 300
    assert gain.margin is not None
    assert gain.mean > 1.5 * gain.margin
    level = Match(game, ["random"] * 4, 60, 1, until_decided=True).play()
    assert (level.decided, level.deals) == (False, 60)


# The command


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    command.match("gong-zhu", ONE_HINTS, 10, seed=4, as_json=True)
    printed = json.loads(capsys.readouterr().out)
    assert (printed["game"], printed["seed"], printed["deals"], printed["rotations"]) == ("gong-zhu", 4, 10, 4)
    assert printed["rules_version"] >= 1
    assert printed["tefuda"]
    assert set(printed["entries"][0]) == {
        "name", "bot", "points", "gain", "first_places", "decisions", "illegal", "microseconds", "faults",
        "gain_without_luck", "tokens_read", "tokens_written", "refused",
    }  # fmt: skip
    assert set(printed["entries"][0]["points"]) == {"mean", "margin"}
    assert printed["entries"][0]["gain_without_luck"] is None


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    command.match("gong-zhu", ONE_HINTS, 10, ["partnership=true"], seed=4)
    printed = capsys.readouterr().out
    assert "random (3)" in printed
    assert "Bots keep their order round the table, so those of a kind may differ" in printed
    assert "seed 4: 10 deals × 4 rotations" in printed
    assert "partnership=True" in printed


# The statistics


def test_student_t() -> None:
    published = {1: 12.706, 4: 2.776, 5: 2.571, 9: 2.262, 10: 2.228, 30: 2.042, 100: 1.984, 1_000_000: 1.960}
    for freedom, value in published.items():
        assert student_t(freedom) == pytest.approx(value, abs=2e-3)


def test_intervals_hold_what_they_promise() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(30.0, 100.0, (2000, 12)).round().astype(np.int64)
    held = 0
    for row in rows:
        sums = Sums(1, unit=1)
        sums.add(row[:, None])
        estimate = sums.estimate(0)
        assert estimate.margin is not None
        assert estimate.margin == pytest.approx(student_t(11) * row.std(ddof=1) / np.sqrt(12))
        held += abs(estimate.mean - 30.0) <= estimate.margin
    assert held / len(rows) == pytest.approx(0.95, abs=0.02)


# Counting illegal moves, shown on a game whose advice begins with one. After a change of its verbs, change a field too:
# compiled kernels are kept by the record's layout.

SINNERS = (*COMMON, Field("made", "i1", "actions made"), Field("sinned", "i1", "1: an illegal action was made"))
SINNER = record_type(SINNERS)
TURNS = 6


@implements(verbs.deal, SINNER)
def deal(state: Any, deck: Any) -> None:
    state.made = 0
    state.sinned = 0


@implements(verbs.mover, SINNER)
def mover(state: Any) -> int:
    return state.made % state.seats if state.made < TURNS else -1


@implements(verbs.legal, SINNER)
def legal(state: Any, out: Any) -> int:
    out[0], out[1] = 3, 5
    return 2


@implements(verbs.apply, SINNER)
def apply(state: Any, action: int) -> None:
    state.made += 1
    if action not in (3, 5):
        state.sinned = 1


@implements(verbs.payoff, SINNER)
def payoff(state: Any, out: Any) -> None:
    for seat in range(state.seats):
        out[seat] = -100 * state.sinned


@implements(verbs.advise, SINNER)
def advise(state: Any, rng: Any) -> int:
    return 4 if state.made < state.seats else 5


@pytest.mark.slow
def test_illegal_moves_are_counted_and_not_made() -> None:
    description = replace(
        games.description("gong-zhu"),
        name="sinners",
        fields=SINNERS,
        record=SINNER,
        seats=(2,),
        actions=6,
        rules=replace(
            games.description("gong-zhu").rules,
            options=(),
            values=(),
            exclusions=lambda seats, options: None,
            pack=lambda state: np.arange(4),
        ),
    )
    sinner, saint = Match(Game(description), ["hints", "random"], 10, 0).play().entries
    games_played = 10 * 2
    assert (sinner.decisions, sinner.illegal) == (3 * games_played, games_played)
    assert (saint.decisions, saint.illegal) == (3 * games_played, 0)
    assert sinner.points.mean == saint.points.mean == 0
