"""Files that are kept for others to check say one thing to every reader."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tefuda.cli.verify import verify
from tefuda.engine.errors import TefudaError
from tefuda.table.receipt import Receipt, ReceiptError, read_receipts
from tefuda.table.record import Record, RecordError
from tefuda.table.shuffle import ChainError, CommitmentChain
from tests.table.fair import fair_deal

RECEIPT = json.dumps(asdict(Receipt("t/1", 1, "[]", "00" * 32, 0)))


@pytest.fixture(scope="module")
def text() -> str:
    return fair_deal().record()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"deal": 1,', '"deal": 2, "deal": 1,', "line 2: .*'deal' stands twice"),
        ('"deck": "', '"deck": "S2", "deck": "', "line 2: .*'deck' stands twice"),
        ('"secret":', '"secret": "", "secret":', "line 2: .*'secret' stands twice"),
        ('"seats": 4', '"seats": NaN', "line 1: .*NaN"),
        ('"seed": null}', '"seed": null} {}', "line 1"),
    ],
)
def test_a_record_that_two_readers_could_read_differently_is_refused(text: str, old: str, new: str, told: str) -> None:
    with pytest.raises(RecordError, match=told):
        Record.parse(text.replace(old, new, 1))


@pytest.mark.parametrize("end", ["\0", "x", "\0\n", '{"play": "0:S2"}\0', '{"play": "0:S2"} {"play": "0:S3"}', "[1]"])
def test_nothing_but_the_beginning_of_a_line_may_stand_at_the_end_of_a_record(text: str, end: str) -> None:
    with pytest.raises(RecordError, match="not a line of a record"):
        Record.parse(text + end)


def test_a_record_that_was_cut_short_anywhere_is_read_up_to_there(text: str) -> None:
    head, *_ = text.splitlines(keepends=True)
    for length in range(len(head), len(text)):
        Record.parse(text[:length])


@pytest.mark.parametrize(
    "line",
    [
        RECEIPT.replace('"seat":', '"seat": 1, "seat":'),
        RECEIPT + "\0",
        RECEIPT.replace('"attempt": 1', '"attempt": "1"'),
        RECEIPT.replace('"seals": null', '"seals": [7]'),
        RECEIPT.replace('"seat": 0', '"seat": -1'),
        "[]",
        "{}",
    ],
)
def test_a_receipt_that_is_none_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "mine").write_text(RECEIPT + "\n", "utf-8")
    assert len(read_receipts(tmp_path / "mine")) == 1
    (tmp_path / "mine").write_text(line + "\n", "utf-8")
    with pytest.raises(ReceiptError, match="not a file of receipts"):
        read_receipts(tmp_path / "mine")


@pytest.mark.parametrize(("old", "new"), [('"deal":', '"deal": 2, "deal":'), ("}]", "}]\0"), ("}]", "}] []")])
def test_a_chain_that_is_none_is_refused(tmp_path: Path, text: str, old: str, new: str) -> None:
    chain = CommitmentChain()
    chain.add("committed", table="t1", deal=1, commitment="00" * 32)
    (tmp_path / "t.tfd").write_text(text, "utf-8")
    (tmp_path / "chain").write_text(json.dumps(chain.entries).replace(old, new, 1), "utf-8")
    with pytest.raises(ChainError, match="it is not JSON"):
        verify(tmp_path / "t.tfd", [], None, tmp_path / "chain")
    (tmp_path / "chain").write_text(json.dumps(chain.entries), "utf-8")
    with pytest.raises(TefudaError, match="not fair, or not in"):
        verify(tmp_path / "t.tfd", [], None, tmp_path / "chain")
