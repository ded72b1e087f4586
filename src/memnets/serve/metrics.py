"""What the server counts, as Prometheus reads it. Nothing of a question is in it."""

import time
from collections.abc import Callable, Iterable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
UNKNOWN = "(unknown)"
"""The label of names that are not served: whoever asks must not be able to fill the memory."""


class Metrics:
    """The figures of a server.

    Args:
        names: of what is served.
    """

    media_type = CONTENT_TYPE_LATEST

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self._requests = Counter(
            "memnets_requests",
            "Questions, by thing and status",
            ("thing", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "memnets_request_seconds",
            "From the head of a request to its reply",
            ("thing",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._sizes = Histogram(
            "memnets_batch_questions",
            "Questions that were answered together",
            ("thing",),
            buckets=SIZES,
            registry=self.registry,
        )
        self._computed = Counter(
            "memnets_model_seconds",
            "Seconds spent in the model",
            ("thing",),
            registry=self.registry,
        )
        self._waiting = Gauge(
            "memnets_waiting",
            "Questions that wait or are being answered",
            ("thing",),
            registry=self.registry,
        )

    def waiting(self, name: str, count: Callable[[], float]) -> None:
        """Take the number of questions that wait for a thing from here."""
        self._waiting.labels(name).set_function(count)

    def batch(self, name: str) -> Callable[[int, float], None]:
        """Return who is told of the batches of a thing."""
        sizes, computed = self._sizes.labels(name), self._computed.labels(name)

        def tell(size: int, seconds: float) -> None:
            sizes.observe(size)
            computed.inc(seconds)

        return tell

    def request(self, name: str) -> "Request":
        """Return a request that is counted when it is done."""
        return Request(self, name if name in self._names else UNKNOWN)

    def count(self, name: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(name, str(status)).inc()
        self._seconds.labels(name).observe(seconds)

    def text(self) -> bytes:
        """Return all figures."""
        return generate_latest(self.registry)


class Request:
    """A request that is being answered."""

    def __init__(self, metrics: Metrics, name: str) -> None:
        self.metrics, self.name, self.status = metrics, name, 500
        self.began = 0.0

    def __enter__(self) -> "Request":
        self.began = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.metrics.count(self.name, self.status, time.perf_counter() - self.began)
