"""A house that shuffles as it is told to, and then rewrites its log: for tests of what catches it."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from tefuda import games
from tefuda.server.store import Draft, Event
from tefuda.server.table import commands, events, replays, reports, table_messages
from tefuda.server.table.callers import Caller, Refused
from tefuda.server.table.commands import Command, Order
from tefuda.server.table.events import apply
from tefuda.server.table.reports import Perspective
from tefuda.server.table.table_state import TableState
from tefuda.table import shuffle
from tefuda.table.receipt_book import Heard, ReceiptBook
from tefuda.table.record import Record

HOST, ANN, BEN = Caller("guest-host"), Caller(None, "token-ann"), Caller("guest-ben")

GROUND = bytes(31) + b"\1"
"""The secret that a house has found after the entropy was in."""


class House:
    """A table, of Gong Zhu by default, with Ann, Ben and bots.

    Attributes:
        table, events: as they stand.
        books: what the programs of Ann and of Ben keep.
        heard: what each of them has found, message by message.
        lie: what the house makes of a state before it shows it; None for a message that never comes.
    """

    def __init__(self, seats: Sequence[Caller] = (ANN, BEN), game: str = "gong-zhu") -> None:
        self.table, self.events = TableState(), list[Event]()
        self.books = {caller: ReceiptBook() for caller in seats}
        self.heard: dict[Caller, list[Heard]] = {caller: [] for caller in seats}
        self.lie: Callable[[Any], Any] = lambda state: state
        given = {"public": True, "invite": None, "spectators": "public", "clock": 60}
        host = {"guest": HOST.guest, "token": None}
        rules = games.description(game).rules_version
        body = {"table": "t", "game": game, "rules": rules, "seats": 4, "options": {}, "host": host, **given}
        self.do([Draft("created", body)])
        for seat, caller in enumerate(seats):
            self.order(commands.join, caller, name=f"player {seat}")
        self.order(commands.seat_bots, HOST, bot="hints")

    def do(self, drafts: Sequence[Draft]) -> None:
        """Keep events, and show everybody the table."""
        for draft in drafts:
            self.events.append(Event(self.table.seq + 1, 1000 * (self.table.seq + 1), draft.kind, draft.body))
            apply(self.table, self.events[-1])
            for caller, book in self.books.items():
                state = self.seen_by(caller)
                if state is not None:
                    self.heard[caller].append(book.hear(state, resumed=event_is_first(state)))

    def order(self, command: Command[Any], caller: Caller, **arguments: Any) -> None:
        self.do(command(self.table, Order(caller, command.arguments(**arguments), at=self.table.at)))

    def seen_by(self, caller: Caller) -> Any:
        """The state that somebody is shown."""
        event = self.events[-1]
        report: Any = {"seq": event.seq, "at": event.at, "kind": event.kind}
        report |= event.body if event.kind == "played" else {}
        message = table_messages.state_message(self.table, Perspective(self.table.may_see(caller)), [report])
        return self.lie(json.loads(reports.encoded(message)))

    def answer(self, caller: Caller) -> str | None:
        """Let somebody's program do its part; the type of what it sends."""
        state = self.seen_by(caller)
        sent = self.books[caller].answer(state)
        if sent is None:
            return None
        kind = str(sent["type"])
        arguments = {name: value for name, value in sent.items() if name != "type"}
        with suppress(Refused):
            self.order(commands.COMMANDS[kind], caller, **arguments)
            self.books[caller].taken(state, sent)
        return kind

    def faults(self, caller: Caller, record: str) -> list[str]:
        """What somebody's receipt says of a record."""
        found = []
        for deal in Record.parse(record).verify():
            assert deal.proof is not None
            found += self.books[caller].receipts[deal.proof.table, deal.proof.deal].check(deal)
        return found

    def commit(self) -> None:
        self.do(events.commit(self.table, bytes(32)))

    def seal(self) -> None:
        """Commit, and close the list when everybody has sealed."""
        self.commit()
        for caller in self.books:
            self.answer(caller)
        self.do(events.close_seals(self.table))

    def deal(self) -> None:
        """Shuffle and deal as the protocol says."""
        self.seal()
        for caller in self.books:
            self.answer(caller)
        if self.table.shuffle is not None:
            self.do(events.deal(self.table))

    def close(self) -> None:
        self.order(commands.close, HOST)

    def rewritten(self, change: Callable[[list[Draft]], list[Draft]]) -> str:
        """The record that the house shows after it has rewritten its log."""
        table, events = TableState(), list[Event]()
        for draft in change([Draft(event.kind, dict(event.body)) for event in self.events]):
            events.append(Event(table.seq + 1, 1000, draft.kind, draft.body))
            apply(table, events[-1])
        return replays.write_record(events)


def event_is_first(state: Any) -> bool:
    """Whether nothing was shown before."""
    return bool(state["seq"] == 1)


def place(drafts: list[Draft], kind: str) -> int:
    """Where the first event of a kind stands."""
    return next(number for number, draft in enumerate(drafts) if draft.kind == kind)


def honest(drafts: list[Draft]) -> list[Draft]:
    """Nothing is rewritten."""
    return drafts


def sealed_anew(drafts: list[Draft], secret: bytes, entropy: dict[int, bytes]) -> list[Draft]:
    """The shuffle of the first deal with another secret and other entropy, and seals that fit them."""
    at, dealt = place(drafts, "committed"), place(drafts, "dealt")
    table = TableState()
    for number, draft in enumerate(drafts[:at], 1):
        apply(table, Event(number, 1000, draft.kind, draft.body))
    committed = events.commit(table, secret)[0]
    commitment = bytes.fromhex(str(committed.body["commitment"]))
    this_round = shuffle.context(table.game, table.proof_name, 1, 1)
    seals = [
        Draft("sealed", {"seat": seat, "seal": shuffle.seal(this_round, commitment, seat, part).hex()})
        for seat, part in entropy.items()
    ]
    shown = [Draft("entropy", {"seat": seat, "entropy": part.hex()}) for seat, part in entropy.items()]
    return [*drafts[:at], committed, *seals, Draft("closed_seals", {"attempt": 1}), *shown, *drafts[dealt:]]


def own_entropy(drafts: list[Draft]) -> dict[int, bytes]:
    """What the seats have added."""
    return {draft.body["seat"]: bytes.fromhex(draft.body["entropy"]) for draft in drafts if draft.kind == "entropy"}


def ground(drafts: list[Draft]) -> list[Draft]:
    """Another secret, found when all entropy was in, and a commitment that fits it."""
    return sealed_anew(drafts, GROUND, own_entropy(drafts))


def late(drafts: list[Draft]) -> list[Draft]:
    """A bot's entropy, declared when all other entropy was in."""
    return sealed_anew(drafts, bytes(32), {**own_entropy(drafts), 3: b"late"})


def replaced(drafts: list[Draft]) -> list[Draft]:
    """Other entropy in Ann's name."""
    return sealed_anew(drafts, bytes(32), {**own_entropy(drafts), 0: b"not Ann's"})


def older(drafts: list[Draft]) -> list[Draft]:
    """The deal as one of protocol 1, which has no seals."""
    return [draft for draft in drafts if draft.kind not in ("sealed", "closed_seals")]
