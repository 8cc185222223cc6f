"""Figures for Prometheus: what is counted, where they are answered, and that the dashboard asks for what exists."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from urllib.request import urlopen

import pytest

from tefuda.engine.errors import TefudaError
from tefuda.server.settings import ServerSettings
from tests.server.players import seat_all
from tests.server.server_process import Served, free_port, serving

pytest.importorskip("prometheus_client", reason="metrics left out: uv sync --extra metrics")

DEPLOY = Path(__file__).parents[2] / "deploy"
OWN = ("process_", "tefuda_")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    """A server at which a deal was played, a bot too, and something was refused; and the address of its figures."""
    port, folder = free_port(), tmp_path_factory.mktemp("measured")
    options = ("--metrics-at", f"127.0.0.1:{port}", "--game", "gong-zhu", "--log", "debug")
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", *options) as server:

        async def play() -> None:
            crowd = await seat_all([server.url], "gong-zhu", 4)
            for order in (
                {"path": "leave", "token": crowd.players[3].token},
                {"path": "bots", "body": {"bot": "hints"}},
            ):
                assert (await crowd.post(**order)).status_code == 200
            refused = await crowd.players[0].order(type="play", play="nonsense")
            assert refused["type"] == "refused"
            await asyncio.gather(*(player.play_on() for player in crowd.players[:3]))
            await asyncio.sleep(0.5)
            await crowd.close()

        asyncio.run(play())
        yield server, f"http://127.0.0.1:{port}/metrics"


def names(page: str) -> set[str]:
    return set(re.findall(r"^([a-z_]+)[{ ]", page, re.MULTILINE))


def test_figures_are_answered_at_an_address_of_their_own(measured: tuple[Served, str]) -> None:
    server, address = measured
    page = urlopen(address, timeout=5).read().decode()
    assert re.search(r'^tefuda_order_seconds_count\{game="gong-zhu"\} [1-9]', page, re.MULTILINE)
    assert re.search(
        r'^tefuda_refused_total\{code="no_play"\} 1|^tefuda_refused_total\{code="no_deal"\} 1', page, re.MULTILINE
    )
    for counted in ("commit_seconds", "log_read_seconds", "loop_lag_seconds"):
        assert re.search(rf"^tefuda_{counted}_count [1-9]", page, re.MULTILINE)
    assert re.search(r'^tefuda_bot_wait_seconds_count\{pool="bots"\} [1-9]', page, re.MULTILINE)
    assert re.search(r'^tefuda_bot_queue\{pool="searches"\} 0', page, re.MULTILINE)
    assert re.search(r'^tefuda_tables\{game="gong-zhu"\} 1', page, re.MULTILINE)
    with pytest.raises(OSError, match="404"):
        urlopen(f"{server.url}/metrics", timeout=5)


def test_the_dashboard_and_the_alerts_ask_for_what_exists(measured: tuple[Served, str]) -> None:
    found = names(urlopen(measured[1], timeout=5).read().decode()) | {"tefuda_limits_total"}  # none was hit
    dashboard = json.loads((DEPLOY / "grafana" / "tefuda.json").read_text("utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += re.findall(r"expr: (.*)", (DEPLOY / "alerts.yml").read_text("utf-8"))
    assert len(asked) > 15
    for expression in asked:
        wanted = {name for name in re.findall(r"[a-z_]+", expression) if name.startswith(OWN)}
        assert wanted <= found | {"up"}, expression
        assert wanted or "up{" in expression


def test_limits_that_were_hit_are_counted() -> None:
    from tefuda.server.http.context import Server
    from tefuda.server.http.limits import Admission
    from tefuda.server.metrics import Metrics

    admission = Admission(ServerSettings(requests=1, connections=1))
    admission.connect("10.0.0.1")
    admission.connect("10.0.0.1")
    assert not admission.take("10.0.0.1", 51)
    admission.cut("10.0.0.1")
    tables = SimpleNamespace(count_by_game=dict, subscriber_count=0)
    metrics = Metrics(
        cast(Server, SimpleNamespace(tables=tables, bots=SimpleNamespace(waiting={}), admission=admission))
    )
    page = metrics.page()
    assert page is not None
    for limit in ("connections", "requests", "messages"):
        assert f'tefuda_limits_total{{limit="{limit}"}} 1.0' in page.decode()


def test_the_log_says_what_happened_and_to_which_table_never_who(measured: tuple[Served, str]) -> None:
    server, _ = measured
    lines = [json.loads(line) for line in server.log.read_text("utf-8").splitlines() if line.startswith("{")]
    opened = [line for line in lines if line["message"] == "a table was opened"]
    assert {line["game"] for line in opened} == {"gong-zhu"}
    requests = [line for line in lines if line["message"] == "a request"]
    joined = [line for line in requests if line["path"].endswith("/join")]
    assert {(line["method"], line["status"]) for line in joined} == {("POST", 200)}
    assert all(line["ms"] >= 0 for line in joined)
    everything = server.log.read_text("utf-8")
    assert "player 0" not in everything
    assert "Bearer" not in everything
    assert not re.search(r"127\.0\.0\.1:\d+ ", everything)


@pytest.mark.parametrize("address", ["9100", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", ":9100"])
def test_an_address_of_figures_is_checked(address: str) -> None:
    with pytest.raises(TefudaError, match="--metrics-at"):
        ServerSettings(metrics_at=address)
