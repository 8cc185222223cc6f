"""Datasets of records: what their rows say of people, what is left out, and that no name gets into the files."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.bots.review import KeptReviews, Reviewer
from tefuda.engine.views import observe_all
from tefuda.table.planes import Observation
from tefuda.table.record import Record
from tefuda.table.record_lines import write_deals
from tests.cli.command import run
from tests.table.fair import fair_record

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
import polars as pl

from tefuda.lab import dataset as played
from tefuda.lab import record_dataset
from tefuda.lab.dataset import make
from tefuda.lab.record_dataset import RecordDataset, RecordedDeal, seated

PLAYERS = ["Mei", "hints 1", "Tom", "-"]
SALT = b"salt"


def session() -> tefuda.Session:
    replayed: tefuda.Session = Record.parse(fair_record()).replay()
    return replayed


def dataset(recorded: list[RecordedDeal], **more: Any) -> RecordDataset:
    return RecordDataset(
        tefuda.load("gong-zhu"), ["hints"] * 4, len(recorded), recorded=recorded, left_out={}, salt=SALT, **more
    )


def decisions(path: Path) -> pl.DataFrame:
    return pl.read_parquet(path / "decisions-*.parquet")


def test_rows_are_what_the_seats_of_the_record_saw_could_do_and_did(tmp_path: Path) -> None:
    deals = session().deals
    make(dataset([(deal, PLAYERS) for deal in deals]), tmp_path)
    rows, observation = decisions(tmp_path).iter_rows(named=True), Observation(tefuda.load("gong-zhu"))
    for number, recorded in enumerate(deals):
        moment = recorded.at(0)
        for seat, word in recorded.history:
            legal = moment.legal_actions()
            if len(legal) > 1:
                row = next(rows)
                assert (row["deal"], row["seat"]) == (number, seat)
                assert row["observation"] == observation.encode(observe_all(moment.array, np.array([seat])))[0].tolist()
                assert np.flatnonzero(row["mask"]).tolist() == legal
                assert moment.word(row["action"]) == word
                others = [points for other, points in enumerate(recorded.payoff()) if other != seat]
                assert row["gain"] == pytest.approx(recorded.payoff()[seat] - np.mean(others), abs=0.01)
            moment.play(word)
    assert next(rows, None) is None


def test_people_have_pseudonyms_and_bots_their_names(tmp_path: Path) -> None:
    make(dataset([(session().deals[0], PLAYERS)]), tmp_path)
    seats = decisions(tmp_path).group_by("seat").agg(pl.col("bot", "person", "player").unique()).sort("seat")
    assert seats["bot"].to_list() == [[None], ["hints"], [None], [None]]
    assert seats["person"].to_list() == [[True], [False], [True], [None]]
    assert seats["player"].to_list() == [[seated("Mei", SALT)[2]], [None], [seated("Tom", SALT)[2]], [None]]
    assert pl.read_parquet(tmp_path / "deals-*.parquet")["bots"].to_list() == [[None, "hints", None, None]]
    for file in tmp_path.iterdir():
        assert b"Mei" not in file.read_bytes()


@pytest.mark.parametrize(
    ("name", "bot", "person"),
    [
        ("hints", "hints", False),
        ("random (2)", "random", False),
        ("search:200it", "search:200it", False),
        ("strong 3", "strong", False),
        ("llm:http://host/v1,model=small", "llm:http://host/v1,model=small", False),
        ("hintsy", None, True),
        ("search party", None, True),
        ("os:system", None, True),
        ("human", None, True),
        ("—", None, None),
    ],
)
def test_names_tell_bots_from_people(name: str, bot: str | None, person: bool | None) -> None:
    assert seated(name, SALT)[:2] == (bot, person)


def test_a_pseudonym_depends_on_name_and_salt_alone_and_nobody_in_particular_has_none() -> None:
    one, other = seated("Mei", SALT)[2], seated("Mei", b"other")[2]
    assert one is not None
    assert (len(one), one) == (12, seated("Mei", SALT)[2])
    assert len({one, other, seated("Tom", SALT)[2]}) == 3
    assert seated("human", SALT)[2] is None


def test_a_dataset_goes_on_where_it_was_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played, "DEALS_COMPILED", 1)
    recorded: list[RecordedDeal] = [(deal, PLAYERS) for deal in session().deals]
    make(dataset(recorded), tmp_path / "whole")

    def stop(_deals: int, _rows: int) -> None:
        raise KeyboardInterrupt

    assert make(dataset(recorded), tmp_path / "parts", progress=stop).interrupted
    made = make(dataset(recorded), tmp_path / "parts")
    assert (made.interrupted, made.deals) == (False, 2)
    assert decisions(tmp_path / "parts").equals(decisions(tmp_path / "whole"))


def test_worlds_of_peoples_decisions_have_the_cards_that_are_out(tmp_path: Path) -> None:
    (deal, _) = session().deals
    made = dataset([(deal, PLAYERS)], worlds=2)
    make(made, tmp_path)
    rows = decisions(tmp_path)
    hands, worlds = (rows[name].to_numpy().reshape(len(rows), -1, 3, 52) for name in ("hands", "worlds"))
    assert worlds.shape[1] == 2
    assert (worlds.sum(2) == hands.sum(2)).all()
    assert (worlds.sum(3) == hands.sum(3)).all()


def test_a_review_tells_what_people_gave_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick, (deal, _) = partial(Reviewer, simulations=20, worlds=4), session().deals
    monkeypatch.setattr(record_dataset, "Reviewer", quick)
    monkeypatch.setattr(record_dataset, "KeptReviews", partial(KeptReviews, tmp_path / "kept"))
    make(dataset([(deal, ["Mei", "hints", "hints", "hints"])], review=True), tmp_path / "made")
    told, found = decisions(tmp_path / "made"), quick().review(deal, 0).decisions
    assert told.filter(pl.col("seat") > 0)["best"].null_count() == len(told.filter(pl.col("seat") > 0))
    rows = told.filter(seat=0).select("best", "given_away", "low", "high").rows()
    assert rows == [
        (each.best, *(pytest.approx(gain, abs=1e-3) for gain in (each.given_away, each.low, each.high)))
        for each in found
    ]


def test_the_command_counts_what_it_leaves_out_by_reason(tmp_path: Path, home: dict[str, str]) -> None:
    games, folder, whole = tmp_path / "games", tmp_path / "made", session()
    (games / "club").mkdir(parents=True)
    begun = whole.game.deal(seed=3)
    begun.play(begun.legal()[0])
    payoff = json.dumps(whole.deals[0].payoff())
    text = write_deals(whole.game, whole.deals, PLAYERS)
    for name, content in {
        "a.tfd": text,
        "club/again.tfd": write_deals(whole.game, whole.deals[:1], PLAYERS),
        "b.tfd": text.replace(payoff, "[0, 0, 0, 0]"),
        "c.tfd": "not a record\n",
        "d.tfd": write_deals(whole.game, [begun], []),
        "e.tfd": tefuda.load("gong-zhu", exposing=False).deal(seed=1).record(),
        "notes.txt": "no record either",
    }.items():
        (games / name).write_text(content, "utf-8")
    told = run(home, "data", "from", str(games), "-o", str(folder), "--json")
    assert json.loads(told.stdout)["deals"] == 2
    left_out = {
        "records that cannot be read or contradict the rules": 2,
        "deals that were not finished": 1,
        "records of another game, or with other seats, options or rules": 1,
        "deals that are there already": 1,
    }
    assert json.loads((folder / "dataset.json").read_text("utf-8"))["left_out"] == left_out
    card = (folder / "README.md").read_text("utf-8")
    for reason, count in left_out.items():
        assert f"{count} {reason}: left out" in told.stderr
        assert f"{count} {reason}" in card
    assert "recorded payoff [0, 0, 0, 0], by the rules" in told.stderr
    assert (tmp_path / "made.salt").stat().st_mode & 0o77 == 0
    again = run(home, "data", "from", str(games), "-o", str(folder), "--game", "gong-zhu", "--json")
    assert json.loads(again.stdout)["decisions"] == json.loads(told.stdout)["decisions"]
    for words, complaint in {
        (str(games), str(tmp_path / "missing.tfd")): "missing.tfd: ",
        (str(games / "c.tfd"),): "the records have no finished deal",
        (str(games), "--game", "luk-fu"): "the records have no finished deal of luk-fu",
        (str(games / "d.tfd"), str(games / "a.tfd")): "it holds another dataset",
    }.items():
        refused = run(home, "data", "from", *words, "-o", str(folder))
        assert (refused.returncode, complaint in refused.stderr) == (2, True)
