"""Records as lines of text and as events, and back: the same record, byte for byte (``examples/record_formats.py``)."""

import json
from pathlib import Path

import pytest

from tefuda import games
from tefuda.table.record import Record
from tests.contract.particulars import TESTS
from tests.golden.regenerate import records_of
from tests.table.fair import fair_record
from tests.test_examples import load

forms = load("record_formats")

RECORDS = sorted(TESTS.glob("*/golden/**/*.tfd"))


def there_and_back(original: Path, folder: Path, ending: str) -> bytes:
    """The record that comes back from another form."""
    forms.main([str(original), str(folder / f"other{ending}")])
    forms.main([str(folder / f"other{ending}"), str(folder / "again.tfd")])
    return (folder / "again.tfd").read_bytes()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: str(path.relative_to(TESTS).with_suffix("")))
def test_lines_of_text_are_the_same_record(path: Path, tmp_path: Path) -> None:
    assert there_and_back(path, tmp_path, ".txt") == path.read_bytes()
    assert len((tmp_path / "other.txt").read_text("utf-8").splitlines()) == len(Record.read(path).deals)


@pytest.mark.parametrize("name", games.names())
def test_events_are_the_same_record(name: str, tmp_path: Path) -> None:
    path = records_of(name) / "default.tfd"
    assert there_and_back(path, tmp_path, ".jsonl") == path.read_bytes()
    events = [json.loads(line) for line in (tmp_path / "other.jsonl").read_text("utf-8").splitlines()]
    assert [event["type"] for event in events[:3]] == ["start_game", "start_deal", "play"]
    assert events[-1] == {"type": "end_game"}
    dealt = Record.read(path).replay().deals[0].at(0)
    assert events[1]["hands"] == [dealt.view(seat).to_dict()["hands"] for seat in range(dealt.game.seats)]


@pytest.mark.parametrize("ending", [".txt", ".jsonl"])
def test_proofs_names_and_a_deal_that_was_broken_off_are_kept(tmp_path: Path, ending: str) -> None:
    text = fair_record().replace("player 0", "Méi 1").splitlines(keepends=True)
    (tmp_path / "fair.tfd").write_text("".join(text[:-9]), "utf-8")
    assert there_and_back(tmp_path / "fair.tfd", tmp_path, ending) == (tmp_path / "fair.tfd").read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.txt", "gong-zhu\n", "a.txt: a line has 13 fields, with tabs between them"),
        ("a.jsonl", '{"type": "chat"}\n', "a.jsonl: there is no event 'chat'"),
        ("a.jsonl", "[1]\n", "a.jsonl: an event is a JSON object"),
        ("a.jsonl", "{", "a.jsonl: "),
        ("a.jsonl", '{"type": "play"}\n', "a.jsonl, line 1: "),
        ("a.tfd", "", "a.tfd: empty, not a record"),
    ],
)
def test_what_is_no_record_is_named_in_one_line(tmp_path: Path, name: str, content: str, complaint: str) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(SystemExit) as refused:
        forms.main([str(tmp_path / name), str(tmp_path / "b.tfd")])
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "b.tfd").exists()


def test_a_table_s_deals_are_not_mixed_with_another_s(tmp_path: Path) -> None:
    (tmp_path / "a.tfd").write_text(fair_record(), "utf-8")
    forms.main([str(tmp_path / "a.tfd"), str(tmp_path / "a.txt")])
    lines = (tmp_path / "a.txt").read_text("utf-8")
    (tmp_path / "b.txt").write_text(lines + lines.replace("player 0", "somebody else"), "utf-8")
    with pytest.raises(SystemExit, match="deal 1 is of another game or other players than the first"):
        forms.main([str(tmp_path / "b.txt"), str(tmp_path / "b.tfd")])
