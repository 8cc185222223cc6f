"""Notices to browsers, by the push services of their makers (Web Push).

The key by which push services know this server follows from the store's secret: all its processes have the same, and
it stays for as long as the database does."""

import hmac
import json
import socket
import time
from base64 import urlsafe_b64encode
from logging import getLogger
from urllib.parse import urlsplit

from aiohttp import ClientSession, ClientTimeout, TCPConnector, ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult
from py_vapid import Vapid02, VapidException
from pywebpush import WebPusher

from tefuda.engine.errors import TefudaError
from tefuda.server.live.notices import Outcome, TurnNotice
from tefuda.server.settings import ip_of
from tefuda.server.store.port import NoticeAddress

WITHIN = 10.0  # seconds in which a push service must answer
DAY = 86_400  # seconds for which it keeps a message for a browser that is not connected
SIGNED_FOR = DAY // 2  # seconds for which a message's signature holds; a day at most is allowed
GONE = (404, 410)  # statuses by which it says that the subscription is no more

log = getLogger("tefuda.server")


class WebPush:
    """Sends notices to browsers; ``contact`` is how push services reach the host, and ``anywhere`` lets these services
    be on this machine, over http. ``TefudaError`` if it is no contact."""

    def __init__(self, secret: bytes, contact: str, *, anywhere: bool = False) -> None:
        self._contact, self._anywhere = contact, anywhere
        self._vapid = Vapid02.from_raw(urlsafe_b64encode(hmac.digest(secret, b"tefuda push", "sha256")))
        try:
            signed = self._headers("https://push.example")["Authorization"]
        except VapidException:
            raise TefudaError(f"--push {contact}: write mailto:you@cards.example, or an https address") from None
        self.key = signed.rpartition("k=")[2]  # public, base64url: browsers subscribe for it

    def check(self, browser: NoticeAddress) -> bool:
        """Tell if messages can be sent to a browser: its address is public, and its keys are keys."""
        try:
            return bool(self._encrypted(browser, b"{}")) and self._may_ask(browser.address)
        except Exception:  # the library may stumble in any way over what anybody sends
            return False

    def _may_ask(self, endpoint: str) -> bool:
        """Tell if an address leads out of this network, as far as it says itself; see ``PublicResolver``."""
        address = urlsplit(endpoint)
        if self._anywhere:
            return address.scheme in ("http", "https")
        return address.scheme == "https" and address.port in (None, 443) and _may_be_public(address.hostname or "")

    async def send(self, to: NoticeAddress, notice: TurnNotice) -> Outcome:
        """Send a notice, once."""
        try:
            status = await self._post(to, notice)
        except Exception as error:  # whatever the network brings
            log.warning("no push service: %s", type(error).__name__, extra={"table": notice["table"], "seq": 0})
            return "busy"
        if 200 <= status < 300:
            return "sent"
        if status in GONE:
            return "gone"
        log.warning("a push service answers %s", status, extra={"table": notice["table"], "seq": 0})
        return "busy" if status == 429 or status >= 500 else "failed"

    async def _post(self, to: NoticeAddress, notice: TurnNotice) -> int:
        """The status with which the push service answers; what else it says is not read, nor is it followed."""
        if not self._may_ask(to.address):
            return GONE[0]
        body, headers = self._encrypted(to, json.dumps(notice).encode()), self._headers(to.address)
        headers |= {"content-encoding": "aes128gcm", "ttl": str(DAY), "topic": notice["table"], "urgency": "high"}
        connector = TCPConnector(resolver=ThreadedResolver() if self._anywhere else PublicResolver())
        async with (
            ClientSession(connector=connector, timeout=ClientTimeout(total=WITHIN)) as session,
            session.post(to.address, data=body, headers=headers, allow_redirects=False) as answer,
        ):
            return answer.status

    def _encrypted(self, to: NoticeAddress, text: bytes) -> bytes:
        keys = {"p256dh": to.p256dh, "auth": to.auth}
        return bytes(WebPusher({"endpoint": to.address, "keys": keys}).encode(text)["body"])

    def _headers(self, endpoint: str) -> dict[str, str]:
        """The signature by which the push service knows who sends this."""
        address = urlsplit(endpoint)
        audience = f"{address.scheme}://{address.netloc}"
        return dict(self._vapid.sign({"sub": self._contact, "aud": audience, "exp": int(time.time()) + SIGNED_FOR}))


class PublicResolver(AbstractResolver):
    """Finds the public addresses of a host alone, so that nobody makes the server ask one of its own network."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await ThreadedResolver().resolve(host, port, family)
        public = [each for each in found if _is_public(each["host"])]
        if not public:
            raise OSError(None, "no public address")
        return public

    async def close(self) -> None: ...


def _may_be_public(host: str) -> bool:
    """True for a public address, and for a name; the last part of a name begins with a letter."""
    if host.rpartition(".")[2][:1].isalpha():
        return "." in host and not host.endswith((".local", ".localhost"))
    return _is_public(host)


def _is_public(host: str) -> bool:
    address = ip_of(host.partition("%")[0])
    return address is not None and address.is_global  # None: 127.1, or something else that would be taken for one
