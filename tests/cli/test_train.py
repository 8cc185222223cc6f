"""``tefuda train``: a run in a folder, and one line for whatever is wrong."""

import json
import sys
from pathlib import Path

import pytest

from tefuda.cli.app import main

pytest.importorskip("torch", reason="training is left out: uv sync --extra train")

SMALL = ["--deals", "4", "--rounds", "1", "--judged", "2", "--final", "4", "--threads", "1"]
SMALL += ["--hidden", "16", "--hidden", "8"]


def tefuda(*arguments: str) -> object:
    """The exit status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["tefuda", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    return ended.value.code


def test_it_trains_and_says_how_to_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    assert tefuda("train", "gong-zhu", "--vary", "partnership", "--folder", folder, *SMALL) == 0
    out, err = capsys.readouterr()
    assert "round 1: 4 deals" in err
    assert "a deal against hints" in err
    assert f"match gong-zhu net:{folder} hints hints hints" in out
    save = ["--save", str(tmp_path / "match"), "--json"]
    assert tefuda("match", "gong-zhu", f"net:{folder}", "hints", "hints", "hints", "--deals", "1", *save) == 0
    assert json.loads(capsys.readouterr().out)["entries"][0]["illegal"] == 0


def test_it_says_what_a_network_gains_over_the_one_it_learns_on_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    assert tefuda("train", "gong-zhu", "--players", "net", "--folder", folder, *SMALL[:8], "--threads", "1") == 0
    out, err = capsys.readouterr()
    assert "against the network it learns on from" in err
    assert f"match gong-zhu net:{folder} net net net" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["gong-zu"], "there is no game 'gong-zu'"),
        (["gong-zhu", "--vary", "partners"], "gong-zhu has no option 'partners'"),
        (["gong-zhu", "--vary", "target"], "target is a number; only choices and switches can vary"),
        (["gong-zhu", "--device", "tpu"], "--device: 'tpu' is not one of cpu, cuda"),
        (["gong-zhu", "--players", "search"], "players: 'search' is not hints, net or net:FOLDER"),
        (["gong-zhu", "--players", "net:/nowhere"], "/nowhere"),
        (
            ["gong-zhu", "--players", "net", "--vary", "exposing"],
            "--players net: what that network knows is learned on; leave --seats, --set, --vary and --hidden out",
        ),
        (["gong-zhu", "--deals", "3"], "rounds: 5 are more than 1 block; 3 deals are played 1000 at a time"),
    ],
)
def test_wrong_input_is_told_in_a_line(
    arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tefuda("train", *arguments, "--folder", str(tmp_path)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert err.count("\n") == 1
