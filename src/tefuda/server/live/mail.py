"""Notices by e-mail, through a mail server of the host's (SMTP), to people who have confirmed that the mailbox is
theirs; every message has a link by which there come no more."""

import smtplib
import ssl
import time
from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from hashlib import sha256
from logging import getLogger
from urllib.parse import parse_qs, unquote, urlsplit

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.event_loop import Threads
from tefuda.server.live.notices import Outcome, TurnNotice
from tefuda.server.store.port import MAILBOX, NoticeAddress

THREADS = 2  # that talk to the mail server
WITHIN = 10.0  # seconds in which the mail server must answer
CONFIRMED_WITHIN = 24 * 3600  # seconds in which somebody must confirm that a mailbox is theirs
MOST_ADDRESS = 254  # characters of an address (RFC 5321)
GONE = ("5.1.1", "5.1.2", "5.1.6", "5.1.10")  # begin answers that there is no such mailbox (RFC 3463)

log = getLogger("tefuda.server")


@dataclass(frozen=True)
class MailServer:
    """A mail server, and as whom it is used."""

    host: str
    port: int
    is_secure: bool  # encrypted from the first byte on; else as soon as the server offers it
    user: str
    password: str
    sender: str  # the address from which messages come


def read_mail_server(text: str) -> MailServer:
    """The server that ``smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS`` names, or ``smtps:``; 587 and 465 are the usual
    ports. ``TefudaError``, which does not tell the password, if it is not written like that."""
    bad = TefudaError("--mail: write smtp://USER:PASSWORD@HOST:587?from=cards@cards.example, or smtps:// and port 465")
    try:
        found = urlsplit(text)
        is_secure, asked = found.scheme == "smtps", parse_qs(found.query, strict_parsing=True)
        port = found.port or (465 if is_secure else 587)
    except ValueError:
        raise bad from None
    sender = clean_mailbox(asked.get("from", [""])[0])
    if found.scheme not in ("smtp", "smtps") or not found.hostname or not sender or found.path not in ("", "/"):
        raise bad
    user, password = unquote(found.username or ""), unquote(found.password or "")
    return MailServer(found.hostname, port, is_secure, user, password, sender)


def clean_mailbox(typed: str) -> str | None:
    """A mailbox as it is kept, from what somebody has typed; None if that is not written like one."""
    mailbox = typed.strip()
    try:
        domain = Address(addr_spec=mailbox).domain if len(mailbox) <= MOST_ADDRESS else ""
    except (ValueError, IndexError, MessageError):  # the parser stumbles in several ways
        return None
    is_one = "." in domain.strip(".") and not domain.startswith("[") and all(map(str.isprintable, mailbox))
    return mailbox if is_one and not set(mailbox) & set(' "<>(),;:\\') else None


class Mail:
    """Sends notices by e-mail. ``origin`` is the address at which people find this server, for links."""

    def __init__(self, secret: bytes, server: MailServer, origin: str) -> None:
        self._threads, self._server, self._origin = Threads("mail", THREADS), server, origin
        keys = {"digest_method": sha256}
        self._confirming = URLSafeTimedSerializer(secret, "tefuda mail", signer_kwargs=keys)
        self._ending = URLSafeSerializer(secret, "tefuda no mail", signer_kwargs=keys)

    def close(self) -> None:
        """Begin to send nothing more."""
        self._threads.close()

    async def ask(self, mailbox: str, guest: str, language: str) -> Outcome:
        """Ask who reads a mailbox whether they are this guest, and want to be told there."""
        say = catalogue(TEXTS, language)
        link = f"{self._origin}/mail/confirm?as={self._confirming.dumps([mailbox, guest, language])}"
        lines = (say("page.mail.question", origin=self._origin), link, say("page.mail.ignore"))
        return await self._deliver(self._written(mailbox, say("page.mail.subject"), lines), "")

    def confirmed(self, text: str) -> NoticeAddress | None:
        """The address that such a link confirms; None if the text is not ours, or too old."""
        try:
            mailbox, guest, language = self._confirming.loads(text, max_age=CONFIRMED_WITHIN)
        except BadSignature:
            return None
        return NoticeAddress(MAILBOX + mailbox, guest, "", "", language, time.time_ns() // 1_000_000)

    def ended(self, text: str) -> str | None:
        """The mailbox to which a link says that no more is to be sent; None if the text is not ours."""
        try:
            return str(self._ending.loads(text))
        except BadSignature:
            return None

    async def send(self, to: NoticeAddress, notice: TurnNotice) -> Outcome:
        """Send a notice, once; mail programs show those about one table together."""
        mailbox, say = to.address.removeprefix(MAILBOX), catalogue(TEXTS, to.language)
        end, table = f"{self._origin}/mail/end?as={self._ending.dumps(mailbox)}", notice["table"]
        lines = (notice["body"], f"{self._origin}/t/{table}", f"{say('page.mail.end')}\n{end}")
        message = self._written(mailbox, notice["title"], lines)
        message["References"] = f"<{table}@{urlsplit(self._origin).hostname}>"
        message["List-Unsubscribe"] = f"<{end}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return await self._deliver(message, table)

    def _written(self, mailbox: str, subject: str, lines: tuple[str, ...]) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = f"Tefuda <{self._server.sender}>", mailbox, subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._server.sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"  # nobody's absence is to be answered
        message.set_content("\n\n".join(lines) + "\n")
        return message

    async def _deliver(self, message: EmailMessage, table: str) -> Outcome:
        """Hand a message to the mail server; what goes wrong is logged without the address."""
        try:
            await self._threads.run(self._hand_over, message)
            return "sent"
        except smtplib.SMTPRecipientsRefused as error:
            ((code, said),) = error.recipients.values()
            outcome: Outcome = "gone" if said.decode("ascii", "replace").startswith(GONE) else _judged(code)
        except smtplib.SMTPResponseException as error:
            code, outcome = error.smtp_code, _judged(error.smtp_code)
        except (OSError, ValueError) as error:  # a ValueError: a name or password that is not ASCII
            is_final = isinstance(error, (ssl.SSLError, smtplib.SMTPNotSupportedError, ValueError))
            code, outcome = 0, "failed" if is_final else "busy"
            log.warning("no mail server: %s", error, extra={"table": table, "seq": 0})
        if code:
            log.warning("the mail server answers %s", code, extra={"table": table, "seq": 0})
        return outcome

    def _hand_over(self, message: EmailMessage) -> None:
        server, context = self._server, ssl.create_default_context()
        if server.is_secure:
            client: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=WITHIN, context=context)
        else:
            client = smtplib.SMTP(server.host, server.port, timeout=WITHIN)
        with client:
            client.ehlo()
            if not server.is_secure and client.has_extn("starttls"):
                client.starttls(context=context)
                client.ehlo()
            elif not server.is_secure and server.password:
                raise ssl.SSLError("it offers no encryption (STARTTLS), so it is not told the password")
            if server.user:
                client.login(server.user, server.password)
            client.send_message(message)


def _judged(code: int) -> Outcome:
    return "busy" if 400 <= code < 500 else "failed"
