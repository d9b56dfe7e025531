"""Figures for Prometheus, summed over all processes of the service."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from askagain.service.settings import FIGURES
from askagain.service.state import Service

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

REQUESTS = Counter("askagain_requests_total", "Requests that were answered", ("route", "method", "status"))
SECONDS = Histogram(
    "askagain_request_seconds",
    "How long answers took",
    ("route",),
    buckets=(0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 10.0),
)
SUGGESTIONS = Counter("askagain_suggestions_total", "Matches that were suggested")
SILENCES = Counter("askagain_silences_total", "Searches for which nothing was suggested")


class _ArchiveFigures(Collector):
    """What the archive holds now."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[Metric]:
        """Read when they are asked for."""
        archive = self._service.archive
        yield GaugeMetricFamily("askagain_questions", "Questions in the archive", len(archive))
        yield GaugeMetricFamily("askagain_sequence", "Number of the last change", archive.sequence.seq)
        yield GaugeMetricFamily(
            "askagain_waiting", "Searches that wait in this process", self._service.waiting
        )


def exposition(service: Service) -> bytes:
    """All figures in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_ArchiveFigures(service))
    if FIGURES in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        for metric in (REQUESTS, SECONDS, SUGGESTIONS, SILENCES):
            registry.register(metric)
    return generate_latest(registry)
