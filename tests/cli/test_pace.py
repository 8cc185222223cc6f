"""The pace at which plays are told."""

import pytest

from tefuda.cli.table_talk import TellingPace
from tefuda.engine.errors import TefudaError


@pytest.mark.parametrize(("text", "seconds"), [("0.7", 0.7), ("0", 0.0), (".5", 0.5), ("Key", None), (" 2 ", 2.0)])
def test_a_pace_is_seconds_or_a_key(text: str, seconds: float | None) -> None:
    assert TellingPace.read(text).seconds == seconds


@pytest.mark.parametrize("text", ["", "fast", "-1", "nan", "inf", "1e3", "61"])
def test_what_is_no_pace_is_one_clear_line(text: str) -> None:
    with pytest.raises(TefudaError, match=r"pace: .* is neither a number of seconds"):
        TellingPace.read(text)
