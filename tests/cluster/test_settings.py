"""The settings of a cluster's service."""

import pytest

from askagain.cluster.settings import ClusterSettings
from askagain.errors import SettingsError


def test_another_process_finds_the_same_settings() -> None:
    settings = ClusterSettings(
        folder="f", address="a:1", replicas=2, most_replicas=5, cpus=0.5, copies="/c", grace_seconds=0.0
    )

    assert ClusterSettings.from_environment(settings.to_environment()) == settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("replicas", 0),
        ("replicas", 101),
        ("most_replicas", -1),
        ("cpus", -0.1),
        ("shard_seconds", 0.0),
        ("grace_seconds", -1.0),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(name: str, value: float) -> None:
    with pytest.raises(SettingsError, match=name):
        ClusterSettings(**{name: value})  # type: ignore[arg-type]


def test_there_cannot_be_fewer_replicas_under_load() -> None:
    with pytest.raises(SettingsError, match="most_replicas is 2, and replicas is 3"):
        ClusterSettings(replicas=3, most_replicas=2)


def test_a_setting_that_nobody_knows_is_refused() -> None:
    with pytest.raises(SettingsError, match="no setting is named 'unheard_of'"):
        ClusterSettings.from_environment({"ASKAGAIN_CLUSTER": '{"unheard_of": 1}'})
