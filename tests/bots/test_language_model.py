"""Language models as bots: what they are told, how their answers are read, and what becomes of bad ones."""

import re
from collections.abc import Iterator

import pytest

import tefuda
from tefuda.bots import language_model
from tefuda.lab.play.match import Match
from tests.bots.model_server import Answer, Messages, legal, model_server
from tests.cli.command import run


def first(messages: Messages) -> str:
    return f"I think so.\nPLAY: {legal(messages[-1]['content'])[0]}"


@pytest.mark.parametrize("game", tefuda.list_games())
def test_a_model_plays_a_deal_in_every_seat(game: str) -> None:
    deal = tefuda.load(game).deal(seed=4)
    with model_server(first) as server:
        player = tefuda.bot(server.spec)
        while not deal.over:
            play = tefuda.choose_play(player, deal, 0)
            assert len(server.asked[-1]["messages"]) == 2 or play.startswith("~")
        assert server.asked[0]["model"] == "stand-in"


def test_it_reads_the_rules_of_its_table_and_the_play_so_far() -> None:
    deal = tefuda.load("gong-zhu", exposing=False, sheep_flips=True).deal(seed=4)
    with model_server(first) as server:
        player = tefuda.bot(f"{server.spec},temperature=0.5")
        first_play = tefuda.choose_play(player, deal, 0)
        tefuda.choose_play(player, deal, 0)
        system, user = server.asked[1]["messages"]
    assert "GZ-12: " in system["content"]
    assert "sheep_flips = True" in system["content"]
    assert first_play in user["content"].split("Your hand")[0]
    assert server.asked[1]["temperature"] == 0.5


def test_a_refusal_is_told_with_its_rule_and_a_thought_is_no_answer() -> None:
    deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
    answers = iter(["PLAY: SK", None, "<think>SA? No.</think>PLAY: H2"])
    with model_server(lambda messages: next(answers)) as server:
        player = tefuda.bot(server.spec)
        assert tefuda.choose_play(player, deal, 0) == "H2"
        told = [message["content"] for message in server.asked[-1]["messages"] if message["role"] == "user"]
    assert "You do not hold SK. Lead a card from your hand. [GZ-13]" in told[1]
    assert "names no play" in told[2]
    assert isinstance(player, language_model.ModelBot)
    assert player.take_use() == [300, 21, 2]
    assert player.take_use() == [0, 0, 0]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("I fold.", "gave no legal play in 3 answers; of the last: I fold. is not a play"),
        ("SA H2", "gave no legal play in 3 answers; of the last: Your answer names more than one play: SA or H2"),
        ("", "gave no legal play in 3 answers; of the last: Your answer names no play"),
        ((401, '{"error": "no key"}'), '/v1/chat/completions: 401 Unauthorized {"error": "no key"}'),
        ((200, "<html>"), "the server sent no answer of a chat"),
        ((200, '{"choices": []}'), "the server sent no answer of a chat"),
        ((200, "[1]"), "the server sent no answer of a chat"),
        ((503, "busy"), "503 Service Unavailable busy"),
    ],
)
def test_what_is_no_answer_is_an_error_of_one_line(
    answer: str | tuple[int, str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language_model, "PAUSES", (0.0, 0.0))
    deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
    with model_server(lambda messages: answer) as server, pytest.raises(tefuda.BotError) as error:
        tefuda.choose_play(tefuda.bot(server.spec), deal, 0)
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert not deal.history


def test_a_busy_server_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_model, "PAUSES", (0.0,))
    deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
    answers: Iterator[Answer] = iter([(429, ""), "H2"])
    with model_server(lambda messages: next(answers)) as server:
        assert tefuda.choose_play(tefuda.bot(server.spec), deal, 0) == "H2"


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = tefuda.load("gong-zhu", exposing=False).deal(seed=4)
    with model_server(first) as server:
        monkeypatch.delenv(language_model.KEY, raising=False)
        tefuda.choose_play(tefuda.bot(server.spec), deal, 0)
        monkeypatch.setenv(language_model.KEY, "secret")
        tefuda.choose_play(tefuda.bot(server.spec), deal, 0)
        assert server.keys == [None, "Bearer secret"]


def test_a_match_counts_tokens_and_refusals_and_goes_on_after_a_fault() -> None:
    """The first answer to every question is wrong; after 20 answers the server is broken."""

    def answer(messages: Messages) -> str | tuple[int, str]:
        if len(server.asked) > 20:
            return (500, "out of memory")
        return "I fold." if len(messages) == 2 else first(messages)

    game = tefuda.load("gong-zhu", exposing=False)
    with pytest.MonkeyPatch.context() as patch, model_server(answer) as server:
        patch.setattr(language_model, "PAUSES", ())
        bots = [server.spec, "hints", "hints", "hints"]
        result = Match(game, bots, 1, 0, threads=1, luck=False).play()
    model, *others = result.entries
    assert (model.tokens_read, model.tokens_written, model.refused) == (2000, 140, 10)
    assert model.decisions == 52  # 13 in each of 4 rotations
    assert model.illegal == 52 - 10
    assert "500 Internal Server Error out of memory" in model.faults[0]
    assert [entry.tokens_read for entry in others] == [0, 0, 0]


def test_the_table_of_a_match_shows_what_a_model_has_used(home: dict[str, str]) -> None:
    with model_server(first) as server:
        command = ["match", "gong-zhu", server.spec, "hints", "hints", "hints", "--deals", "1", "--no-luck"]
        done = run(home, *command, "--set", "exposing=false", "--threads", "1")
        again = run(home, *command, "--set", "exposing=false", "--threads", "1")
        asked = len(server.asked)
    assert done.returncode == 0, done.stderr
    assert "tokens" in done.stdout
    assert re.search(r"0 +107 ", done.stdout)
    assert re.search(r"0 +107 ", again.stdout), "from the folder of the match"
    assert asked == 52


def test_a_server_that_cannot_be_reached_is_told_of_before_a_match(home: dict[str, str]) -> None:
    spec = "llm:http://127.0.0.1:9/v1,model=m"
    done = run(home, "match", "gong-zhu", spec, "hints", "hints", "hints", "--deals", "1", "--threads", "1")
    assert done.returncode == 2
    assert "http://127.0.0.1:9/v1/models: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("llm:", "write it like llm:http://localhost:11434/v1,model=qwen3"),
        ("llm:localhost:1,model=m", "write it like llm:http://localhost:11434/v1,model=qwen3"),
        ("llm:http://localhost:1", "write it like llm:http://localhost:11434/v1,model=qwen3"),
        ("llm:http://localhost:1,modell=m", "llm has no setting 'modell'; it has model, .*; did you mean 'model'?"),
        ("llm:http://localhost:1,model=m,retries=many", "llm: retries='many' is not a number"),
        ("llm:http://localhost:1,model=m,retries=-1", "retries are 0 or more, timeout is above 0"),
        ("llm:http://localhost:1,model=m,timeout=0", "retries are 0 or more, timeout is above 0"),
        ("llm:http://localhost:1,model=m,language=xx", "there are no texts in 'xx'"),
    ],
)
def test_a_wrong_spec_is_an_error(spec: str, told: str) -> None:
    with pytest.raises(tefuda.TefudaError, match=told):
        tefuda.bot(spec)
