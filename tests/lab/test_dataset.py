"""Datasets: what is in them follows from the deals, and a run that was cut short goes on."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.engine.errors import TefudaError
from tefuda.engine.views import observe_all
from tefuda.table.planes import Observation
from tefuda.table.record import Record
from tests.cli.command import run

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
import polars as pl

from tefuda.lab import dataset as datasets
from tefuda.lab.dataset import Dataset, make

GAME = "gong-zhu"

SHIPPED = Path(__file__).parents[2] / "examples" / "datasets" / GAME


def dataset(bots: list[str] | None = None, deals: int = 5, **more: Any) -> Dataset:
    return Dataset(tefuda.load(GAME), bots or ["hints"] * 4, deals, **more)


def decisions(path: Path) -> pl.DataFrame:
    return pl.read_parquet(path / "decisions-*.parquet")


def test_rows_are_what_the_seats_saw_could_do_and_did(tmp_path: Path) -> None:
    made = make(dataset(["hints", "random", "hints", "random"], deals=3, seed=7, records=True), tmp_path)
    table, deals = decisions(tmp_path), pl.read_parquet(tmp_path / "deals-*.parquet")
    assert (made.deals, made.games, made.decisions) == (3, 6, len(table))
    observation, rows = Observation(tefuda.load(GAME)), iter(table.iter_rows(named=True))
    for game in deals.iter_rows(named=True):
        (recorded,) = Record.parse(game["record"]).replay().deals
        assert recorded.payoff() == game["payoffs"]
        deal = tefuda.load(GAME).deal((7, game["deal"]))
        for seat, word in recorded.history:
            if len(deal.legal_actions()) > 1:
                row = next(rows)
                assert (row["deal"], row["rotation"]) == (game["deal"], game["rotation"])
                assert (row["seat"], row["bot"]) == (seat, game["bots"][seat])
                seen = observe_all(deal.array, np.array([seat]))
                assert row["observation"] == observation.encode(seen)[0].tolist()
                assert np.flatnonzero(row["mask"]).tolist() == deal.legal_actions()
                others = [points for other, points in enumerate(game["payoffs"]) if other != seat]
                assert row["gain"] == pytest.approx(game["payoffs"][seat] - np.mean(others), abs=0.01)
            deal.play(word)
    assert next(rows, None) is None


def test_a_dataset_goes_on_where_it_was_cut_short_and_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "DEALS_COMPILED", 2)
    make(dataset(), tmp_path / "whole")

    def stop(_deals: int, _rows: int) -> None:
        raise KeyboardInterrupt

    cut = make(dataset(deals=3), tmp_path / "parts", progress=stop)
    assert (cut.interrupted, cut.deals) == (True, 2)
    (tmp_path / "parts" / "decisions-00000.parquet").write_bytes(b"damaged")
    made = make(dataset(), tmp_path / "parts")
    assert (made.interrupted, made.deals) == (False, 5)
    assert decisions(tmp_path / "parts").equals(decisions(tmp_path / "whole"))


def test_what_a_search_found_is_kept(tmp_path: Path) -> None:
    make(dataset(["search:12it,endings=0", "hints", "hints", "hints"], deals=1, values=True), tmp_path)
    for row in decisions(tmp_path).iter_rows(named=True):
        searched = row["bot"].startswith("search")
        assert bool(row["estimated"]) == searched
        if searched:
            assert row["estimated"][0] == row["action"]
            assert sum(row["visits"]) == 12
            assert set(row["estimated"]) <= set(np.flatnonzero(row["mask"]))
            assert len(row["worths"]) == len(row["estimated"])


def test_the_card_and_the_json_say_what_there_is(tmp_path: Path, home: dict[str, str]) -> None:
    folder = tmp_path / "new"
    printed = json.loads(run(home, "data", "make", GAME, "--deals", "2", "-o", str(folder), "--json").stdout)
    card, held = (folder / "README.md").read_text("utf-8"), json.loads((folder / "dataset.json").read_text("utf-8"))
    assert f"{printed['decisions']:,} decisions in 2 games of 2 deals, played by hints." in card
    assert sum(size for _, _, size, _ in held["planes"]) == len(decisions(folder)["observation"][0])


def test_the_hub_understands_the_head_of_the_card(tmp_path: Path) -> None:
    """Its keys and tasks are those of Hugging Face's template; sizes are what the hub counts itself."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is left out: uv sync --group fuzz")
    make(dataset(deals=1), tmp_path)
    _, head, _ = (tmp_path / "README.md").read_text("utf-8").split("---\n", 2)
    files = {name: [{"split": "train", "path": f"{name}-*.parquet"}] for name in ("decisions", "deals")}
    assert yaml.safe_load(head) == {
        "license": "mit",
        "pretty_name": "Decisions in gong-zhu",
        "task_categories": ["reinforcement-learning"],
        "tags": ["card-game", "imperfect-information", "offline-rl", "gong-zhu"],
        "configs": [
            {"config_name": "decisions", "data_files": files["decisions"], "default": True},
            {"config_name": "deals", "data_files": files["deals"]},
        ],
    }


def test_the_card_s_recipe_keeps_small_numbers_small() -> None:
    assert pl.read_parquet(SHIPPED / "decisions-*.parquet")["observation"].to_numpy(writable=True).dtype == np.int8


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--values"], "--values: none of the bots searches; --bot search:200it does"),
        (["--bot", "hint"], "did you mean 'hints'"),
        (["--deals", "0"], "--deals"),
        (["--bot", "hints", "--bot", "net", "--bot", "net", "--bot", "net", "--bot", "net"], "5 bots for 4 seats"),
    ],
)
def test_bad_input_is_one_line(home: dict[str, str], tmp_path: Path, words: list[str], complaint: str) -> None:
    told = run(home, "data", "make", GAME, "-o", str(tmp_path / "new"), *words)
    assert told.returncode == 2
    assert complaint in told.stderr
    assert len(told.stderr.splitlines()) == 1
    assert not (tmp_path / "new").exists()


def test_another_dataset_is_not_written_over(tmp_path: Path) -> None:
    make(dataset(deals=1), tmp_path)
    with pytest.raises(TefudaError, match="it holds another dataset"):
        make(dataset(deals=1, seed=2), tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("mine")
    with pytest.raises(TefudaError, match="it holds something else"):
        make(dataset(deals=1), tmp_path / "other")


def test_the_small_set_that_ships_is_what_these_rules_play() -> None:
    """``examples/datasets/gong-zhu``, as other libraries read it, beside its first deal played again."""
    rows = pl.read_parquet(SHIPPED / "decisions-*.parquet").filter(deal=0, rotation=0)
    game = tefuda.load("gong-zhu")
    deal, planes = game.deal((0, 0)), Observation(game)
    for row in rows.iter_rows(named=True):
        while len(legal := deal.legal_actions()) == 1:
            deal.act(legal[0])
        assert row["seat"] == deal.mover
        assert list(row["observation"]) == planes.encode(deal.view(deal.mover).array)[0].tolist()
        assert [action for action, allowed in enumerate(row["mask"]) if allowed] == legal
        deal.act(row["action"])
    while not deal.over:
        deal.act(*deal.legal_actions())
    assert len(rows) > 30
