"""Where ``tefuda serve`` says it is, and whether it opens a browser there."""

import ipaddress
import re

import pytest

from tefuda.cli import serve


def test_an_address_that_stands_for_all_is_said_as_the_one_in_the_network() -> None:
    said = re.fullmatch(r"http://(.+):8000/", serve._address("0.0.0.0", 8000))
    assert said
    assert not ipaddress.ip_address(said[1]).is_unspecified


def test_an_address_that_was_named_is_said_as_it_was() -> None:
    assert serve._address("127.0.0.1", 80) == "http://127.0.0.1:80/"
    assert serve._address("::1", 8000) == "http://[::1]:8000/"


@pytest.mark.parametrize(
    ("platform", "environment", "has_screen"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "192.0.2.7 50000 192.0.2.8 22"}, False),
    ],
)
def test_a_browser_needs_a_screen(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], has_screen: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert serve._has_screen() is has_screen
