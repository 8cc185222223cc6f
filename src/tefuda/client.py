"""A client for programs that play: open a table or join one, and choose a play whenever it is your turn.

    from tefuda.client import Client

    seat = Client("http://localhost:8000").open("gong-zhu", name="My bot", bots=["hints"] * 3)
    for turn in seat:
        seat.play(turn.choices[0])

A lost connection is made again; a play that may have been lost is sent again, and counts once."""

import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from tefuda import games
from tefuda.engine import files
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.receipt import Receipt
from tefuda.table.receipt_book import ReceiptBook, State, name_of
from tefuda.table.record import Record, RecordError
from tefuda.table.shuffle import ChainError, contradiction, read_chain

with needed_by("tefuda.client", "client"):
    import httpx
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import ClientConnection, connect

    from tefuda.table.head_log import PAGE, Head, SeenLog

ANSWER_WITHIN = 120.0
"""Seconds; a server that has just been installed compiles a game before it opens the first table of it."""

PATIENCE = 30.0
"""Seconds during which the client tries to reach a server that it has lost."""

AGAIN = 0.2
"""Seconds between tries."""

Result = TypeVar("Result")

Message = dict[str, Any]
"""A message of the server, as JSON has it."""

TABLE = ("state", "plays", "shuffle")
"""Types of the messages that show a table."""


class ServerRefused(TefudaError):  # noqa: N818 - an answer
    """The server does not do what the program asked for.

    Attributes:
        code: of the refusal.
        rule: number of the rule that forbids a play, else empty.
    """

    def __init__(self, error: State) -> None:
        self.code, self.rule = str(error.get("code")), str(error.get("rule") or "")
        super().__init__(f"{error.get('text')}" + (f" [{self.rule}]" if self.rule else ""))


class UnfairShuffle(TefudaError):  # noqa: N818 - a finding
    """A deal was not shuffled as the protocol says, or that cannot be known: nothing of this program's is in it."""


class Client:
    """A program's way to a server. ``TefudaError`` if the address is not one of http or https, or the file of receipts
    cannot be read.

    Args:
        url: of the server.
        token: by which the server knows the program, 22 to 64 letters, digits, - and _; a new one by default. With the
            same token the program comes back to its seats.
        language: of reasons and sentences.
        receipts: a file that keeps what was shown before each deal, for ``tefuda verify --receipt``, and ``FILE.heads``
            beside it for the log of all tables; by default memory alone keeps them. Deals are checked all the same.
        brief: have plays and shuffles told in brief: the states of a deal that goes on then lack the table laid out.
            For programs that keep the table themselves, or need no more than the legal plays.
        allow_unproven: play on where the server may have chosen the cards, since nothing of this program's is in the
            deal: it came in the middle or too late, has lost its receipts, plays the deal of a day, by rules that are
            not installed here, or on a server older than 0.3. ``Seat.unproven`` tells of which deals. Without it such a
            deal raises ``UnfairShuffle``, as a deal always does that contradicts what was shown.
    """

    def __init__(
        self,
        url: str = "http://localhost:8000",
        token: str | None = None,
        language: str = "en",
        receipts: str | Path | None = None,
        *,
        brief: bool = False,
        allow_unproven: bool = False,
    ) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise TefudaError(f"{url}: write it like http://localhost:8000")
        self.url, self.token, self.language = url.rstrip("/"), token or secrets.token_urlsafe(16), language
        self.receipts, self.brief, self.allow_unproven = ReceiptBook(receipts), brief, allow_unproven
        self._log = SeenLog(self.receipts.path, self.url)

    def open(self, game: str, **settings: Any) -> "Seat":
        """Open a table; ``settings`` are those of ``POST /api/v1/tables`` (name, bots, options, seats …).
        ``ServerRefused`` if the settings are wrong, or the program has opened too many tables."""
        made = self.post("tables", {"game": game, **settings}, key=secrets.token_hex(8))
        with _understood(self.url):
            return Seat(self, made["table"], made["invite"], wanted={"game": game, **settings})

    def join(self, table: str, name: str, seat: int | None = None, invite: str | None = None) -> "Seat":
        """Take a seat at a table; the first free one by default. ``ServerRefused`` if the seat is taken, the table full
        or by invitation."""
        self.post(f"tables/{quote(table)}/join", {"name": name, "seat": seat, "invite": invite})
        return Seat(self, table, invite)

    def get(self, path: str, **query: Any) -> Any:
        """Ask for something under ``/api/v1/``; text where the answer is not JSON. ``ServerRefused`` if the server does
        not answer the question; ``TefudaError`` if it cannot be reached."""
        return self._request("GET", path, query, {})

    def post(self, path: str, body: State | None = None, key: str | None = None) -> Any:
        """Order something under ``/api/v1/``; an order repeated with the same key is carried out once.
        ``ServerRefused`` if the server does not carry it out; ``TefudaError`` if it cannot be reached."""
        return self._request("POST", path, {}, {"Idempotency-Key": key} if key else {}, json=body or {})

    def read_log(self) -> None:
        """Read on in the server's log of all tables, and note the deals in it; the first time see its head alone.
        ``ChainError`` if it is not the log that was seen before; ``ServerRefused`` if the server has none."""
        with _understood(self.url):
            head, entries = Head.read(self.get("chain/head")), list[Message]()
            known = self._log.head or head
            for after in range(known.number, head.number, PAGE):
                entries += self.get("chain", after=after)["entries"]
            heads = self._log.read_on(entries[: head.number - known.number], head)
        for receipt in self.receipts.receipts.values():
            receipt.logged = receipt.logged or receipt.link in heads
        self.receipts.log = head.number
        self.receipts.keep()

    def _request(self, method: str, path: str, query: State, headers: Mapping[str, str], **sent: Any) -> Any:
        url, params = f"{self.url}/api/v1/{path}", {**query, "lang": self.language}
        given = {"Authorization": f"Bearer {self.token}", **headers}
        try:
            answer = httpx.request(method, url, params=params, headers=given, timeout=ANSWER_WITHIN, **sent)
        except httpx.HTTPError as error:
            raise TefudaError(f"{self.url}: {error}") from None
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        with _understood(self.url):
            found: Any = files.load_json(answer.content) if is_json else answer.text
            if answer.is_error:
                raise ServerRefused(found["error"] if is_json else {"code": "http", "text": answer.reason_phrase})
        return found


@contextmanager
def _understood(url: str) -> Iterator[None]:
    """Say in one line that what a server has sent is no message of the interface."""
    try:
        yield
    except TefudaError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError) as error:
        raise TefudaError(f"{url}: the server sent what is no message of Tefuda ({error!r})") from error


@dataclass(frozen=True)
class Turn:
    """A decision that the program has to make.

    Attributes:
        state: the table as the server has sent it.
        legal: the legal plays; ``~3`` stands for any three cards face down.
        hand: the cards; for a brief client, only where throws face down are legal.
    """

    state: State
    legal: Sequence[str]
    hand: Sequence[str]

    @property
    def choices(self) -> list[str]:
        """The legal plays, each of which can be played; of throws face down one is drawn."""
        return [self._throw(int(word[1:])) if word[0] == "~" and word[1:].isdecimal() else word for word in self.legal]

    def _throw(self, count: int) -> str:
        if count > len(self.hand):
            raise TefudaError(f"~{count}: the server asks for more cards than there are in the hand")
        return "~" + "+".join(Random(self.state["seq"]).sample(list(self.hand), count))  # noqa: S311 - no secret


class Seat:
    """A table, and this program's seat at it if it has one. Iterating goes through the program's turns.

    Args:
        client: with its token.
        table: name of the table.
        invite: for others who are to join.
        wanted: the game, and what else was asked for, where the program has opened the table.

    Attributes:
        state: the latest that the server has sent.
        unproven: by number of this session's deals that the server may have chosen, why; see ``Client``.
    """

    def __init__(self, client: Client, table: str, invite: str | None = None, wanted: State | None = None) -> None:
        self.client, self.table, self.invite = client, table, invite
        self.state: Message = {}
        self.unproven: dict[int, str] = {}
        self._wanted = wanted
        self._socket: ClientConnection | None = None
        self._sockets = ExitStack()
        self._coming: deque[Message] = deque()
        self._is_new = True  # messages may have been missed before the next that comes
        self._answered: set[tuple[object, ...]] = set()
        self._checked: set[tuple[str, int]] = set()

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns until the game is over: agree to every next deal, take part in its shuffle, and check both.
        ``UnfairShuffle`` if a deal was not shuffled as the protocol says, or nothing of this program's is in it."""
        try:
            for state in self.states():
                self._take_part(state)
                if state["phase"] in ("over", "closed"):
                    return
                if state["deal"] and state["deal"]["legal"] and not state["deal"]["answered"]:
                    yield Turn(state, state["deal"]["legal"], _hand(state["deal"]))
        finally:
            self.close()

    def states(self) -> Iterator[Message]:
        """Yield every state of the table, as it comes.

        Raises:
            ServerRefused: there is no such table, or the program sends too much.
            UnfairShuffle: what it shows of a shuffle cannot be.
            TefudaError: the server cannot be reached, or sends what is no message.
        """
        while True:
            message = self._coming.popleft() if self._coming else self._receive()
            with _understood(self.client.url):
                if message["type"] == "refused" and message["id"] is None:
                    raise ServerRefused(message["error"])
                if message["type"] not in TABLE or message["seq"] < self.state.get("seq", 0):
                    continue
                self._hear(self._completed(message), resumed=message["resumed"])
            if not self._coming:  # of several that have come the last counts
                yield self.state

    def _hear(self, state: Message, *, resumed: bool) -> None:
        """Take the table as it now stands, and check what it shows of a shuffle."""
        _check_shape(state)
        before, self.state = self.state, state
        for fixed in ("table", "game", "rules", "options"):
            if state[fixed] != (before or {**state, "table": self.table})[fixed]:
                raise UnfairShuffle(f"table {self.table}: the server changed its {fixed} to {state[fixed]!r}")
        if before.get("session") != state["session"]:
            self.unproven = {}
            if state["you"]["seat"] is not None and state["phase"] != "closed":
                self._check_rules(state)
                with suppress(ServerRefused):  # an older server has none
                    self.client.read_log()
        heard = self.client.receipts.hear(state, resumed=resumed)
        if heard.faults:
            raise UnfairShuffle(f"deal {heard.deal} of table {name_of(state)}: {'; '.join(heard.faults)}")
        if heard.unproven:
            self._doubt(heard.deal, heard.unproven)

    def _check_rules(self, state: State) -> None:
        """Check that this installation can deal again what the table plays, and that it is what was asked for."""
        seats, wanted = len(state["seats"]), self._wanted or {"game": state["game"], "options": state["options"]}
        try:
            description = games.description(state["game"]).as_of(state["rules"])
            mine = Game(description, seats, wanted.get("options"))
        except TefudaError as error:
            self._doubt(0, f"this installation cannot deal again: {error}")
            return
        asked = wanted["game"], wanted.get("seats") or seats, mine.changed_options()
        if asked != (state["game"], seats, state["options"]):
            raise UnfairShuffle(f"table {self.table}: the server plays another game than the one that was asked for")

    def _doubt(self, number: int, why: str) -> None:
        """Note that the server may have chosen the cards of a deal; 0 stands for all deals."""
        self.unproven[number] = why
        if not self.client.allow_unproven:
            raise UnfairShuffle(
                f"deal {number} of table {self.table}: the server may have chosen the cards, since {why}; "
                "Client(…, allow_unproven=True) plays all the same"
            )

    def _completed(self, message: Message) -> Message:
        """Add to a message what it leaves out because it is as it was."""
        if message["type"] == "plays":
            message = {**message, "deal": {**message["deal"], "over": False}}
        if message["type"] in ("plays", "shuffle"):
            return {**self.state, **message, "type": "state"}
        return message if "results" in message else {**message, "results": self.state["results"]}

    def play(self, word: str) -> None:
        """Make a play; ``ServerRefused`` if it is illegal, and why."""
        self._order({"type": "play", "play": word})

    def why_not(self, word: str) -> dict[str, str] | None:
        """Ask why a play is illegal now (``rule``, ``reason``, ``text``); None if it is legal. ``ServerRefused`` if the
        program has no seat, there is no deal, or the word is not a play."""
        with _understood(self.client.url):
            reason: dict[str, str] | None = self._order({"type": "why", "play": word})["reason"]
            return reason

    def record(self) -> str:
        """Fetch the record (.tfd) of the deals that may be shown; ``ServerRefused`` if it is not for this program."""
        text: str = self.client.get(f"tables/{self.table}/record")
        return text

    def close(self) -> None:
        """Close the connection; iterating opens it again."""
        self._socket = None
        with suppress(WebSocketException, OSError):
            self._sockets.close()

    def check(self) -> list[int]:
        """Check the deals of this session that may be shown: deal each again by the rules that are installed here, and
        compare it with its receipt and with the table's chain of commitments. Returns the numbers of the deals that
        agree with the receipts, and are not in ``unproven``. ``UnfairShuffle`` if one does not."""
        self.state = self.state or self.client.get(f"tables/{quote(self.table)}")
        table, receipts = name_of(self.state), self.client.receipts.receipts
        agree = list[int]()
        if 0 in self.unproven:
            return agree
        for deal in self._shown_deals():
            receipt = receipts.get((table, deal.proof.deal)) if deal.proof else None
            if receipt is None:
                continue
            faults = receipt.check(deal) or self._check_chain(deal, receipt.link) or self._check_log(receipt)
            if faults:
                raise UnfairShuffle(f"deal {receipt.deal} of table {table}: {'; '.join(faults)}")
            self._checked.add((table, receipt.deal))
            if receipt.added is not False:
                agree.append(receipt.deal)
        return agree

    def _shown_deals(self) -> list[Deal]:
        """Replay this session's record by the rules that are installed here."""
        table = name_of(self.state)
        try:
            text = self.client.get(f"tables/{quote(self.table)}/record", session=self.state["session"])
            saved = Record.parse(text, f"record of table {table}")
            return saved.verify() if saved.deals else []
        except RecordError as error:
            raise UnfairShuffle(str(error)) from error

    def _check_chain(self, deal: Deal, link: str) -> list[str]:
        """Say how the chain contradicts a deal, or lacks the link that was shown before it."""
        assert deal.proof is not None
        try:
            entries = read_chain(self.client.get(f"tables/{quote(self.table)}/commitments"))
        except ChainError as error:
            return [str(error)]
        fault = contradiction(entries, deal.proof, link)
        return [fault] if fault else []

    def _check_log(self, receipt: Receipt) -> list[str]:
        """Say if the server's log of all tables lacks a deal."""
        if receipt.logged or receipt.log is None or not receipt.added:
            return []
        self.client.read_log()
        return [] if receipt.logged else ["the server's log of all tables lacks it"]

    def _take_part(self, state: State) -> None:
        """Take part in the shuffle that is pending, and check those that are over."""
        book, deal = self.client.receipts, state["deal"]
        with _understood(self.client.url):
            if deal and (deal["over"] or state["phase"] == "closed"):
                self._check_dealt(state, name_of(state), deal["number"])
            answer = None if state["phase"] in ("over", "closed") else book.answer(state)
            step = (state["session"], *(answer or {}).values())
            if answer is not None and step not in self._answered:
                self._answered.add(step)
                with suppress(ServerRefused):  # the list was closed in the meantime: the deal will have nothing of ours
                    self._order(answer)
                    book.taken(state, answer)

    def _check_dealt(self, state: State, table: str, number: int) -> None:
        over = ("closed",) if state.get("given", {}).get("kind") == "round" else ("over", "closed")
        is_done = state["phase"] in over  # other tables may still play the deals of a round
        dealt = {key for key in self.client.receipts.receipts if key[0] == table and key[1] <= number}
        step = (table, number, is_done)
        if step in self._answered or dealt <= self._checked or 0 in self.unproven:
            return
        self._answered.add(step)
        self.check()
        if is_done and not dealt <= self._checked:
            withheld = min(dealt - self._checked)[1]
            raise UnfairShuffle(f"deal {withheld} of table {table}: the server has not shown its secret")

    def _order(self, message: Message) -> Message:
        """Send an order until it is answered."""
        message = {**message, "id": secrets.token_hex(8)}
        sent_on = None
        while True:
            socket = self._patiently(self._open)
            if sent_on is not socket:
                sent_on = socket
                self._send(socket, message)
            answer = self._receive()
            # A server names no order where it could not read one, and there is no other but this.
            if answer["type"] == "refused" and answer.get("id") in (None, message["id"]):
                with _understood(self.client.url):
                    raise ServerRefused(answer["error"])
            if answer.get("id") == message["id"]:
                return answer
            self._coming.append(answer)

    def _send(self, socket: ClientConnection, message: State) -> None:
        try:
            socket.send(json.dumps(message))
        except (WebSocketException, OSError):
            self.close()

    def _receive(self) -> Message:
        text = self._patiently(lambda: self._open().recv())
        with _understood(self.client.url):
            message: Message = files.load_json(text)
            if type(message["type"]) is not str:
                raise ValueError("type")
            if message["type"] in TABLE:
                message["resumed"], self._is_new = self._is_new, False
        return message

    def _open(self) -> ClientConnection:
        """Return the socket, opened again where it has been lost."""
        if self._socket is None:
            brief, after = int(self.client.brief), self.state.get("seq", "")
            query = urlencode({"lang": self.client.language, "brief": brief, "after": after})
            server = self.client.url.replace("http", "ws", 1)
            url = f"{server}/api/v1/tables/{quote(self.table)}/socket?{query}"
            headers = {"Authorization": f"Bearer {self.client.token}"}
            self._socket = self._sockets.enter_context(connect(url, additional_headers=headers, compression=None))
            self._is_new = True
        return self._socket

    def _patiently(self, work: Callable[[], Result]) -> Result:
        """Do what needs the connection, again and again where it is lost; ``TefudaError`` if it cannot be had."""
        until = None
        while True:
            try:
                return work()
            except (WebSocketException, OSError) as error:
                self.close()
                until = until or time.monotonic() + PATIENCE
                if time.monotonic() > until:  # of a server that answers, but not about this table, too
                    raise TefudaError(f"{self.client.url}: {error}") from error
                time.sleep(AGAIN)


def _hand(deal: State) -> list[str]:
    """Return the program's cards, as far as it has been told of them."""
    if "scene" not in deal:
        return list(deal["hand"])
    return [card for group in deal["scene"]["hand"] for card in group["cards"]]


def _check_shape(state: State) -> None:
    """Check that a state has what the client reads of it.

    Raises:
        ValueError: it has not.
    """
    deal, seat = state["deal"], state["you"]["seat"]
    numbers = [state["seq"], state["session"], *([] if deal is None else [deal["number"]])]
    if any(type(number) is not int for number in numbers) or type(state["phase"]) is not str:
        raise ValueError("seq, session, number or phase")
    if seat is not None and (type(seat) is not int or not 0 <= seat < len(state["seats"])):
        raise ValueError("seat")
    for event in state["events"]:
        if type(event["seq"]) is not int or type(event["kind"]) is not str:
            raise ValueError("events")
    words = [] if deal is None else [*deal["legal"], *_hand(deal)]
    if not all(type(word) is str and 0 < len(word) <= 200 for word in words):
        raise ValueError("legal or hand")
    if deal is not None and (type(deal["over"]), type(deal["answered"])) != (bool, bool):
        raise ValueError("over or answered")
