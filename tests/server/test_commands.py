"""Commands are declared once: over HTTP, over the socket and in the documentation they are the same."""

import re
from typing import Any

import pytest
from fastapi.routing import APIRoute

from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.http import orders
from tefuda.server.http.orders import SESSION_MODELS, SOCKET_COMMANDS, read_message
from tefuda.server.table import commands
from tefuda.server.table.callers import Refused
from tefuda.server.table.commands import COMMANDS, Command
from tefuda.server.table.request_types import MakePlay, NoArguments
from tests.server import command_table

ALL = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


@ALL
def test_every_command_has_a_route_with_its_arguments(command: Command[Any]) -> None:
    routes = [route for route in orders.router.routes if isinstance(route, APIRoute)]
    (route,) = [route for route in routes if route.path == f"/tables/{{table}}/{command.path}"]
    assert (route.methods, route.summary, route.description) == ({"POST"}, command.summary, command.about)
    body = None if command.arguments is NoArguments else command.arguments
    assert (route.body_field and route.body_field.field_info.annotation) == body


@ALL
def test_every_refusal_of_a_command_has_a_text(command: Command[Any]) -> None:
    codes = set(command.refusals) - {"illegal"}  # that is said by the rules
    for language in LANGUAGES:
        assert codes <= catalogue(TEXTS, language).under("server").keys()


def test_the_documentation_lists_the_commands_as_they_are() -> None:
    page = command_table.PAGE.read_text("utf-8")
    assert command_table.with_table(page) == page, "write it anew: python -m tests.server.command_table"
    messages = page.partition("| you send | you get |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", messages, re.M)) == {*SOCKET_COMMANDS, *SESSION_MODELS}


def test_a_message_becomes_the_arguments_of_its_command() -> None:
    message = read_message('{"type": "play", "id": 7, "play": "SQ", "colour": "red"}')
    assert (message.type, message.id) == ("play", 7)
    assert isinstance(message, MakePlay)
    assert (message.play, message.seq) == ("SQ", None)
    assert message.told() == MakePlay(play="SQ", seq=None).told(), "over the socket and over HTTP the same order"
    for text in ('{"type": "play"}', '{"type": "play", "play": ""}'):
        empty = read_message(text)
        assert isinstance(empty, MakePlay)
        assert empty.play == ""


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"type": "leave"}', '{"type": "play", "play": 1}', '{"type": "ready", "entropy": "x"}',
     '{"type": "play", "play": "' + 201 * "x" + '"}', '{"type": "ping", "id": true}'],
)  # fmt: skip
def test_other_messages_are_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        read_message(text)
    assert caught.value.code == "bad_message"


def test_commands_are_found_by_name() -> None:
    assert COMMANDS["play"] is commands.play
    assert set(SOCKET_COMMANDS) == {"ready", "reveal", "play", "here"}
