"""Passkeys in a real browser, with a device as Chromium simulates it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.server_process import Served, serving_passkeys
from tests.web.barriers import barriers
from tests.web.tables import DESK, PATIENCE, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

pytestmark = pytest.mark.browser
pytest.importorskip("webauthn", reason="passkeys are left out: uv sync --extra passkeys")

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with passkeys, for browsers at ``localhost``."""
    with serving_passkeys(tmp_path_factory.mktemp("club")) as found:
        yield found


class Device:
    """A browser on a device of its own.

    Attributes:
        page: where it is.
        keys: what unlocks its passkeys.
    """

    def __init__(self, chromium: "Browser", club: Served, size: dict[str, int] = DESK, host: str = "localhost") -> None:
        origin = club.url.replace("127.0.0.1", host)
        context = chromium.new_context(base_url=origin, viewport=size, locale="en", service_workers="block")  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        self.page: Page = context.new_page()
        self._session: CDPSession = context.new_cdp_session(self.page)
        self._session.send("WebAuthn.enable")
        added = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
        self.keys: str = added["authenticatorId"]

    def credentials(self) -> list[dict[str, Any]]:
        """Its passkeys."""
        found: list[dict[str, Any]] = self._session.send("WebAuthn.getCredentials", {"authenticatorId": self.keys})[
            "credentials"
        ]
        return found

    def receive(self, credential: dict[str, Any]) -> None:
        """Have another device's passkey, as password managers carry it over."""
        self._session.send("WebAuthn.addCredential", {"authenticatorId": self.keys, "credential": credential})

    def lock(self) -> None:
        """Recognise its owner no more."""
        self._session.send("WebAuthn.setUserVerified", {"authenticatorId": self.keys, "isUserVerified": False})

    def close(self) -> None:
        self.page.context.close()


@pytest.fixture
def devices(chromium: "Browser", club: Served) -> Iterator[tuple[Device, Device]]:
    """Two devices."""
    found = Device(chromium, club), Device(chromium, club, PHONE)
    yield found
    for each in found:
        each.close()


def add_passkey(page: "Page", name: str) -> None:
    page.goto("/me")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name=name).wait_for()
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_text("Added on").first.wait_for()


def test_a_passkey_made_here_signs_in_there(devices: tuple[Device, Device]) -> None:
    first, second = devices
    add_passkey(first.page, "Aiko")
    assert barriers(first.page) == []
    (made,) = first.credentials()
    assert made["isResidentCredential"]
    first.page.goto("/games/gong-zhu")
    first.page.get_by_role("button", name="Open a table for everybody").click()
    first.page.wait_for_url("**/t/*")
    table = first.page.url.rpartition("/")[2]
    second.receive(made)
    second.page.goto("/me")
    assert not second.page.locator(f"a[href='/t/{table}']").count()
    second.page.get_by_role("button", name="Sign in with a passkey").click()
    second.page.get_by_role("heading", name="Aiko").wait_for()
    second.page.locator(f"a[href='/t/{table}']").first.wait_for()
    second.page.get_by_text("last used on").wait_for()
    closing = second.page.locator(f"form[action='/t/{table}/close']")
    closing.locator("button").click()
    closing.wait_for(state="detached")


def test_one_device_makes_one_passkey_and_a_removed_one_is_not_known(devices: tuple[Device, Device]) -> None:
    first, _ = devices
    add_passkey(first.page, "Berta")
    first.page.get_by_role("button", name="Add a passkey").click()
    first.page.get_by_text("This device already has a passkey of yours.").wait_for()
    first.page.get_by_role("button", name="Remove Added on").click()
    first.page.get_by_text("Added on").wait_for(state="detached")
    first.page.get_by_role("button", name="Sign in with a passkey").click()
    first.page.get_by_text("This server does not know that passkey").wait_for()
    assert first.page.get_by_role("heading", name="Berta").count() == 1


def test_what_a_browser_refuses_is_said_in_words(
    chromium: "Browser", club: Served, devices: tuple[Device, Device]
) -> None:
    first, _ = devices
    first.lock()
    first.page.goto("/me")
    first.page.get_by_role("button", name="Add a passkey").click()
    first.page.get_by_text("Nothing has changed").wait_for()
    elsewhere = Device(chromium, club, host="127.0.0.1")
    elsewhere.page.goto("/me")
    elsewhere.page.get_by_role("button", name="Add a passkey").click()
    elsewhere.page.get_by_text("Passkeys work only at http://localhost").wait_for()
    elsewhere.close()


def test_the_page_says_what_a_browser_lacks(chromium: "Browser", club: Served) -> None:
    old = Device(chromium, club)
    old.page.add_init_script("delete globalThis.PublicKeyCredential")
    old.page.goto("/me")
    old.page.get_by_text("This browser is too old for passkeys.").wait_for()
    assert not old.page.get_by_role("button", name="Add a passkey").count()
    old.close()
