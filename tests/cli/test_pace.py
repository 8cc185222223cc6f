"""The pace at which plays are told, on a terminal of its own."""

import os
import pty
import sys
from collections.abc import Iterator
from time import monotonic

import pytest

from tefuda.cli.terminal import TellingPace, pressed_key
from tefuda.engine.errors import TefudaError

LONG = 60.0


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """What is written here is typed."""
    parent, child = pty.openpty()
    with open(child, encoding="utf-8") as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        yield parent
    os.close(parent)


@pytest.mark.parametrize(("text", "seconds"), [("0.7", 0.7), ("0", 0.0), (".5", 0.5), ("Key", None), (" 2 ", 2.0)])
def test_a_pace_is_seconds_or_a_key(text: str, seconds: float | None) -> None:
    assert TellingPace.read(text).seconds == seconds


@pytest.mark.parametrize("text", ["", "fast", "-1", "nan", "inf", "1e3", "61"])
def test_what_is_no_pace_is_one_clear_line(text: str) -> None:
    with pytest.raises(TefudaError, match=r"pace: .* is neither a number of seconds"):
        TellingPace.read(text)


def test_a_key_goes_on_without_enter(keyboard: int) -> None:
    os.write(keyboard, b"x")
    begun = monotonic()
    assert pressed_key(LONG) == "x"
    assert monotonic() - begun < LONG


def test_no_key_is_none(keyboard: int) -> None:
    assert pressed_key(0.01) == ""


def test_space_pauses_until_another_key(keyboard: int) -> None:
    said = []

    def paused() -> None:
        said.append("paused")
        os.write(keyboard, b"\x1b[A")  # an arrow key: several bytes, one key

    os.write(keyboard, b" ")
    TellingPace(LONG).wait(paused)
    assert said == ["paused"]
    assert pressed_key(0.01) == ""


def test_without_a_pace_nothing_is_waited_for() -> None:
    TellingPace(0).wait()
