"""The fair shuffle: the bytes as documented, every order as likely, and a tampered proof always caught."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tefuda.engine.errors import TefudaError
from tefuda.table import shuffle
from tefuda.table.record import Record, RecordError
from tests.table import shuffle_vectors
from tests.table.fair import fair_deal, fair_record


def words_of(key: bytes) -> Any:
    for block in count():
        digest = sha256(b"tefuda/shuffle/1/stream\n" + key + block.to_bytes(8, "big")).digest()
        yield from np.frombuffer(digest, ">u4").tolist()


def test_vectors_have_not_changed() -> None:
    assert json.loads(shuffle_vectors.FILE.read_text()) == shuffle_vectors.vectors()


def test_vectors_follow_from_the_documented_bytes() -> None:
    """Written again from the description alone, as the page or anybody else would."""
    for vector in json.loads(shuffle_vectors.FILE.read_text()):
        bound_to, secret = vector["context"].encode(), bytes.fromhex(vector["secret"])
        assert vector["commitment"] == sha256(b"tefuda/shuffle/1/commitment\n" + bound_to + b"\n" + secret).hexdigest()
        key = b"tefuda/shuffle/1/key\n" + bound_to + b"\n" + secret
        for part in map(bytes.fromhex, vector["entropy"]):
            key += len(part).to_bytes(1, "big") + part
        words, deck = words_of(sha256(key).digest()), sorted(vector["pack"])
        for last in reversed(range(1, len(deck))):
            n = last + 1
            word = next(word for word in words if word < 2**32 // n * n)
            deck[last], deck[word % n] = deck[word % n], deck[last]
        assert (deck, next(words) // 4) == (vector["deck"], vector["chance"])


def test_words_that_would_favour_low_numbers_are_passed_over() -> None:
    words = iter([2**32 - 1, 2**32 - 2, 7])
    assert shuffle._below(words, 2**31 + 1) == 7


def test_every_card_comes_to_every_place_as_often() -> None:
    pack, deals = np.arange(6), 12_000
    places = Counter(
        (place, card)
        for k in range(deals)
        for place, card in enumerate(shuffle.shuffle(pack, b"", sha256(b"%d" % k).digest(), [])[0].tolist())
    )
    expected = deals / 6
    chi_square = sum((places[place, card] - expected) ** 2 / expected for place in range(6) for card in range(6))
    assert chi_square < 60  # 25 degrees of freedom: p = 0.0001


def test_each_seat_changes_the_deck() -> None:
    pack, secret = np.arange(52), bytes(32)
    orders = {
        tuple(shuffle.shuffle(pack, b"", secret, entropy)[0].tolist())
        for entropy in ([b"", b""], [b"a", b""], [b"", b"a"], [b"ab", b""], [b"a", b"b"], [b"", b"ab"])
    }
    assert len(orders) == 6


@pytest.fixture(scope="module")
def text() -> str:
    return fair_deal().record()


def test_a_record_carries_the_proof(text: str) -> None:
    assert [deal.record() for deal in Record.parse(text).verify()] == [text]


def test_a_record_without_a_proof_is_not_fair() -> None:
    deal = fair_deal()
    deal.proof = None
    with pytest.raises(RecordError, match="deal 1: it has no proof"):
        Record.parse(deal.record()).verify()


def test_a_record_without_a_deal_proves_nothing(text: str) -> None:
    with pytest.raises(RecordError, match="no deal"):
        Record.parse(text.splitlines()[0] + "\n").verify()


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_whatever_is_changed_of_a_proof_is_caught(text: str, data: st.DataObject) -> None:
    """One digit of commitment, secret or entropy; the table, the number; a card, the random number, an option."""
    lines = text.splitlines()
    head, deal = json.loads(lines[0]), json.loads(lines[1])
    proof = deal["proof"]

    def other_digit(digits: str) -> str:
        place = data.draw(st.integers(0, len(digits) - 1))
        return (
            digits[:place]
            + data.draw(st.sampled_from("0123456789abcdef".replace(digits[place], "")))
            + digits[place + 1 :]
        )

    seat = data.draw(st.integers(0, 3))
    change = data.draw(
        st.sampled_from(["commitment", "secret", "entropy", "cut", "swap", "table", "number", "deck", "chance", "rule"])
    )
    if change in ("commitment", "secret"):
        proof[change] = other_digit(proof[change])
    elif change == "entropy":
        proof["entropy"][seat] = other_digit(proof["entropy"][seat])
    elif change == "cut":
        proof["entropy"][seat] = proof["entropy"][seat][2:]
    elif change == "swap":
        proof["entropy"][seat], proof["entropy"][seat - 1] = proof["entropy"][seat - 1], proof["entropy"][seat]
    elif change == "table":
        proof["table"] += "x"
    elif change == "number":
        proof["deal"] = 2
    elif change == "deck":
        cards = deal["deck"].split()
        one, two = data.draw(st.lists(st.integers(0, 51), min_size=2, max_size=2, unique=True))
        cards[one], cards[two] = cards[two], cards[one]
        deal["deck"] = " ".join(cards)
    elif change == "chance":
        deal["chance"] ^= 1
    else:
        head["options"] = {"heart_values": "pips"}
    with pytest.raises(RecordError):
        Record.parse("\n".join([json.dumps(head), json.dumps(deal), *lines[2:]])).verify()


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in fair_record().splitlines()]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything that a line of a record says."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from leaves(inner, (*path, key))


def change(value: Any, data: st.DataObject) -> Any:
    """Another value of the same kind, or of another."""
    if isinstance(value, dict):
        return {**value, "extra": 1}
    if isinstance(value, list):
        return data.draw(st.sampled_from([[*value, 0], value[1:]])) if value else [0]
    if isinstance(value, str):
        place = data.draw(st.integers(0, max(0, len(value) - 1)))
        return value[:place] + data.draw(st.sampled_from("0123456789abcdef:SQH ")) + value[place + 1 :]
    return data.draw(st.sampled_from([(value or 0) + 1, (value or 0) - 1, str(value), None if value else 0]))


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_whatever_is_changed_of_a_game_but_names_is_caught(lines: list[dict[str, Any]], data: st.DataObject) -> None:
    """Anything that any line says, a line left out or repeated."""
    tampered = json.loads(json.dumps(lines))
    at = data.draw(st.integers(0, len(lines) - 1))
    what = data.draw(st.sampled_from(["value", "value", "value", "key", "left out", "repeated"]))
    if what in ("value", "key"):
        *way, last = data.draw(st.sampled_from(list(leaves(lines[at]))))
        inner = tampered[at]
        for key in way:
            inner = inner[key]
        if what == "key":
            del inner[last]
        else:
            inner[last] = change(inner[last], data)
        assume("players" not in (*way, last) and last != "seed")
    elif what == "repeated":
        tampered.insert(data.draw(st.integers(0, len(lines))), tampered[at])
    else:
        del tampered[at]
    assume(tampered != lines)
    with suppress(TefudaError):
        assert told(tampered) == told(lines)  # nothing but another spelling of the same


def told(lines: list[dict[str, Any]]) -> list[str]:
    """What a record says, once it is verified."""
    return [deal.record() for deal in Record.parse("\n".join(map(json.dumps, lines)) + "\n").verify()]


@pytest.mark.parametrize(
    ("at", "row", "fault"),
    [
        (0, {"seed": 7}, "its deals come from a seed"),
        (0, {"note": "x"}, "note: not known"),
        (1, {"before": {"totals": [5, 0, 0, 0, 0]}}, "deal 1: it does not begin as a game does"),
        (1, {"fair": True}, "fair: not known"),
        (-1, {"play": "0:SQ"}, "payoff: not known"),
    ],
)
def test_what_a_fair_record_cannot_say_is_refused(
    lines: list[dict[str, Any]], at: int, row: dict[str, Any], fault: str
) -> None:
    tampered = list(lines)
    tampered[at] = {**lines[at], **row}
    with pytest.raises(RecordError, match=fault):
        told(tampered)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"secret": "00"}, "secret: '00' is not 32 bytes in lower-case hexadecimal"),
        ({"secret": 7}, "secret: '7' is not 32 bytes"),
        ({"entropy": ["zz"]}, "entropy: 'zz' is not 0 to 32 bytes"),
        ({"entropy": "00"}, "a proof has table, deal, commitment, secret and entropy"),
        ({"entropy": []}, "entropy of 0 seats at a table of 4"),
    ],
)
def test_what_is_no_proof_is_said_in_one_line(text: str, change: dict[str, Any], told: str) -> None:
    lines = text.splitlines(keepends=True)
    deal = json.loads(lines[1])
    deal["proof"].update(change)
    with pytest.raises(RecordError, match=re.escape(told)) as caught:
        Record.parse("".join([lines[0], json.dumps(deal) + "\n", *lines[2:]]), "game.tfd").verify()
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("game.tfd")
