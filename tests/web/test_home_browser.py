"""The reader's own page in a real browser."""

import re

import pytest

from tests.server.server_process import Served
from tests.web.conftest import Visit
from tests.web.tables import PHONE, expect

pytestmark = pytest.mark.browser


def test_a_name_and_a_face_are_chosen_by_keyboard_and_stay(visit: Visit) -> None:
    page = visit("/me", java_script_enabled=False)
    page.get_by_label("Your name").fill("Aiko")
    page.get_by_role("radio", name="Rat", exact=True).focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Aiko").wait_for()
    assert page.get_by_role("radio", name="Ox", exact=True).is_checked()
    page.goto("/")
    assert page.locator(".masthead .me img").get_attribute("alt") == "You: Aiko"
    assert "/faces/ox-" in (page.locator(".masthead .me img").get_attribute("src") or "")


def test_another_device_goes_on_after_it_was_asked(visit: Visit) -> None:
    first = visit("/games/gong-zhu")
    first.get_by_label("Your name").fill("Aiko")
    first.get_by_role("button", name="Open a table for everybody").click()
    first.wait_for_url("**/t/*")
    table = first.url.rpartition("/")[2]
    first.goto("/me")
    first.get_by_role("link", name="Continue on another device").click()
    expect(first.locator("svg.qr path")).to_have_count(1)
    link = first.get_by_label("Link for your other device").input_value()
    second = visit(re.sub(r"^https?://[^/]+", "", link), size=PHONE, java_script_enabled=False)
    second.get_by_role("button", name="Continue as Aiko").click()
    second.wait_for_url("**/me")
    second.locator(f"a[href='/t/{table}']").first.wait_for()
    closing = second.locator(f"form[action='/t/{table}/close']")
    closing.locator("button").click()
    closing.wait_for(state="detached")


def test_whoever_is_forgotten_begins_anew(visit: Visit) -> None:
    page = visit("/me")
    page.get_by_label("Your name").fill("Aiko")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Aiko").wait_for()
    page.evaluate("localStorage.setItem('tefuda.name', 'Aiko')")
    page.get_by_label("Yes, delete what identifies me").check()
    page.get_by_role("button", name="Forget me").click()
    page.get_by_role("heading", name="You are forgotten").wait_for()
    assert page.evaluate("localStorage.length") == 0
    page.goto("/me")
    assert not page.get_by_role("heading", name="Aiko").count()


def test_tables_at_which_it_is_the_readers_turn_stand_out(visit: Visit) -> None:
    page = visit("/games/gong-zhu", java_script_enabled=False)
    page.get_by_role("button", name="Play now against bots").click()
    page.wait_for_url("**/t/*")
    page.goto("/")
    while not page.locator(".own .asked", has_text="Your turn").count():  # the list follows
        page.reload()
    page.goto("/me")
    assert page.locator(".own .asked").count() == 1


def test_the_lobby_tells_of_a_seat_that_has_become_free(visit: Visit, site: Served) -> None:
    page = visit("/", permissions=["notifications"])
    page.evaluate("""() => {
      window.told = [];
      window.Notification = class extends EventTarget {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, how) { super(); window.told.push(`${title}: ${how.body}`); }
      };
    }""")
    page.get_by_role("button", name="Tell me when a seat opens").click()
    page.get_by_role("button", name="You will be notified").wait_for()
    friend = visit("/games/luk-fu", java_script_enabled=False)
    friend.get_by_label("Your name").fill("Berta")
    friend.get_by_role("button", name="Open a table for everybody").click()
    friend.wait_for_url("**/t/*")
    page.wait_for_function("() => window.told.some(each => /^A seat is free: Luk Fu.*Berta/.test(each))")
