"""A mail server in place of the host's: it keeps what it is sent."""

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any, NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.server.server_process import free_port

PATIENCE = 120.0  # seconds until the server must be there: others may compile beside it


class Mailed(NamedTuple):
    """A message, to whom it was sent, and who had signed in for that, by name and password."""

    to: str
    message: EmailMessage
    signed_in: tuple[str, str] | None

    @property
    def text(self) -> str:
        text: str = self.message.get_content()
        return text.replace("\r\n", "\n")

    def link(self, path: str) -> str:
        """The link in it that leads there, without the server's address."""
        (found,) = (line for line in self.text.splitlines() if path in line)
        return found[found.index(path) :]


class MailServer(Controller):
    """The server; ``answer`` is what it says to recipients instead of taking messages, ``tries`` counts them, and
    ``password`` is that of everybody."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            self,
            hostname="127.0.0.1",
            port=free_port(),
            ready_timeout=PATIENCE,
            authenticator=self._sign_in,
            **settings,
        )
        self.answer, self.tries, self.password = "", 0, "geheim"
        self.mailed: queue.SimpleQueue[Mailed] = queue.SimpleQueue()

    def _sign_in(self, _server: object, _session: object, _envelope: object, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        return AuthResult(success=data.password.decode() == self.password, auth_data=data, handled=False)

    async def handle_RCPT(  # noqa: N802 - so the library calls it
        self, _server: object, _session: object, envelope: Any, address: str, _options: object
    ) -> str:
        self.tries += 1
        if not self.answer:
            envelope.rcpt_tos.append(address)
        return self.answer or "250 OK"

    async def handle_DATA(self, _server: object, session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.original_content, policy=default)
        assert isinstance(message, EmailMessage)
        known = session.auth_data and (session.auth_data.login.decode(), session.auth_data.password.decode())
        (to,) = envelope.rcpt_tos
        self.mailed.put(Mailed(to, message, known))
        return "250 OK"

    def next(self) -> Mailed:
        """The next message."""
        return self.mailed.get(timeout=PATIENCE)


@contextmanager
def mail_server(**settings: Any) -> Iterator[MailServer]:
    """A mail server that listens on this machine; ``settings`` are those of ``Controller``."""
    server = MailServer(**settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()
