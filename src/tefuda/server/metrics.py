"""Figures for Prometheus, with ``--metrics`` or ``--metrics-at`` and its client (extra ``metrics``)."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import getLogger
from typing import TYPE_CHECKING, Any

from tefuda.engine.errors import TefudaError, needed_by
from tefuda.server.event_loop import held
from tefuda.server.settings import read_address
from tefuda.server.store.port import Elsewhere, Unavailable
from tefuda.server.table.callers import Refused

if TYPE_CHECKING:
    from tefuda.server.http.context import Server

LAG_EVERY = 0.25  # seconds between two measurements of the event loop's lag
PORTS = 256  # ports that are tried from the one of ``--metrics-at`` on: each process of a server takes one

FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
"""Upper ends, in seconds, of the classes in which times are counted."""

log = getLogger("tefuda.server")


class Metrics:
    """Figures of one process: what it notes, and what its ``server`` tells when Prometheus asks, in any thread.
    ``MissingPackageError`` if the client is not installed."""

    def __init__(self, server: "Server") -> None:
        with needed_by("--metrics", "metrics"):
            import prometheus_client as client
        self._client, self._registry = client, client.CollectorRegistry()
        client.ProcessCollector(registry=self._registry)
        self._server = server
        self._registry.register(self)
        self._orders = self._histogram("order", "Orders carried out and kept, by game", "game")
        self._refused = client.Counter("tefuda_refused", "Orders refused, by code", ["code"], registry=self._registry)
        self._commits = self._histogram("commit", "Commits to the store")
        self._appends = client.Counter("tefuda_appends", "Appends that were committed", registry=self._registry)
        self.reads = self._histogram("log_read", "Logs read from the store")
        self.waits = self._histogram("bot_wait", "What bots waited for their turn to think, by pool", "pool")
        self.notices = client.Counter(
            "tefuda_notices", "Notices, by what became of them", ["outcome"], registry=self._registry
        )
        self._lag = self._histogram("loop_lag", "How late the event loop is")
        self._listener: Any = None

    def _histogram(self, name: str, text: str, *labels: str) -> Any:
        return self._client.Histogram(f"tefuda_{name}_seconds", text, labels, registry=self._registry, buckets=FAST)

    def collect(self) -> Iterator[Any]:
        """The gauges, when Prometheus asks."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        server = self._server
        for kind, name, text, label, values in (
            (GaugeMetricFamily, "tefuda_tables", "Tables in hand, by game", "game", server.tables.count_by_game()),
            (GaugeMetricFamily, "tefuda_bot_queue", "Bots that wait to think, by pool", "pool", server.bots.waiting),
            (CounterMetricFamily, "tefuda_limits", "Limits hit, by limit", "limit", dict(server.admission.hits)),
            (CounterMetricFamily, "tefuda_loop_held", "Times that work kept the loop for 50 ms", "work", dict(held)),
        ):
            family = kind(name, text, labels=[label])
            for value, count in values.items():
                family.add_metric([value], count)
            yield family
        yield GaugeMetricFamily("tefuda_watchers", "Sockets and streams", server.tables.subscriber_count)

    @contextmanager
    def order(self, game: Callable[[], str]) -> Iterator[None]:
        """A context around an order that is carried out; the game is asked for at its end."""
        began = time.perf_counter()
        try:
            yield
        except (Refused, Unavailable) as error:
            if not isinstance(error, Elsewhere):  # it is carried out there
                self._refused.labels(error.code).inc()
            raise
        self._orders.labels(game()).observe(time.perf_counter() - began)

    def commit(self, seconds: float, appends: int) -> None:
        """Note that so many appends were committed together."""
        self._commits.observe(seconds)
        self._appends.inc(appends)

    async def measure_lag(self) -> None:
        """Measure again and again how late the event loop is."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_EVERY
            await asyncio.sleep(LAG_EVERY)
            self._lag.observe(max(0.0, loop.time() - due))

    def page(self) -> bytes:
        """The page that Prometheus reads."""
        page: bytes = self._client.generate_latest(self._registry)
        return page

    def listen(self, address: str) -> None:
        """Answer Prometheus at an address of its own, ``HOST:PORT``, or at the next port that is free. ``TefudaError``
        if it is no address, or no port is free."""
        host, port = read_address(address)
        for offset in range(PORTS):
            try:
                self._listener, _ = self._client.start_http_server(port + offset, host, self._registry)
            except OSError:
                continue
            log.info("metrics at %s:%s", host, self._listener.server_port)
            return
        raise TefudaError(f"--metrics-at {address}: no port from there on is free")

    def close(self) -> None:
        """Answer no more."""
        if self._listener is not None:
            self._listener.shutdown()
            self._listener.server_close()
