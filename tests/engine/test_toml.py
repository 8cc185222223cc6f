"""The reader of files that people write: every error names file, place and key, and says what was expected."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tefuda.engine import toml
from tefuda.engine.errors import TefudaError
from tefuda.engine.toml import Table


class FileError(TefudaError):
    """For these tests."""


TEXT = """
name = "a match"
blank = " "
deals = 300
share = 2
open = true
one = "SQ"
list = ["SQ", "HA"]
mixed = ["SQ", 1]
[options]
order = "sequential"
[[step]]
play = 3
"""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT, "utf-8")
    return toml.read(path, FileError)


def test_values_come_with_their_types(table: Table) -> None:
    assert table.text("name") == "a match"
    assert table.number("deals", least=1, most=300) == 300
    assert isinstance(table.value("share", float), float)
    assert table.value("open", bool) is True
    assert table.words("list") == ["SQ", "HA"]
    assert table.words("one", alone=True) == ["SQ"]
    assert table.table("options").text("order") == "sequential"
    assert [step["play"] for step in table.tables("step")] == [3]
    assert dict(table.only(TEXT_KEYS)) == dict(table)


TEXT_KEYS = ("name", "blank", "deals", "share", "open", "one", "list", "mixed", "options", "step")


def test_an_absent_key_gives_its_default(table: Table) -> None:
    assert (table.text("title", ""), table.number("seed", 7), table.words("moves")) == ("", 7, [])
    assert len(table.table("names")) == 0


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda t: t.text("title"), "title is missing"),
        (lambda t: t.text("blank"), "blank: ' ' is empty"),
        (lambda t: t.text("deals"), "deals: 300 is not a text"),
        (lambda t: t.number("open"), "open: True is not a whole number"),
        (lambda t: t.number("deals", least=301), "deals: 300 is below 301"),
        (lambda t: t.number("deals", most=1), "deals: 300 is above 1"),
        (lambda t: t.value("deals", bool), "deals: 300 is not true or false"),
        (lambda t: t.words("one"), "one: 'SQ' is not a list of words"),
        (lambda t: t.words("mixed"), "mixed: ['SQ', 1] is not a list of words"),
        (lambda t: t.table("name"), "name: 'a match' is not a table of keys and values"),
        (lambda t: t.tables("case"), "it has no [[case]]"),
        (lambda t: t.tables("list"), "it has no [[list]]"),
        (lambda t: t.only(["names", "deal"]), "there is no key 'name'; did you mean 'names'?"),
        (lambda t: t.table("options").only(["orders"]), "options: there is no key 'order'; did you mean 'orders'?"),
        (lambda t: t.tables("step")[0].words("play"), "step 1: play: 3 is not a list of words"),
    ],
)
def test_every_error_names_file_place_and_key(table: Table, ask: Callable[[Table], object], told: str) -> None:
    with pytest.raises(FileError) as caught:
        ask(table)
    assert str(caught.value) == f"{table.place}: {told}"


def test_errors_of_others_are_named_once(table: Table) -> None:
    step = table.tables("step")[0]
    with pytest.raises(FileError) as caught, table.errors_named(), step.errors_named("play"):
        raise TefudaError("there is no card 'SX'")
    assert str(caught.value) == f"{table.place}: step 1: play: there is no card 'SX'"


def test_a_table_without_a_place_names_the_key_alone() -> None:
    with pytest.raises(TefudaError, match=r"^deals is missing$"):
        Table({}).number("deals")


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"a = ", "not TOML"), (b"\xff", "not a text file"), (None, "No such file"), (b"[" * 2000, "not TOML")],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "bad.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError) as caught:
        toml.read(path, FileError)
    assert str(caught.value).startswith(f"{path}: {told}")
    assert "\n" not in str(caught.value)
