"""Nobody chooses the cards: a house that cheats is caught by what each player's program has kept."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tefuda.cli.verify import verify
from tefuda.engine.errors import TefudaError
from tefuda.server.store import Draft
from tefuda.server.table import commands, events
from tefuda.server.table.callers import Refused
from tefuda.table.receipt import FAULTS, write_receipts
from tefuda.table.receipt_book import Heard, ReceiptBook
from tefuda.table.shuffle import ChainError, contradiction, read_chain
from tests.server.cheating_house import ANN, BEN, House, ground, honest, late, older, replaced

Cheat = Callable[[list[Draft]], list[Draft]]

CHEATS = [(ground, "commitment"), (late, "seals"), (replaced, "entropy"), (older, "seals")]


def told(fault: str, seat: int = 0) -> str:
    return FAULTS[fault].format(seat=seat)


@pytest.fixture
def house() -> House:
    """A house that has dealt honestly, and closed the table so that its secrets are shown."""
    house = House()
    house.deal()
    house.close()
    return house


def files(house: House, cheat: Cheat, folder: Path) -> tuple[Path, Path, Path]:
    """The record that the house shows, Ann's receipts, and the chain that somebody kept."""
    record, receipts, chain = folder / "t.tfd", folder / "ann.receipts", folder / "chain.json"
    record.write_text(house.rewritten(cheat), "utf-8")
    write_receipts(receipts, list(house.books[ANN].receipts.values()))
    chain.write_text(json.dumps(house.table.chain.entries), "utf-8")
    return record, receipts, chain


def test_an_honest_deal_agrees_with_every_receipt(house: House) -> None:
    assert [house.faults(caller, house.rewritten(honest)) for caller in (ANN, BEN)] == [[], []]
    assert [bool(part) for part in house.table.proofs[0].entropy] == [True, True, False, False]
    assert all(heard == Heard(heard.deal) for caller in (ANN, BEN) for heard in house.heard[caller])


@pytest.mark.parametrize(("cheat", "fault"), CHEATS)
def test_what_the_house_changes_afterwards_is_caught_by_the_client(house: House, cheat: Cheat, fault: str) -> None:
    assert told(fault) in house.faults(ANN, house.rewritten(cheat))


@pytest.mark.parametrize(("cheat", "fault"), CHEATS)
def test_what_the_house_changes_afterwards_is_caught_by_verify(
    house: House, cheat: Cheat, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a receipt, and with the chain that anybody may keep; without either verify says what it cannot know."""
    record, receipts, chain = files(house, cheat, tmp_path)
    with pytest.raises(TefudaError, match="not fair") as caught:
        verify(record, [], receipts)
    assert told(fault) in str(caught.value)
    if cheat is not older:
        with pytest.raises(TefudaError, match="not fair"):
            verify(record, [], None, chain)
    verify(record, [])
    out = capsys.readouterr().out
    assert "deal 1: consistent" in out
    assert ": fair" not in out
    assert "Consistent is not fair" in out


def test_verify_says_what_each_keepsake_shows(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, receipts, chain = files(house, honest, tmp_path)
    kept = next(iter(house.books[ANN].receipts.values())).commitment
    verify(record, [], receipts)
    out = capsys.readouterr().out
    assert "deal 1: fair, 2 of 4 seats added entropy in attempt 1; the receipt of seat 0 agrees" in out
    verify(record, [], None, chain)
    assert "if one of seats [0, 1] is not the server's own: the chain fixed their seals" in capsys.readouterr().out
    verify(record, [kept])
    assert "when, only a receipt or a chain can show" in capsys.readouterr().out


def test_a_commitment_that_was_kept_catches_a_ground_secret(house: House, tmp_path: Path) -> None:
    record, _, _ = files(house, ground, tmp_path)
    kept = next(iter(house.books[ANN].receipts.values())).commitment
    with pytest.raises(TefudaError, match="no deal of"):
        verify(record, [kept])


def test_a_deck_to_which_no_seat_added_is_never_called_fair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(seats=())
    house.deal()
    house.close()
    (tmp_path / "t.tfd").write_text(house.rewritten(honest), "utf-8")
    verify(tmp_path / "t.tfd", [house.table.proofs[0].commitment.hex()])
    out = capsys.readouterr().out
    assert "consistent, 0 of 4 seats added entropy in attempt 1: the server alone made the deck" in out


def test_no_entropy_is_shown_before_the_list_of_seals_is_closed() -> None:
    house = House()
    house.commit()
    assert house.answer(ANN) == "ready"
    assert house.answer(ANN) is None
    assert house.table.waited_for() == [1]
    assert house.seen_by(BEN)["shuffle"]["seals"] is None
    own = next(iter(house.books[ANN].receipts.values())).entropy
    with pytest.raises(Refused, match="no_shuffle"):
        house.order(commands.reveal, ANN, deal=1, entropy=own)
    house.answer(BEN)
    house.do(events.close_seals(house.table))
    assert house.table.waited_for() == [0, 1]
    with pytest.raises(Refused, match="not_sealed"):
        house.order(commands.reveal, ANN, deal=1, entropy="00" * 16)
    assert (house.answer(ANN), house.answer(BEN)) == ("reveal", "reveal")
    house.do(events.deal(house.table))
    assert house.table.proofs[0].entropy[0].hex() == own


def test_a_seal_that_is_left_out_is_noticed_and_nothing_is_revealed() -> None:
    house = House()
    house.commit()
    house.answer(ANN)
    house.answer(BEN)
    assert house.table.shuffle is not None
    del house.table.shuffle.seals[0]
    house.do(events.close_seals(house.table))
    assert house.answer(ANN) is None
    assert house.books[ANN].receipts["t/1", 1].faults == ["left_out"]


def test_a_seat_that_does_not_reveal_is_named_and_the_rest_shuffle_again() -> None:
    """The commitment stays; whoever did not reveal takes no further part, so they can stop one shuffle and no more."""
    house = House()
    house.seal()
    commitment = house.seen_by(ANN)["shuffle"]["commitment"]
    first = house.books[ANN].receipts["t/1", 1].entropy
    house.answer(ANN)
    house.do(events.name_unrevealed(house.table))
    shown = house.seen_by(ANN)["shuffle"]
    assert (shown["attempt"], shown["unrevealed"], shown["commitment"]) == (2, [1], commitment)
    assert house.table.chairs[1].absent
    assert house.answer(ANN) == "ready"
    assert house.answer(BEN) is None
    house.do(events.close_seals(house.table))
    house.answer(ANN)
    house.do(events.deal(house.table))
    house.close()
    proof = house.table.proofs[0]
    assert (proof.attempt, [bool(part) for part in proof.entropy]) == (2, [True, False, False, False])
    assert proof.entropy[0].hex() != first
    assert house.faults(ANN, house.rewritten(honest)) == []
    assert house.books[ANN].receipts["t/1", 1].named == [1]


def test_a_seat_that_is_named_though_it_revealed_knows_it() -> None:
    house = House()
    house.seal()
    house.answer(ANN)
    assert house.table.shuffle is not None
    del house.table.shuffle.entropy[0]
    house.do(events.name_unrevealed(house.table))
    assert "named" in house.books[ANN].receipts["t/1", 1].faults


Lie = Callable[[dict[str, Any]], None]
"""Changes what the house shows of a shuffle."""


def exchanged(shown: dict[str, Any]) -> None:
    if shown["seals"]:
        shown["commitment"] = "00" * 32


def swapped(shown: dict[str, Any]) -> None:
    if shown["seals"]:
        shown["seals"][0], shown["seals"][1] = shown["seals"][1], shown["seals"][0]


def closed_again(shown: dict[str, Any]) -> None:
    if any(shown["revealed"]):
        shown["seals"][3] = "11" * 32


def reopened(shown: dict[str, Any]) -> None:
    if any(shown["revealed"]):
        shown["seals"] = None


def begun_again(shown: dict[str, Any]) -> None:
    if any(shown["revealed"]):
        shown |= {"attempt": 2, "seals": None, "revealed": [False] * 4}


def named_without_a_seal(shown: dict[str, Any]) -> None:
    if any(shown["revealed"]):
        shown |= {"attempt": 2, "seals": None, "revealed": [False] * 4, "unrevealed": [3]}


def named_too_early(shown: dict[str, Any]) -> None:
    if shown["ready"][0]:
        shown |= {"attempt": 2, "ready": [False] * 4, "unrevealed": [0]}


def named_in_the_same_attempt(shown: dict[str, Any]) -> None:
    if shown["seals"]:
        shown["unrevealed"] = [1]


def jumped(shown: dict[str, Any]) -> None:
    if any(shown["revealed"]):
        shown |= {"attempt": 3, "seals": None, "revealed": [False] * 4, "unrevealed": [1]}


def downgraded(shown: dict[str, Any]) -> None:
    if shown["ready"][0]:
        for key in ("attempt", "seals", "revealed", "unrevealed", "link"):
            del shown[key]


def damaged(shown: dict[str, Any]) -> None:
    if shown["ready"][0]:
        shown["attempt"] = 1e400


@pytest.mark.parametrize(
    ("lie", "fault"),
    [
        (exchanged, "commitment"),
        (swapped, "left_out"),
        (closed_again, "seals"),
        (reopened, "seals"),
        (begun_again, "steps"),
        (named_without_a_seal, "wrongly"),
        (named_too_early, "wrongly"),
        (named_in_the_same_attempt, "steps"),
        (jumped, "steps"),
        (downgraded, ""),
        (damaged, ""),
    ],
)
def test_what_cannot_be_in_an_honest_shuffle_is_said_as_soon_as_it_is_shown(lie: Lie, fault: str) -> None:
    house = House()

    def shown(state: dict[str, Any]) -> dict[str, Any]:
        if state["shuffle"] and state["you"]["seat"] == 0:
            lie(state["shuffle"])
        return state

    house.lie = shown
    with suppress(TefudaError):  # the honest part of the house waits for the entropy that is now kept back
        house.deal()
    faults = [each for heard in house.heard[ANN] for each in heard.faults]
    assert (told(fault) if fault else "cannot be read") in " ".join(faults)
    assert [each for heard in house.heard[BEN] for each in heard.faults] == []


@pytest.mark.parametrize("seats", [[], [3], [1, 3]])
def test_a_house_cannot_shuffle_again_without_a_seat_that_could_stop_the_shuffle(seats: list[int]) -> None:
    house = House()
    house.seal()
    house.do([Draft("unrevealed", {"seats": seats})])
    assert house.heard[ANN][-1].faults
    assert house.answer(ANN) is None


def test_a_seat_that_was_named_takes_no_further_part() -> None:
    """Else the same seat could stop one shuffle after the other."""
    house = House()
    house.seal()
    house.answer(ANN)
    house.do(events.name_unrevealed(house.table))
    house.answer(ANN)
    house.do([Draft("sealed", {"seat": 1, "seal": "22" * 32}), *events.close_seals(house.table)])
    assert told("steps") in house.heard[ANN][-1].faults


def test_two_seats_that_stop_the_same_shuffle_have_it_begun_again_once() -> None:
    house = House()
    house.seal()
    house.do(events.name_unrevealed(house.table))
    assert house.table.shuffle is not None
    assert (house.table.shuffle.attempt, house.table.shuffle.unrevealed) == (2, [0, 1])
    assert not house.heard[ANN][-1].faults
    house.do(events.close_seals(house.table))
    assert "nothing that this program sealed is in it" in house.heard[ANN][-1].unproven


def test_a_shuffle_that_is_never_shown_is_said_at_once() -> None:
    house = House()

    def silent(state: dict[str, Any]) -> dict[str, Any]:
        return {**state, "shuffle": None}

    house.lie = silent
    house.deal()
    assert [heard.unproven for heard in house.heard[ANN] if heard.unproven] == [
        "the server showed no shuffle to take part in"
    ]


def test_a_deal_that_is_dealt_without_what_was_sealed_is_said_at_once() -> None:
    house = House()
    house.seal()
    house.do(events.deal(house.table))
    assert told("unasked") in house.heard[ANN][-1].faults


def test_more_attempts_than_seats_that_stopped_one_are_no_proof() -> None:
    """Even for somebody who has nothing but the record."""
    house = House()
    house.seal()
    for _ in range(5):
        house.do([Draft("unrevealed", {"seats": []}), *events.close_seals(house.table)[:1]])
    house.do(events.deal(house.table))
    house.close()
    with pytest.raises(TefudaError, match="attempt 6: too few seats"):
        house.faults(ANN, house.rewritten(honest))
    assert "nobody is said to have stopped" in (contradiction(house.table.chain.entries, house.table.proofs[0]) or "")


def test_a_chain_without_the_link_that_was_shown_is_caught(house: House) -> None:
    other = House()
    other.deal()
    receipt, proof = house.books[ANN].receipts["t/1", 1], house.table.proofs[0]
    assert contradiction(house.table.chain.entries, proof, receipt.link) is None
    assert contradiction(other.table.chain.entries, proof, receipt.link) is not None


def test_another_shuffle_than_the_one_that_was_shown_is_caught() -> None:
    """The house pretends that Ben did not reveal, and shows Ann nothing of it."""
    house = House()
    house.seal()
    house.answer(ANN)
    house.answer(BEN)
    book = house.books.pop(ANN)
    house.do(events.name_unrevealed(house.table))
    house.do(events.close_seals(house.table))
    house.close()
    house.books[ANN] = book
    assert told("attempt") in house.faults(ANN, house.rewritten(honest))


def test_other_cards_than_those_of_the_deck_are_caught(house: House) -> None:
    receipt = house.books[ANN].receipts["t/1", 1]
    assert receipt.hand is not None
    receipt.hand = [*receipt.hand[1:], "S2" if "S2" not in receipt.hand else "S3"]
    assert house.faults(ANN, house.rewritten(honest)) == [told("hand")]


@pytest.mark.parametrize("change", ["commitment", "link", "order", "left out"])
def test_a_chain_that_was_changed_is_found_out(house: House, change: str) -> None:
    entries: list[Any] = json.loads(json.dumps(house.table.chain.entries))
    assert read_chain(entries) == house.table.chain.entries
    if change in ("commitment", "link"):
        entries[0][change] = "00" * 32
    elif change == "order":
        entries.reverse()
    else:
        del entries[0]
    with pytest.raises(ChainError, match="does not follow"):
        read_chain(entries)


def test_a_program_that_knows_no_seals_goes_on_working(house: House) -> None:
    old = House()
    old.commit()
    old.order(commands.ready, ANN, deal=1, entropy="5f1c")
    assert old.seen_by(BEN)["shuffle"]["ready"] == [True, False, False, False]
    old.answer(BEN)
    old.do(events.close_seals(old.table))
    old.answer(BEN)
    old.do(events.deal(old.table))
    assert old.table.proofs[0].entropy[0] == b"\x5f\x1c"
    old.close()
    assert old.faults(BEN, old.rewritten(honest)) == []


def test_receipts_outlast_the_program(tmp_path: Path) -> None:
    house = House()
    house.books[ANN] = ReceiptBook(tmp_path / "receipts")
    house.seal()
    house.books[ANN] = ReceiptBook(tmp_path / "receipts")  # started again between seal and reveal
    assert house.answer(ANN) == "reveal"
    (tmp_path / "receipts").write_text("{}", "utf-8")
    with pytest.raises(TefudaError, match="not a file of receipts"):
        ReceiptBook(tmp_path / "receipts")


def test_a_shuffle_that_an_older_version_began_is_finished_by_the_new_protocol() -> None:
    """What somebody has shown to the older version does not count."""
    house = House()
    body = {**events.commit(house.table, bytes(32))[0].body}
    del body["protocol"]
    house.do([Draft("committed", body), Draft("entropy", {"seat": 1, "entropy": "5f1c"})])
    assert (house.answer(ANN), house.answer(BEN)) == ("ready", "ready")
    house.do(events.close_seals(house.table))
    assert (house.answer(ANN), house.answer(BEN)) == ("reveal", "reveal")
    house.do(events.deal(house.table))
    house.close()
    assert [house.faults(caller, house.rewritten(honest)) for caller in (ANN, BEN)] == [[], []]
