"""A program at a real server that cheats, and at the end of a line on which somebody changes what the server says."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.sync import client as sync_client

import tefuda.client
from tefuda.client import Client, Seat, ServerRefused, UnfairShuffle
from tefuda.engine.errors import TefudaError
from tests.server.cheating_server import CHEATS
from tests.server.server_process import Served, serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cheating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("cheating")
    db, log = f"sqlite:///{folder / 'tables.db'}", folder / "log"
    with serving(db, log, "--game", "gong-zhu", module="tests.server.cheating_server") as found:
        yield found


def play_and_close(client: Client, name: str) -> Seat:
    """Sit down to a deal, make some plays, and close the table, so that the shuffle's secret is shown."""
    seat = client.open("gong-zhu", name=name, bots=["hints"] * 3)
    for number, turn in enumerate(seat):
        if number < 2:
            seat.play(turn.choices[0])
        elif number == 2:
            client.post(f"tables/{seat.table}/close")
    return seat


@pytest.mark.parametrize(("cheat", "told"), CHEATS.items())
def test_a_program_notices_how_the_server_cheats(cheating: Served, cheat: str, told: str) -> None:
    with pytest.raises(UnfairShuffle) as caught:
        play_and_close(Client(cheating.url), cheat)
    assert told in str(caught.value)


def test_an_honest_table_of_the_same_server_is_fair(cheating: Served) -> None:
    assert play_and_close(Client(cheating.url), "Ann").check() == [1]


Change = Callable[[dict[str, Any]], list[dict[str, Any]]]


class Tap:
    """A socket whose messages somebody changes.

    Args:
        socket: of the client.
        change: what becomes of a message: none, one or several.
    """

    def __init__(self, socket: Any, change: Change) -> None:
        self._socket, self._change, self._coming = socket, change, list[str]()

    def recv(self) -> str:
        while not self._coming:
            told = json.loads(self._socket.recv())
            self._coming = [json.dumps(each) for each in self._change(told)]
        return self._coming.pop(0)

    def send(self, text: str) -> None:
        self._socket.send(text)

    def __enter__(self) -> "Tap":
        self._socket.__enter__()
        return self

    def __exit__(self, *how: Any) -> None:
        self._socket.__exit__(*how)


@pytest.fixture
def tapped(monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], None]:
    """Lets somebody change what comes over sockets."""
    connect = sync_client.connect

    def tap(change: Change) -> None:
        monkeypatch.setattr(tefuda.client, "connect", lambda *given, **named: Tap(connect(*given, **named), change))

    return tap


STEPS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "committed": lambda shown: not shown["ready"][0],
    "sealed": lambda shown: shown["ready"][0] and shown["seals"] is None,
    "closed": lambda shown: shown["seals"] is not None and not shown["revealed"][0],
    "revealed": lambda shown: shown["revealed"][0],
}
"""What a message shows of a shuffle in which one seat takes part."""

OTHERS: dict[str, list[Any]] = {
    "deal": [0, -1, 2, 1 << 64, "1", None, 1.5],
    "commitment": ["00" * 32, "", None, 7],
    "ready": [[], None, "yes"],
    "attempt": [0, 2, 1 << 64, "1", None, True],
    "seals": [["11" * 32] * 4, [""] * 4, [], "", {}, [None] * 4],
    "revealed": [[False, True, False, False], [], None],
    "unrevealed": [[0], [1], [0, 0], [9], [-1], None, ["0"]],
    "link": ["", None, "xx" * 32],
}
"""Other values of each field."""

HARMLESS = {
    *((step, "deal") for step in STEPS),  # nothing is sealed for it, or what is sealed is refused
    ("committed", "revealed"),  # older programs reveal at once
    ("sealed", "revealed"),
}
"""Where a value that is written as it should be may pass, because the next message brings back the true one: the
program then rightly finds that the deal is fair."""


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("field", OTHERS)
def test_a_program_notices_every_change_of_what_is_shown_of_a_shuffle(
    server: Served, tapped: Callable[[Change], None], step: str, field: str
) -> None:
    """Each field left out, and given other values, once, in each step."""
    for change in (None, *OTHERS[field]):
        done = list[bool]()

        def lie(told: dict[str, Any], change: Any = change, done: list[bool] = done) -> list[dict[str, Any]]:
            shown = told.get("shuffle")
            if not done and shown and STEPS[step](shown) and shown[field] != change:
                done.append(True)
                told["shuffle"] = {key: value for key, value in shown.items() if key != field or change is not None}
                told["shuffle"] |= {} if change is None else {field: change}
            return [told]

        tapped(lie)
        try:
            seat = play_and_close(Client(server.url), "Ann")
        except ServerRefused:
            raise
        except TefudaError:
            continue
        assert not done or ((step, field) in HARMLESS and seat.check() == [1]), (step, field, change)


@pytest.mark.parametrize("what", ["hand", "options", "game", "table", "play", "number"])
def test_a_program_notices_every_change_of_what_it_is_shown_of_the_deal(
    server: Served, tapped: Callable[[Change], None], what: str
) -> None:
    done = list[bool]()

    def lie(told: dict[str, Any]) -> list[dict[str, Any]]:
        deal = told.get("deal")
        if done or told["type"] != "state" or not deal or deal["over"]:
            return [told]
        made = [event for event in told["events"] if event["kind"] == "played" and event["seat"] != 0]
        if what == "hand":
            held = [card for group in deal["scene"]["hand"] for card in group["cards"]]
            deal["scene"]["hand"][0]["cards"][0] = next(card for card in ("SQ", "DJ", "HA", "C9") if card not in held)
        elif what == "play" and made:
            made[0]["play"] = "SQ" if made[0].get("play") != "SQ" else "DJ"
        elif what == "number":
            deal["number"] = 2
        elif what != "play":
            told[what] = {} if what == "options" and told[what] else {"target": 1} if what == "options" else "x"
        if what != "play" or made:
            done.append(True)
        return [told]

    tapped(lie)
    with pytest.raises(TefudaError):
        play_and_close(Client(server.url), "Ann")
    assert done


@pytest.mark.parametrize("kept", ["record", "commitments"])
def test_a_program_notices_every_change_of_what_it_is_shown_at_the_end(
    server: Served, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    """Each line of the record, each entry of the chain: left out, repeated, exchanged with the next, changed."""
    client = Client(server.url)
    seat = play_and_close(client, "Ann")
    asked, whole = client.get, client.get(f"tables/{seat.table}/{kept}")
    lines = whole.splitlines() if kept == "record" else [json.dumps(entry) for entry in whole]
    told = list[str]()

    def answer(path: str, **query: Any) -> Any:
        if not path.endswith(kept):
            return asked(path, **query)
        return "\n".join([*told, ""]) if kept == "record" else list(map(json.loads, told))

    monkeypatch.setattr(client, "get", answer)
    told[:] = lines
    assert seat.check() == [1]
    for at, line in enumerate(lines):
        before, after = lines[:at], lines[at + 1 :]
        for changed in (after, [line, line, *after], [*after[:1], line, *after[1:]], [digit_changed(line), *after]):
            told[:] = [*before, *changed]
            if told != lines:
                with pytest.raises(TefudaError):
                    seat.check()


def digit_changed(line: str) -> str:
    """The line with another first digit of its commitment, or another last letter of what it says."""
    mark = '"commitment": "'
    at = line.index(mark) + len(mark) if mark in line else line.rindex('"') - 1
    return line[:at] + ("1" if line[at] != "1" else "2") + line[at + 1 :]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "7", "{", '{"type": 7}', '{"type": "state"}', '{"type": "state", "seq": 1e400}', "\0"],
)
def test_what_is_no_message_is_said_in_one_line(server: Served, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    connect = sync_client.connect

    class Broken(Tap):
        def recv(self) -> str:
            return text

    monkeypatch.setattr(
        tefuda.client, "connect", lambda *given, **named: Broken(connect(*given, **named), lambda told: [told])
    )
    seat = Client(server.url).open("gong-zhu", name="Ann", bots=["hints"] * 3)
    with pytest.raises(TefudaError, match="no message") as caught:
        next(iter(seat))
    assert "\n" not in str(caught.value)
