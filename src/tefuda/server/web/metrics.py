"""Figures for Prometheus, with ``--metrics`` and its client (extra ``metrics``)."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tefuda.engine.extras import needed_by


class NoMetrics:
    """Counts nothing."""

    def order(self) -> AbstractContextManager[Any]:
        """A context around an order that is carried out."""
        return nullcontext()

    def page(self) -> bytes | None:
        """The page that Prometheus reads; None if nothing is counted."""
        return None


class Metrics(NoMetrics):
    """Counts orders, tables and subscribers.

    Args:
        tables, subscribers: tell how many there are now.

    Raises:
        MissingPackageError: the client is not installed.
    """

    def __init__(self, tables: Callable[[], int], subscribers: Callable[[], int]) -> None:
        with needed_by("--metrics", "metrics"):
            import prometheus_client as client
        self._client, self._registry = client, client.CollectorRegistry()
        client.ProcessCollector(registry=self._registry)
        buckets = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
        self._orders = client.Histogram(
            "tefuda_order_seconds", "Orders carried out and kept", registry=self._registry, buckets=buckets
        )
        self._refused = client.Counter("tefuda_refused", "Orders refused", registry=self._registry)
        for name, text, count in (
            ("tefuda_tables", "Tables in hand", tables),
            ("tefuda_watchers", "Sockets and streams", subscribers),
        ):
            client.Gauge(name, text, registry=self._registry).set_function(count)

    def order(self) -> AbstractContextManager[Any]:
        return _Both(self._orders.time(), self._refused.count_exceptions())

    def page(self) -> bytes | None:
        page: bytes = self._client.generate_latest(self._registry)
        return page


class _Both(AbstractContextManager[Any]):
    def __init__(self, *parts: AbstractContextManager[Any]) -> None:
        self._parts = parts

    def __enter__(self) -> None:
        for part in self._parts:
            part.__enter__()

    def __exit__(self, *error: Any) -> None:
        for part in self._parts:
            part.__exit__(*error)
