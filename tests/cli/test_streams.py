"""Standard streams as they come: closed, a pipe, or a console that cannot write every character."""

import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from tests.cli.command import run

from tefuda.cli import standard_streams
from tefuda.cli.chosen import language_of
from tefuda.engine.errors import TefudaError

TEFUDA = f"'{sys.executable}' -m tefuda"


@pytest.mark.parametrize(("encoding", "bars"), [("cp1252", "·"), ("cp437", "·"), ("gbk", "·"), ("ascii", "*")])
def test_no_sign_of_a_score_is_lost_where_it_cannot_be_written(encoding: str, bars: str) -> None:
    standard_streams.set_up()
    file = TextIOWrapper(BytesIO(), encoding, errors="stand-in")
    file.write("−960 · 3–4 × ♠SQ ± 2 … Mǎ Diào")
    file.flush()
    written = file.buffer.getvalue().decode(encoding)
    assert "?" not in written
    assert written.startswith(f"-960 {bars} 3")
    assert written.replace("–", "-").split()[2] == "3-4"
    assert "SQ" in written


@pytest.mark.parametrize("language", ["ja", "zh-Hant", "zh-Hans"])
def test_a_language_that_cannot_be_written_is_refused_if_asked_for_and_else_left_for_english(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), "cp1252"))
    with pytest.raises(TefudaError, match=f"--lang {language}: .*cp1252 cannot show {language}; set PYTHONIOENCODING"):
        language_of(language)
    assert language_of(language, printed=False) == language
    monkeypatch.setenv("TEFUDA_LANG", language)
    assert language_of(None) == "en"
    assert capsys.readouterr().err.count("\n") == 1
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), "utf-8"))
    assert language_of(None) == language


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"LANG": "zh_CN.GB18030"}, "zh-Hans"),
        ({"LANG": "de_DE@euro"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh-Hant"),
        ({"LC_MESSAGES": "zh_TW", "LC_ALL": "C"}, "en"),
        ({"LC_ALL": "C.UTF-8", "TEFUDA_LANG": "ja"}, "ja"),
    ],
)
def test_the_language_of_the_system_is_spoken(
    variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TEFUDA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language_of(None) == language


def test_games_are_listed_in_a_language(home: dict[str, str]) -> None:
    assert "ゴンジュー" in run(home, "games", "--lang", "ja").stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("play gong-zhu --seed 7 <&-", 2),
        ("problems solve gong-zhu <&-", 0),
        ("check missing.toml >&-", 2),
        ("games 2>&-", 0),
    ],
)
def test_a_closed_stream_is_like_an_empty_one(home: dict[str, str], tmp_path: Path, line: str, status: int) -> None:
    """Services and daemons have none (also ``pythonw``)."""
    done = subprocess.run(f"{TEFUDA} {line}", shell=True, env=home, capture_output=True, text=True, cwd=tmp_path)
    assert "Traceback" not in done.stderr
    assert done.returncode == status


@pytest.mark.slow
@pytest.mark.parametrize("command", ["", "play", "lab", "lab compare", "admin", "deck", "serve"])
def test_help_speaks_to_people_and_keeps_its_texts_without_docstrings(command: str, home: dict[str, str]) -> None:
    told = run(home, *command.split(), "--help").stdout
    assert not [sign for sign in ("<", ">=", "...", "−", "{", "(a4)") if sign in told]
    environment = {**os.environ, **home, "PYTHONOPTIMIZE": "2"}
    bare = subprocess.run(f"{TEFUDA} {command} --help", shell=True, env=environment, capture_output=True, text=True)
    assert bare.stdout == told


@pytest.mark.parametrize("group", ["", "lab", "data", "problems", "admin"])
def test_a_group_of_commands_alone_prints_its_help(home: dict[str, str], group: str) -> None:
    alone = run(home, *group.split())
    assert alone.returncode == 0
    assert alone.stdout == run(home, *group.split(), "--help").stdout
