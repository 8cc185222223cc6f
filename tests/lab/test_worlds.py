"""Worlds in a dataset: they agree with what the seat knew, and the log loss is what one works out by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import run
from tests.test_examples import load

pl = pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")

worlds = load("worlds")


def test_worlds_agree_with_what_the_seat_knew(
    tmp_path: Path, home: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "made"
    run(home, "data", "make", "gong-zhu", "--deals", "2", "--worlds", "3", "-o", str(folder))
    worlds.main([str(folder)])
    assert "in 2 deals, 3 worlds" in capsys.readouterr().out
    rows = pl.read_parquet(folder / "decisions-*.parquet")
    hands, drawn = (rows[name].to_numpy().reshape(len(rows), -1, 3, 52) for name in ("hands", "worlds"))
    assert rows["worlds"].dtype == pl.Array(pl.Int8, 3 * 3 * 52)
    assert "in 3 deals that this seat finds likely" in (folder / "README.md").read_text("utf-8")
    planes = {name: slice(start, start + size) for name, start, size, _ in _planes(folder)}
    own = np.array(rows["observation"].to_list())[:, planes["hands"]]
    assert len(hands) == len(rows)
    assert not (drawn * own[:, None, None]).any()  # nobody else holds the seat's own cards
    assert (drawn.sum(2) == hands.sum(2)).all()  # the cards that are out are known
    assert (drawn.sum(3) == hands.sum(3)).all()  # and so is how many each of the others holds
    assert (drawn != hands).any()


def test_the_true_hands_are_what_the_others_see(tmp_path: Path, home: dict[str, str]) -> None:
    """Until a card is played, a seat that decides later still holds what the dataset says of it."""
    folder = tmp_path / "made"
    run(home, "data", "make", "gong-zhu", "--deals", "1", "--worlds", "1", "-o", str(folder))
    rows = pl.read_parquet(folder / "decisions-*.parquet")
    (plane,) = (slice(start, start + size) for name, start, size, _ in _planes(folder) if name == "hands")
    own, seats = np.array(rows["observation"].to_list())[:, plane], rows["seat"].to_list()
    others = rows["hands"].to_numpy().reshape(-1, 3, 52)
    unplayed = [k for k in range(len(rows)) if own[k].sum() == others[k].sum(1).max() == 13]
    assert len({seats[k] for k in unplayed}) > 1
    for k in unplayed[1:]:
        after = (seats[k] - seats[unplayed[0]]) % 4
        held = others[unplayed[0], after - 1] if after else own[unplayed[0]]
        assert own[k].tolist() == held.tolist()


def test_the_log_loss_is_that_of_the_share_of_worlds() -> None:
    """Two cards, one other seat. In the first deal it holds the first card, which two of four worlds say; of the second
    card three say rightly that it does not. In the second deal it holds the second card, as all worlds say, and nothing
    puts the first into its hand, which is then not counted."""
    hands, deals = np.array([[1, 0], [0, 1]], np.int8), np.array([4, 7])
    drawn = np.array([[[1, 0], [1, 0], [0, 0], [0, 1]], [[0, 1]] * 4], np.int8)
    found = worlds.of_deals(worlds.log_losses(hands, {"believe": drawn}, 2), deals)["believe"]
    assert found.tolist() == pytest.approx([-(np.log(3 / 6) + np.log(4 / 6)) / 2, -np.log(5 / 6)])


def test_the_ways_to_divide_a_card_are_counted() -> None:
    """Of two copies, two others may hold none, one (either), two (either) or one each. Here is the first card with the
    first other, one copy of the second with each, and the third with nobody."""
    places, answers = worlds.all_places(np.array([[2, 1, 0, 0, 1, 0], [0, 1, 0, 2, 1, 0]], np.int8), 3)
    assert places == 6
    assert answers[0, 1] == answers[1, 1]
    assert answers[0, 2] == answers[1, 2]
    assert len({*answers[0].tolist(), answers[1, 0]}) == 4


def test_a_network_learns_where_cards_are() -> None:
    """It sees the other's hand, so after fifty steps little is left of the ln 2 of a guess."""
    pytest.importorskip("torch", reason="PyTorch is left out: uv pip install torch")
    hands = np.random.default_rng(1).integers(0, 2, (600, 2)).astype(np.int8)
    learns = np.repeat([0, 1, 2], 200)
    found = worlds.net_losses(hands, hands, learns, 2, seed=1, minutes=0)
    assert found.shape == (600, 2)
    assert found[learns == 2].mean() < np.log(2) / 2


def test_a_network_is_compared_in_deals_that_it_has_not_seen(
    tmp_path: Path, home: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="PyTorch is left out: uv pip install torch")
    run(home, "data", "make", "gong-zhu", "--deals", "20", "--worlds", "1", "-o", str(tmp_path / "made"))
    worlds.main([str(tmp_path / "made"), "--net", "0.001"])
    said = capsys.readouterr().out
    assert ", net " in said
    assert "in 4 deals, 1 worlds" in said


def test_a_folder_that_is_no_dataset_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        worlds.main([str(tmp_path)])
    assert f"{tmp_path}: no dataset of tefuda data make" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        worlds.main(["examples/datasets/gong-zhu"])
    assert "examples/datasets/gong-zhu: it has no worlds; make it with --worlds 16" in capsys.readouterr().err


def _planes(folder: Path) -> list[tuple[str, int, int, str]]:
    planes: list[tuple[str, int, int, str]] = json.loads((folder / "dataset.json").read_text("utf-8"))["planes"]
    return planes
