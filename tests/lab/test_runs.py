"""Runs: the same bytes however they were cut off, and differences that are there and those that are not."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.errors import TefudaError

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")

import numpy as np
import polars as pl

from tefuda.engine import estimates
from tefuda.lab import runs
from tefuda.lab.experiment import Experiment
from tefuda.lab.experiment_file import parse, read
from tefuda.lab.jobs import ProcessPool, played
from tefuda.lab.measure import rows
from tefuda.lab.play.match import Match
from tefuda.lab.play.runner import MatchBlock
from tefuda.lab.play.scores import MatchScores
from tefuda.lab.report.findings import find
from tefuda.lab.report.sentences import summary
from tefuda.lab.runs import DECISIONS, RESULTS, ExperimentJob, Run, StoppingRule, open_run
from tefuda.table.game import load

TWO = [{"name": "a"}, {"name": "b", "options": {"exposing": False}}]


def asked(**more: Any) -> Experiment:
    given = {"question": "Why?", "game": "gong-zhu", "deals": 40, "arms": TWO, "bots": ["random"], **more}
    return parse("why", given)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "BLOCK", 8)


def files(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.glob("*.parquet")}


def test_a_row_for_each_seat_of_each_game(tmp_path: Path) -> None:
    run = Run(tmp_path, asked(bots=["hints", "random"], deals=6))
    run.play(processes=1)
    table = pl.read_parquet(tmp_path / RESULTS)
    assert len(table) == 2 * 6 * 4 * 4
    assert table.group_by("arm", "deal", "rotation").agg(pl.col("bot").cast(pl.String).sort()).select(
        pl.col("bot").list.join(" ").unique()
    ).to_series().to_list() == ["hints random random random"]
    assert table["illegal"].sum() == 0
    assert table.group_by("arm", "deal", "rotation").agg(pl.col("acts_first").sum())["acts_first"].unique().item() == 1
    assert (table["lines"].list.len() == table["worths"].list.len()).all()


def test_an_option_that_changes_nothing_shows_exactly_nothing(tmp_path: Path) -> None:
    arms = [{"name": "a"}, {"name": "b", "options": {"target": 500}}]
    given = asked(arms=arms, bots=["hints"], measures=["length", "outcome", "seats", "lines", "binds"], sample=4)
    run = Run(tmp_path, given)
    run.play(processes=1)
    found = find(run)
    rows = [*found.rows, *found.lines]
    assert all(row.differences[0].equal == 1 and row.differences[0].probability == 1 for row in rows)
    assert all(each.binds.mean == 0 == each.advice.mean and each.scatter is None for each in found.rule_effects)
    assert found.reaches[0].is_nothing
    said = summary(found, "en")
    assert said.answer[0].startswith("No answer: none of 40 deals went differently with “b” than with “a”.")
    assert any("With “b” none of the deals went differently from “a”." in told for _, told in said.parts)


def test_a_gain_is_that_of_the_match(tmp_path: Path) -> None:
    bots = ["hints", "random", "random", "random"]
    run = Run(tmp_path, asked(arms=TWO[:1], bots=bots, answer="gain", seed=3))
    run.play(processes=1)
    found = find(run)
    entry = Match(run.experiment.arms[0].game, bots, 40, 3).play().entries[0]
    assert found.luck[0].gain.mean == pytest.approx(entry.gain.mean)
    assert found.luck[0].strong == "hints"
    assert sum(share.mean for share in found.luck[0].shares.values()) == pytest.approx(1)


def test_a_report_has_the_gain_without_luck_that_a_match_has(tmp_path: Path) -> None:
    bots = ["tests.lab.test_python_game:First", "hints", "hints", "hints"]
    run = Run(tmp_path, asked(arms=TWO[:1], bots=bots, answer="gain", seed=3, deals=4, measures=["outcome"]))
    run.play(processes=1)
    found = find(run).luck[0].gain_without_luck
    entry = Match(run.experiment.arms[0].game, bots, 4, 3).play().entries[0].gain_without_luck
    assert found is not None
    assert entry is not None
    assert found.mean == pytest.approx(entry.mean)
    assert found.high - found.mean == pytest.approx(entry.margin, rel=1e-6)


def test_a_handicap_of_known_size_is_found(tmp_path: Path) -> None:
    """With all hearts and the transformer 300 are paid, not 400: that times how often it happens is what it costs."""
    arms = [{"name": "a"}, {"name": "b", "options": {"sheep_flips": True}}]
    run = Run(tmp_path, asked(arms=arms, answer="sum", deals=800, options={"exposing": False}, bots=["hints"]))
    run.play(processes=1)
    found = find(run)
    row = next(row for row in found.rows if row.name == "sum")
    flipped = next(line for line in found.lines if line.name == "line.sheep_minus").means[1]
    assert flipped.mean > 0
    # Each flip costs 200, or 400 with the transformer.
    assert -400 * flipped.mean <= row.differences[0].by.mean <= -200 * flipped.mean
    assert row.differences[0].equal == pytest.approx(1 - flipped.mean)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_cut_off_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    given = asked(measures=["length", "outcome", "lines", "binds", "decisions", "information"], sample=10, deals=50)
    whole = Run(tmp_path / "whole", given)
    whole.play(processes=1)
    cut = Run(tmp_path / "cut", given)
    left = iter([True, True, False, True, False])

    def impatient(deals: int) -> None:
        if not next(left, True):
            raise KeyboardInterrupt

    while cut.done() < 50:
        progress = cut.play(impatient, processes=processes)
    assert progress.earlier > 0
    cut.play(processes=1)
    assert files(tmp_path / "cut") == files(tmp_path / "whole")
    assert set(files(tmp_path / "cut")) == {RESULTS, DECISIONS}
    assert list((tmp_path / "cut" / "parts").iterdir()) == []


def test_more_deals_are_added_to_those_there(tmp_path: Path) -> None:
    for deals in (10, 30):
        Run(tmp_path / "grown", asked(deals=deals)).play(processes=1)
    Run(tmp_path / "whole", asked(deals=30)).play(processes=1)
    grown, whole = (pl.read_parquet(tmp_path / each / RESULTS) for each in ("grown", "whole"))
    assert grown.sort("arm", "deal", "seat").equals(whole.sort("arm", "deal", "seat"))


def test_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    file, out = tmp_path / "why.toml", tmp_path / "out"
    file.write_text(
        'question = "Why?"\ngame = "gong-zhu"\nbots = ["tests.lab.test_cluster:Slow", "hints"]\ndeals = 8\n'
        'measures = ["outcome"]\nluck = false\n[[arms]]\nname = "a"\n[[arms]]\nname = "b"\n'
        "options = { exposing = false }\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "tefuda", "lab", "run", str(file), "-o", str(out), "--processes", "2"]
    slow = {**os.environ, "TEFUDA_TEST_PAUSE": "0.05"}  # it is not done before it is killed
    process = subprocess.Popen(command, env=slow, stderr=subprocess.DEVNULL)
    while len(list(out.glob("parts/*.deals.parquet"))) < 2:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (out / RESULTS).exists()
    assert subprocess.run(command, capture_output=True, timeout=600).returncode == 0
    Run(tmp_path / "whole", read(file)).play(processes=1)
    assert files(out) == files(tmp_path / "whole")


def cut_after(blocks: int, path: Path, given: Experiment) -> Run:
    """A run that was cut off after some blocks."""
    left = iter([True] * (blocks + 1))
    run = Run(path, given)

    def impatient(deals: int) -> None:
        if not next(left, False):
            raise KeyboardInterrupt

    assert run.play(impatient, processes=1).interrupted
    return run


def test_a_damaged_file_is_named_and_what_was_in_it_is_played_again(tmp_path: Path) -> None:
    given = asked(deals=40, measures=["outcome", "binds"], sample=4)
    Run(tmp_path / "whole", given).play(processes=1)
    for damaged in "000000004-000000012.deals", "000000000-000000004.decisions":
        run = cut_after(3, tmp_path / damaged, given)
        part = run.path / "parts" / f"{damaged}.parquet"
        part.write_bytes(b"")
        with pytest.raises(TefudaError, match=f"{damaged}.parquet: it is damaged; delete .*deals.parquet there"):
            run.play(processes=1)
        part.with_name(part.name.replace(".decisions.", ".deals.")).unlink()
        Run(run.path, given).play(processes=1)
        assert files(run.path) == files(tmp_path / "whole")
    results = tmp_path / "whole" / RESULTS
    results.write_bytes(results.read_bytes()[:-9])
    with pytest.raises(TefudaError, match=r"results\.parquet: it is damaged"):
        find(open_run(tmp_path / "whole"))


def test_a_damaged_head_is_named_and_the_run_goes_on_without_it(tmp_path: Path) -> None:
    run = cut_after(2, tmp_path, asked())
    for text in "", "[]", "{}", '{"name": "why"':
        (tmp_path / "run.json").write_text(text, "utf-8")
        with pytest.raises(TefudaError, match=r"run\.json: it is damaged; delete it"):
            Run(tmp_path, asked())
        with pytest.raises(TefudaError, match=r"run\.json: it is damaged; delete it"):
            open_run(tmp_path)
    (tmp_path / "run.json").unlink()
    assert Run(tmp_path, asked()).play(processes=1).earlier == run.status.done


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = cut_after(2, tmp_path / "cut", asked())
    done = run.done()

    def full(*args: object) -> None:
        raise pl.exceptions.ComputeError("parquet: underlying IO error: No space left on device (os error 28)")

    with monkeypatch.context() as patch:
        patch.setattr(rows, "write_table", full)
        with pytest.raises(TefudaError, match="no space left; make room"):
            run.play(processes=1)
    assert run.done() == done
    run.play(processes=1)
    Run(tmp_path / "whole", asked()).play(processes=1)
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    Run(tmp_path, asked()).play(processes=1)
    with pytest.raises(TefudaError, match="it holds a run of something else"):
        Run(tmp_path, asked(seed=9))


def test_a_run_stops_when_the_answer_is_clear(tmp_path: Path) -> None:
    arms = [{"name": "a"}, {"name": "b", "options": {"exposing": False}}]
    run = Run(tmp_path, asked(arms=arms, bots=["hints"], deals=4000, answer="moves", stop=True, measures=["length"]))
    progress = run.play(processes=1)
    assert progress.stopped
    assert estimates.FEWEST_DIFFERING <= progress.done < 200
    assert run.play(processes=1).done == progress.done
    assert "is smaller than with" in summary(find(run), "en").answer[0]


@pytest.mark.parametrize(("differing", "stops"), [(99, False), (100, True)])
def test_nobody_stops_before_enough_deals_differ(differing: int, stops: bool) -> None:
    """However many deals are alike, and however clear the others are: experiments and matches."""
    gains = np.where(np.arange(5000) < differing, 8, 0)
    rule = StoppingRule(asked(stop=True))
    rows = {"seed": 1, "deal": np.arange(5000), "rotation": 0}
    paid = (("a", 0 * gains), ("a", 0 * gains), ("b", 0 * gains), ("b", gains))  # two seats in each arm
    rule.add(pl.concat([pl.DataFrame({"arm": arm, **rows, "payoff": payoff}) for arm, payoff in paid]).lazy())
    assert rule.is_met() == stops
    match = MatchScores(load("gong-zhu"))
    points = np.zeros((5000, 4, 4), np.int64)
    points[:, :, 0] = gains[:, None]
    match.add(MatchBlock(points, np.zeros((5000, 4, 4, 2), np.int64), np.zeros(4), [[]] * 4))
    assert match.is_decided() == stops


def test_blocks_come_in_their_order() -> None:
    numbers = [range(k, k + 1) for k in range(20)]
    job = ExperimentJob(asked())
    assert [block.numbers for block in played(job, numbers, None)] == numbers
    with ProcessPool(job, 2) as pool:
        assert [block.numbers for block in played(job, numbers, pool)] == numbers
