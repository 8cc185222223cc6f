"""``tefuda lab`` as a person types it."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")

from tests.cli.command import heed_interrupts

from tefuda.lab.runs import open_run

TEFUDA = [sys.executable, "-m", "tefuda", "lab"]

PATIENCE = 600
"""Seconds until something that does not happen is a failure."""


def lab(home: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TEFUDA, *words], env=home, capture_output=True, text=True, timeout=PATIENCE)


def test_a_question_without_a_file(home: dict[str, str]) -> None:
    asked = lab(home, "compare", "gong-zhu", "exposing=false", "--deals", "30", "--bot", "random", "--processes", "1")
    assert asked.returncode == 0, asked.stderr
    assert "With “exposing=false” the distance between the best and the worst result in a deal is " in asked.stdout
    page = Path(asked.stdout.splitlines()[-2])
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert lab(home, "report", str(page.parent)).stdout == asked.stdout


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(home: dict[str, str], tmp_path: Path) -> None:
    file, out = tmp_path / "why.toml", tmp_path / "out"
    file.write_text(
        'question = "Why?"\ngame = "gong-zhu"\ndeals = 5000\nmeasures = ["binds"]\nsample = 5000\nanswer = "binds"\n'
        '[[arms]]\nname = "a"\n[[arms]]\nname = "b"\noptions = { exposed_singleton_lead = true }\n',
        "utf-8",
    )
    command = [*TEFUDA, "run", str(file), "-o", str(out), "--processes", "2"]
    process = subprocess.Popen(command, env=home, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts)
    while len(list(out.glob("parts/*.deals.parquet"))) < 3:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert any(line.endswith(f"tefuda lab run {file} -o {out} --processes 2") for line in said.splitlines())
    assert "Traceback" not in said
    kept = open_run(out).done()
    assert kept >= 12
    again = lab(home, "run", str(file), "-o", str(out), "--deals", str(kept), "--processes", "1")
    assert re.search(rf"\b0 deals in [\d.]+ s; with those kept, {kept:,}\.", again.stderr)
    assert json.loads((out / "run.json").read_text("utf-8"))["deals"] == kept


@pytest.mark.slow
def test_a_plan_plays_a_pilot_and_no_more(home: dict[str, str], tmp_path: Path) -> None:
    words = [
        "compare",
        "gong-zhu",
        "exposing=false",
        "--bot",
        "random",
        "--processes",
        "1",
        "-o",
        str(tmp_path / "out"),
    ]
    planned = lab(home, *words, "--plan", "--lang", "ja")
    assert planned.returncode == 0, planned.stderr
    assert planned.stdout.startswith("計画（試験の200ディールから）：\n")
    assert open_run(tmp_path / "out").done() == 200


def test_bad_input_is_one_line(home: dict[str, str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('question = "?"\ngame = "gong-zhu"\ndeels = 3\n', "utf-8")
    for words, said in (
        (["run", str(bad)], f"tefuda: {bad}: there is no key 'deels'; did you mean 'deals'?\n"),
        (["run", str(tmp_path / "none.toml")], f"tefuda: {tmp_path / 'none.toml'}: No such file or directory\n"),
        (["report", str(tmp_path)], f"tefuda: {tmp_path}: this is not the folder of a run\n"),
    ):
        refused = lab(home, *words)
        assert (refused.returncode, refused.stderr) == (2, said)
