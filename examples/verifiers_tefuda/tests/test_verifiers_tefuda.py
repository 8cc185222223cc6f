"""A stand-in model plays deals of the environment: what it is told, and how it is rewarded."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
import verifiers as vf

import tefuda
from tefuda.research.text import TextEnv
from verifiers_tefuda import CardTable, load_environment

Messages = list[dict[str, str]]

OPTIONS = {"exposing": False}


@contextmanager
def model(answer: Callable[[Messages], str]) -> Iterator[vf.ClientConfig]:
    """A server of OpenAI's chat completions that answers by this function."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = {"role": "assistant", "content": answer(asked["messages"])}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            found = {"id": "1", "object": "chat.completion", "created": 0, "model": "stand-in", "usage": usage}
            data = json.dumps({**found, "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    os.environ["STAND_IN_KEY"] = "none"
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        yield vf.ClientConfig(api_base_url=url, api_key_var="STAND_IN_KEY")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def rollouts(env: vf.Environment, answer: Callable[[Messages], str]) -> list[dict[str, Any]]:
    """One rollout of each deal, as verifiers gives it."""
    with model(answer) as client:
        outputs: list[dict[str, Any]] = env.evaluate_sync(client, "stand-in", max_concurrent=1)["outputs"]
    return outputs


def legal(text: str) -> list[str]:
    """The plays that a view offers."""
    lines = text.split("\nYou may play\n")[1].split("\n\n")[0].splitlines()
    return [line.removeprefix("- ").partition(" (")[0] for line in lines]


def environment(**given: Any) -> CardTable:
    env = load_environment("gong-zhu", options=OPTIONS, **given)
    assert isinstance(env, CardTable)
    return env


def test_a_model_that_plays_like_hints_gains_nothing() -> None:
    """It finds the deal again by its first view, and plays along."""
    env = environment(deals=2, seed=4, retries=0)
    tables: dict[str, TextEnv] = {}
    for seed in (4, 5):
        table = env.table(seed, seed % 4)
        tables[table.get_observation()[1]] = table

    def answer(messages: Messages) -> str:
        table = tables[messages[1]["content"]]
        assert messages[-1]["content"] == table.get_observation()[1]
        _, info = table.step("")  # hints play
        return f"<think>SA?</think>PLAY: {info['play']}"

    found = rollouts(env, answer)
    assert [each["reward"] for each in found] == [0.5, 0.5]
    assert [each["metrics"]["gain"] for each in found] == [0, 0]
    assert all(table.done for table in tables.values())


def test_the_reward_is_the_gain_over_hints_without_luck() -> None:
    env = environment(deals=1, seed=4)
    row = env.row(4)
    assert row is not None
    table = env.table(4, 0)
    while not table.done:
        table.step(legal(table.text(0))[0])
    gain = table.deal.payoff()[0] - row["info"]["hints"]
    lucky = env.luck(table, 4)
    (found,) = rollouts(env, lambda messages: f"PLAY: {legal(messages[-1]['content'])[0]}")
    assert lucky != 0
    assert found["metrics"]["gain"] == pytest.approx(gain - lucky)
    assert found["reward"] == pytest.approx(min(1, max(0, 0.5 + (gain - lucky) / (2 * env.widest))))
    assert found["metrics"]["num_turns"] == 13
    assert found["metrics"]["refused"] == 0


def test_what_is_taken_out_is_nothing_on_average() -> None:
    """A model that plays the first legal card, on 40 deals: the mean is within three of its standard errors of 0."""
    env, found = environment(deals=1), []
    for seed in range(40):
        table = env.table(seed, seed % 4)
        while not table.done:
            table.step(legal(table.text(table.seat))[0])
        found.append(env.luck(table, seed))
    assert abs(np.mean(found)) < 3 * np.std(found) / np.sqrt(len(found))


def test_a_refusal_is_told_and_a_model_that_never_answers_gets_nothing() -> None:
    def answer(messages: Messages) -> str:
        told.append(messages[-1]["content"])
        return "I fold."

    told: list[str] = []
    (found,) = rollouts(environment(deals=1, retries=1), answer)
    assert found["reward"] == 0
    assert found["metrics"]["refused"] == 26
    assert "I fold. is not a play" in told[1]
    assert told[1].endswith(told[0])


def test_a_rollout_that_ends_before_the_deal_gets_nothing() -> None:
    env = environment(deals=1, max_turns=3)
    (found,) = rollouts(env, lambda messages: legal(messages[-1]["content"])[0])
    assert (found["reward"], found["metrics"]["gain"], found["metrics"]["num_turns"]) == (0, 0, 3)


def test_the_model_sits_in_each_seat_and_reads_the_rules_in_its_language() -> None:
    env = environment(deals=4, language="ja")
    rows = env.get_dataset()
    assert [row["info"]["seat"] for row in rows] == [0, 1, 2, 3]
    assert rows[0]["prompt"][0]["content"] == tefuda.rules_text(env.game, "ja")
    assert "You may play" not in rows[0]["prompt"][1]["content"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"game": "gong-zu"}, "there is no game 'gong-zu'"),
        ({"opponents": "hint"}, "there is no bot 'hint'"),
        ({"language": "xx"}, "there are no texts in 'xx'"),
        ({"deals": 0}, "deals: 0 is not a whole number from 1 up"),
        ({"retries": -1}, "retries: -1"),
    ],
)
def test_a_wrong_argument_is_an_error_of_one_line(given: dict[str, Any], told: str) -> None:
    with pytest.raises(tefuda.TefudaError, match=told):
        load_environment(**{"game": "gong-zhu", "deals": 1, **given})
