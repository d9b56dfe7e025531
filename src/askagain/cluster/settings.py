"""The settings of a cluster's service, besides those of the HTTP service."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, Self

from askagain.errors import SettingsError
from askagain.tables import check_range, read_table

HANDED_ON: Final = "ASKAGAIN_CLUSTER"
"""The variable in which a process finds all settings of the one that started it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSettings:
    """Where the cluster's folder is, how Ray is reached, and how shards are replicated.

    Each shard has `replicas`, up to `most_replicas` under load, which reserve `cpus` each and keep their
    copies in the folder `copies` of their node. A shard that does not answer in `shard_seconds` is missing.
    The shards of a generation end `grace_seconds` after another one has taken its place.
    """

    folder: str = ""
    address: str = ""
    replicas: int = 1
    most_replicas: int = 0
    cpus: float = 0.0
    copies: str = ""
    shard_seconds: float = 8.0
    grace_seconds: float = 120.0

    def __post_init__(self) -> None:
        check_range("replicas", self.replicas, 1, 100)
        check_range("most_replicas", self.most_replicas, 0, 100)
        if 0 < self.most_replicas < self.replicas:
            raise SettingsError(
                f"most_replicas is {self.most_replicas}, and replicas is {self.replicas}: "
                "give more, or leave it out"
            )
        check_range("cpus", self.cpus, 0.0, 1000.0)
        check_range("shard_seconds", self.shard_seconds, 0.1, 3600.0)
        check_range("grace_seconds", self.grace_seconds, 0.0, 3600.0)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """As another process has handed them on."""
        return read_table(cls, json.loads(environment[HANDED_ON]), HANDED_ON)

    def to_environment(self) -> dict[str, str]:
        """For `from_environment`."""
        return {HANDED_ON: json.dumps(asdict(self))}
