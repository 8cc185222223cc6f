"""A client for programs that play: open a table or join one, and choose a play whenever it is your turn.

    from tefuda.client import Client

    seat = Client("http://localhost:8000").open("gong-zhu", name="My bot", bots=["hints"] * 3)
    for turn in seat:
        seat.play(turn.choices[0])

A lost connection is made again; a play that may have been lost is sent again, and counts once.
"""

import json
import secrets
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from tefuda.engine.errors import TefudaError
from tefuda.engine.extras import needed_by
from tefuda.table.receipt import ReceiptBook

with needed_by("tefuda.client", "client"):
    import httpx
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import ClientConnection, connect

ANSWER_WITHIN = 120.0
"""Seconds; a server that has just been installed compiles a game before it opens the first table of it."""

PATIENCE = 30.0
"""Seconds during which the client tries to reach a server that it has lost."""

AGAIN = 0.2
"""Seconds between tries."""


class ServerRefused(TefudaError):  # noqa: N818 - an answer
    """The server does not do what the program asked for.

    Attributes:
        code: of the refusal.
        rule: number of the rule that forbids a play, else empty.
    """

    def __init__(self, error: Mapping[str, Any]) -> None:
        self.code, self.rule = str(error.get("code")), str(error.get("rule") or "")
        super().__init__(f"{error.get('text')}" + (f" [{self.rule}]" if self.rule else ""))


class UnfairShuffle(TefudaError):  # noqa: N818 - a finding
    """A deal was not shuffled as the server had shown before it; the message says what differs."""


class Client:
    """A program's way to a server.

    Args:
        url: of the server.
        token: by which the server knows the program, 22 to 64 letters, digits, - and _; a new one by default. With the
            same token the program comes back to its seats.
        language: of reasons and sentences.
        receipts: a file that keeps what was shown before each deal, for ``tefuda verify --receipt``; by default it is
            kept in memory alone, and checked after each deal all the same.
        brief: whether plays and shuffles are told in brief: the states of a deal that goes on then lack the table laid
            out. For programs that keep the table themselves, or need no more than the legal plays.

    Raises:
        TefudaError: the address is not one of http or https, or the file of receipts cannot be read.
    """

    def __init__(
        self,
        url: str = "http://localhost:8000",
        token: str | None = None,
        language: str = "en",
        receipts: str | Path | None = None,
        *,
        brief: bool = False,
    ) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise TefudaError(f"{url}: write it like http://localhost:8000")
        self.url, self.token, self.language = url.rstrip("/"), token or secrets.token_urlsafe(16), language
        self.receipts, self.brief = ReceiptBook(receipts), brief

    def open(self, game: str, **settings: Any) -> "Seat":
        """Open a table; ``settings`` are those of ``POST /api/v1/tables`` (name, bots, options, seats …).

        Raises:
            ServerRefused: the settings are wrong, or the program has opened too many tables.
        """
        made = self.post("tables", {"game": game, **settings}, key=secrets.token_hex(8))
        return Seat(self, made["table"], made["invite"])

    def join(self, table: str, name: str, seat: int | None = None, invite: str | None = None) -> "Seat":
        """Take a seat at a table; the first free one by default.

        Raises:
            ServerRefused: the seat is taken, the table full or by invitation.
        """
        self.post(f"tables/{quote(table)}/join", {"name": name, "seat": seat, "invite": invite})
        return Seat(self, table, invite)

    def get(self, path: str, **query: Any) -> Any:
        """Ask for something under ``/api/v1/``; text where the answer is not JSON.

        Raises:
            ServerRefused: the server does not answer the question.
            TefudaError: the server cannot be reached.
        """
        return self._request("GET", path, query)

    def post(self, path: str, body: Mapping[str, Any] | None = None, key: str | None = None) -> Any:
        """Order something under ``/api/v1/``; an order repeated with the same key is carried out once.

        Raises:
            ServerRefused: the server does not carry it out.
            TefudaError: the server cannot be reached.
        """
        return self._request("POST", path, {}, {"Idempotency-Key": key} if key else {}, json=body or {})

    def _request(
        self, method: str, path: str, query: Mapping[str, Any], headers: Mapping[str, str] | None = None, **sent: Any
    ) -> Any:
        try:
            answer = httpx.request(
                method,
                f"{self.url}/api/v1/{path}",
                params={**query, "lang": self.language},
                headers={"Authorization": f"Bearer {self.token}", **(headers or {})},
                timeout=ANSWER_WITHIN,
                **sent,
            )
        except httpx.HTTPError as error:
            raise TefudaError(f"{self.url}: {error}") from None
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        if answer.is_error:
            raise ServerRefused(answer.json()["error"] if is_json else {"code": "http", "text": answer.reason_phrase})
        return answer.json() if is_json else answer.text


@dataclass(frozen=True)
class Turn:
    """A decision that the program has to make.

    Attributes:
        state: the table as the server has sent it.
        legal: the legal plays; ``~3`` stands for any three cards face down.
        hand: the cards; of a client that is told of plays in brief, only where throws face down are legal.
        choices: the legal plays, each of which can be played; of throws face down one is drawn.
    """

    state: Mapping[str, Any]
    legal: Sequence[str]
    hand: Sequence[str]

    @property
    def choices(self) -> list[str]:
        return [self._throw(int(word[1:])) if word[0] == "~" and word[1:].isdecimal() else word for word in self.legal]

    def _throw(self, count: int) -> str:
        return "~" + "+".join(Random(self.state["seq"]).sample(list(self.hand), count))  # noqa: S311 - no secret


class Seat:
    """A table, and this program's seat at it if it has one. Iterating goes through the program's turns.

    Args:
        client: with its token.
        table: name of the table.
        invite: for others who are to join.

    Attributes:
        state: the latest that the server has sent.
    """

    def __init__(self, client: Client, table: str, invite: str | None = None) -> None:
        self.client, self.table, self.invite = client, table, invite
        self.state: dict[str, Any] = {}
        self._socket: ClientConnection | None = None
        self._sockets = ExitStack()
        self._coming: deque[dict[str, Any]] = deque()
        self._answered: set[tuple[Any, ...]] = set()
        self._checked: set[tuple[str, int]] = set()

    def __iter__(self) -> Iterator[Turn]:
        """The turns until the game is over; the client agrees to every next deal, takes part in its shuffle, and checks
        it after the deal.

        Raises:
            UnfairShuffle: a deal was not shuffled as the server had shown before it.
        """
        try:
            for state in self.states():
                self._take_part(state)
                if state["phase"] in ("over", "closed"):
                    return
                if state["deal"] and state["deal"]["legal"] and not state["deal"]["answered"]:
                    yield Turn(state, state["deal"]["legal"], _hand(state["deal"]))
        finally:
            self.close()

    def states(self) -> Iterator[dict[str, Any]]:
        """Every state of the table, as it comes.

        Raises:
            ServerRefused: there is no such table, or the program sends too much.
            TefudaError: the server cannot be reached.
        """
        while True:
            message = self._coming.popleft() if self._coming else self._receive()
            if message["type"] in ("state", "plays", "shuffle") and message["seq"] >= self.state.get("seq", 0):
                self.state = self._completed(message)
                self.client.receipts.hear(self.state)
                if not self._coming:  # of several that have come the last counts
                    yield self.state
            elif message["type"] == "refused" and message["id"] is None:
                raise ServerRefused(message["error"])

    def _completed(self, message: dict[str, Any]) -> dict[str, Any]:
        """A message with what it leaves out because it is as it was."""
        if message["type"] == "plays":
            return {**self.state, **message, "type": "state", "deal": {**message["deal"], "over": False}}
        if message["type"] == "shuffle":
            return {**self.state, **message, "type": "state"}
        return message if "results" in message else {**message, "results": self.state["results"]}

    def play(self, word: str) -> None:
        """Make a play.

        Raises:
            ServerRefused: it is illegal, and why.
        """
        self._order({"type": "play", "play": word})

    def why_not(self, word: str) -> dict[str, str] | None:
        """The reason why a play is illegal now (``rule``, ``reason``, ``text``); None if it is legal.

        Raises:
            ServerRefused: the program has no seat, there is no deal, or the word is not a play.
        """
        reason: dict[str, str] | None = self._order({"type": "why", "play": word})["reason"]
        return reason

    def record(self) -> str:
        """The record (.tfd) of the deals that may be shown.

        Raises:
            ServerRefused: it is not for this program.
        """
        text: str = self.client.get(f"tables/{self.table}/record")
        return text

    def close(self) -> None:
        """Close the connection; iterating opens it again."""
        self._socket = None
        with suppress(WebSocketException, OSError):
            self._sockets.close()

    def check(self) -> list[int]:
        """Check the shuffles of all deals of this session whose secrets have been shown.

        Returns:
            the numbers of the deals that agree with the receipts.

        Raises:
            UnfairShuffle: one does not.
        """
        agree, book = list[int](), self.client.receipts
        for proof in self.client.get(f"tables/{quote(self.table)}/proofs"):
            faults = book.check(proof)
            if faults:
                raise UnfairShuffle(f"deal {proof['deal']} of table {proof['table']}: {'; '.join(faults)}")
            if faults is not None:
                agree.append(proof["deal"])
            self._checked.add((proof["table"], proof["deal"]))
        return agree

    def _take_part(self, state: Mapping[str, Any]) -> None:
        """Take part in the shuffle that is pending, and check those that are over."""
        book, pending, deal = self.client.receipts, state["shuffle"], state["deal"]
        if deal and (deal["over"] or state["phase"] == "closed"):
            self._check_dealt(state, f"{state['table']}/{state['session']}", deal["number"])
        if pending is not None:
            answer = book.answer(state)
            step = (state["session"], pending["deal"], pending.get("attempt"), answer and answer["type"])
            if answer is not None and step not in self._answered:
                self._answered.add(step)
                with suppress(ServerRefused):  # the list was closed in the meantime; the receipt says what that means
                    self._order(answer)

    def _check_dealt(self, state: Mapping[str, Any], table: str, number: int) -> None:
        is_done = state["phase"] in ("over", "closed")
        dealt = {key for key in self.client.receipts.receipts if key[0] == table and key[1] <= number}
        step = (table, number, is_done)
        if step in self._answered or dealt <= self._checked:
            return
        self._answered.add(step)
        self.check()
        if is_done and not dealt <= self._checked:
            withheld = min(dealt - self._checked)[1]
            raise UnfairShuffle(f"deal {withheld} of table {table}: the server has not shown its secret")

    def _order(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send an order until it is answered."""
        message = {**message, "id": secrets.token_hex(8)}
        sent_on = None
        while True:
            socket = self._open()
            if sent_on is not socket:
                sent_on = socket
                self._send(socket, message)
            answer = self._receive()
            if answer.get("id") != message["id"]:
                self._coming.append(answer)
            elif answer["type"] == "refused":
                raise ServerRefused(answer["error"])
            else:
                return answer

    def _send(self, socket: ClientConnection, message: Mapping[str, Any]) -> None:
        try:
            socket.send(json.dumps(message))
        except (WebSocketException, OSError):
            self.close()

    def _receive(self) -> dict[str, Any]:
        until = None
        while True:
            try:
                message: dict[str, Any] = json.loads(self._open().recv())
                return message
            except (WebSocketException, OSError) as error:
                self.close()
                until = until or time.monotonic() + PATIENCE
                if time.monotonic() > until:  # a server that answers, but not about this table
                    raise TefudaError(f"{self.client.url}: {error}") from error
                time.sleep(AGAIN)

    def _open(self) -> ClientConnection:
        """The socket; opened again where it has been lost."""
        if self._socket is None:
            scheme, rest = self.client.url.split("://", 1)
            wanted = {"lang": self.client.language, "lean": 1, "brief": int(self.client.brief)}
            query = urlencode({**wanted, "after": self.state.get("seq", "")})
            url = f"{'wss' if scheme == 'https' else 'ws'}://{rest}/api/v1/tables/{quote(self.table)}/socket?{query}"
            until = time.monotonic() + PATIENCE
            while self._socket is None:
                try:
                    headers = {"Authorization": f"Bearer {self.client.token}"}
                    socket = connect(url, additional_headers=headers, compression=None)
                    self._socket = self._sockets.enter_context(socket)
                except (WebSocketException, OSError) as error:
                    if time.monotonic() > until:
                        raise TefudaError(f"{self.client.url}: {error}") from error
                    time.sleep(AGAIN)
        return self._socket


def _hand(deal: Mapping[str, Any]) -> list[str]:
    """The program's cards, as far as it has been told of them."""
    if "scene" not in deal:
        return list(deal["hand"])
    return [card for group in deal["scene"]["hand"] for card in group["cards"]]
