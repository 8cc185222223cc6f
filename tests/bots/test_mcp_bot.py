"""Bots behind MCP servers: what their tool is asked, how its answers are read, and what becomes of bad ones."""

import sys
import threading
from pathlib import Path

import pytest

import tefuda
from tefuda.bots.mcp_bot import McpBot
from tefuda.lab.play.match import Match
from tests.bots.mcp_server import agent
from tests.bots.model_server import legal

EXAMPLE = Path(__file__).parents[2] / "examples" / "mcp_agent.py"

CRASHING = """
import os
from mcp.server.mcpserver import MCPServer

server, asked = MCPServer("crashing"), []

@server.tool()
def choose_play(rules: str, view: str) -> str:
    asked.append(view)
    return "H2" if len(asked) == 1 else os._exit(1)

server.run()
"""


def small_deal() -> tefuda.Deal:
    return tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})


def first(rules: str, view: str) -> str:
    return f"I think so.\nPLAY: {legal(view)[0]}"


def test_the_example_plays_a_deal_over_its_standard_streams() -> None:
    deal = small_deal()
    player = tefuda.bot(f"mcp:{sys.executable} {EXAMPLE}")
    assert isinstance(player, McpBot)
    player.warm(deal.view(0))
    while not deal.over:
        expected = deal.legal()[0]
        assert tefuda.choose_play(player, deal, 0) == expected


def test_the_tool_gets_the_rules_and_the_view_and_is_told_why_an_answer_is_no_play() -> None:
    answers, rules_told = iter(["PLAY: SK", "<think>SA? No.</think>", "H2"]), set()

    def answer(rules: str, view: str) -> str:
        rules_told.add(rules)
        return next(answers)

    deal = small_deal()
    with agent(answer) as server:
        player = tefuda.bot(server.spec)
        assert tefuda.choose_play(player, deal, 0) == "H2"
    assert rules_told == {tefuda.rules_text("gong-zhu", "en")}
    view, *again = server.asked
    assert legal(view) == ["SA", "H2"]
    assert "You do not hold SK. Lead a card from your hand. [GZ-13]" in again[0]
    assert "names no play" in again[1]
    assert all(text.endswith(view) for text in again)
    assert isinstance(player, McpBot)
    assert player.take_use() == [0, 0, 2]


def test_it_reads_in_another_language() -> None:
    with agent(lambda rules, view: "PLAY: H2") as server:
        assert tefuda.choose_play(tefuda.bot(f"{server.spec},language=ja"), small_deal(), 0) == "H2"
        assert "You may play" not in server.asked[0]


def fail(rules: str, view: str) -> str:
    raise LookupError("the model sleeps")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda rules, view: "I fold.", "gave no legal play in 3 answers; of the last: I fold. is not a play"),
        (lambda rules, view: "Let us consider. " * 50, "gave no legal play in 3 answers"),
        (lambda rules, view: "", "gave no legal play in 3 answers; of the last: Your answer names no play"),
        (fail, "/mcp: Error executing tool choose_play: the model sleeps"),
    ],
)
def test_what_is_no_answer_is_an_error_of_one_line(answer, told: str) -> None:  # type: ignore[no-untyped-def]
    deal = small_deal()
    with agent(answer) as server, pytest.raises(tefuda.BotError) as error:
        tefuda.choose_play(tefuda.bot(server.spec), deal, 0)
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert not deal.history


def test_an_agent_that_never_answers_is_not_waited_for() -> None:
    ended = threading.Event()

    def wait(rules: str, view: str) -> str:
        ended.wait()
        return "H2"

    with agent(wait) as server:
        try:
            with pytest.raises(tefuda.BotError, match=r"/mcp: no answer within 0\.5 s"):
                tefuda.choose_play(tefuda.bot(f"{server.spec},timeout=0.5"), small_deal(), 0)
        finally:
            ended.set()


def test_a_server_without_the_tool_is_told_of_before_a_match() -> None:
    with agent(first, tool="answer") as server:
        match = Match(tefuda.load("gong-zhu"), [server.spec, "hints", "hints", "hints"], 1, 0, threads=1, luck=False)
        with pytest.raises(tefuda.TefudaError, match="/mcp: the server has no tool choose_play; it has: answer"):
            match.play()


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ("http://127.0.0.1:9/mcp", "http://127.0.0.1:9/mcp: "),
        ("no-such-program --fast", "no-such-program --fast: .*No such file"),
        (f"{sys.executable} -c pass", "-c pass: Connection closed"),
        ("python 'agent.py", "python 'agent.py: No closing quotation"),
    ],
)
def test_a_server_that_cannot_be_reached_is_an_error(server: str, told: str) -> None:
    player = tefuda.bot(f"mcp:{server}")
    for _ in range(2):  # the second connection fails as the first
        with pytest.raises(tefuda.BotError, match=told):
            tefuda.choose_play(player, small_deal(), 0)


def test_a_server_that_crashed_is_started_again(tmp_path: Path) -> None:
    (tmp_path / "crashing.py").write_text(CRASHING)
    player = tefuda.bot(f"mcp:{sys.executable} {tmp_path / 'crashing.py'}")
    assert tefuda.choose_play(player, small_deal(), 0) == "H2"
    with pytest.raises(tefuda.BotError, match="Connection closed"):
        tefuda.choose_play(player, small_deal(), 0)
    assert tefuda.choose_play(player, small_deal(), 0) == "H2"


def test_a_match_counts_refusals_and_goes_on_after_a_fault() -> None:
    """The first answer to every question is wrong; after 20 answers the agent fails."""

    def answer(rules: str, view: str) -> str:
        if len(server.asked) > 20:
            return fail(rules, view)
        return first(rules, view) if len(server.asked) % 2 == 0 else "I fold."

    game = tefuda.load("gong-zhu", exposing=False)
    with agent(answer) as server:
        result = Match(game, [server.spec, "hints", "hints", "hints"], 1, 0, threads=1, luck=False).play()
    played = result.entries[0]
    assert (played.tokens_read, played.tokens_written, played.refused) == (0, 0, 10)
    assert played.decisions == 52  # 13 in each of 4 rotations
    assert played.illegal == 52 - 10
    assert "the model sleeps" in played.faults[0]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("mcp:", "write it like mcp:http://localhost:9000/mcp or mcp:python agent.py"),
        ("mcp:python agent.py,retries=-1", "retries are 0 or more, timeout is above 0"),
        ("mcp:python agent.py,model=m", "mcp has no setting 'model'; it has language, retries, timeout"),
        ("mcp:python agent.py,timeout=long", "mcp: timeout='long' is not a number"),
        ("mcp:python agent.py,language=xx", "there are no texts in 'xx'"),
    ],
)
def test_a_wrong_spec_is_an_error(spec: str, told: str) -> None:
    with pytest.raises(tefuda.TefudaError, match=told):
        tefuda.bot(spec)
