"""Settings come from a file, then from the environment, then from the command line."""

from pathlib import Path

import pytest

from askagain.errors import SettingsError
from askagain.service.settings import ServiceSettings, read_settings

REPOSITORY = Path(__file__).parent.parent.parent


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "service.toml"
    path.write_text('archive = "forum.db"\nport = 1\nworkers = 2\norigins = ["https://a.example"]\n')
    return path


def test_what_is_nearer_to_the_command_counts_more(file: Path) -> None:
    settings = read_settings(
        file, {"ASKAGAIN_SERVE_PORT": "2", "ASKAGAIN_SERVE_HOST": "::1"}, {"host": "0.0.0.0"}
    )
    assert (settings.workers, settings.port, settings.host) == (2, 2, "0.0.0.0")


def test_variables_have_the_types_of_their_settings() -> None:
    environment = {
        "ASKAGAIN_SERVE_ORIGINS": "https://a.example, https://b.example",
        "ASKAGAIN_SERVE_QUEUE": "false",
        "ASKAGAIN_SERVE_RATE": "2.5",
    }
    settings = read_settings(None, environment, {})
    assert settings.origins == ("https://a.example", "https://b.example")
    assert (settings.queue, settings.rate) == (False, 2.5)


def test_another_process_gets_the_same_settings(file: Path) -> None:
    settings = read_settings(file, {}, {})
    assert ServiceSettings.from_environment(settings.to_environment()) == settings


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"ASKAGAIN_SERVE_PORT": "many"}, "ASKAGAIN_SERVE_PORT is 'many': it must be a number"),
        ({"ASKAGAIN_SERVE_PORT": "70000"}, "port is 70000: it must be from 0 to 65535"),
        ({"ASKAGAIN_SERVE_QUEUE": "yes"}, "it must be true or false"),
        ({"ASKAGAIN_SERVE_READS": "closed"}, "it must be one of 'open', 'keyed'"),
    ],
)
def test_a_wrong_variable_is_named(environment: dict[str, str], expected: str) -> None:
    with pytest.raises(SettingsError, match=expected):
        read_settings(None, environment, {})


@pytest.mark.parametrize("text", ["port = ", "colour = 1", "\xff"])
def test_a_wrong_file_is_an_error_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "service.toml"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(SettingsError) as caught:
        read_settings(path, {}, {})
    assert "\n" not in str(caught.value)


def test_the_example_is_one_that_can_be_used() -> None:
    assert read_settings(REPOSITORY / "examples" / "service.toml", {}, {}).workers == 2


def test_every_setting_is_on_the_page() -> None:
    page = (REPOSITORY / "docs" / "service.md").read_text()
    assert not [name for name in ServiceSettings.__dataclass_fields__ if f"`{name}`" not in page]
