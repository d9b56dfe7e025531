"""Systems whose model is there already."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from askagain.archive import Archive
from askagain.encoders.ready import ReadySystem
from askagain.encoders.shipped import shipped_encoder
from askagain.errors import SettingsError
from askagain.question import Question
from askagain.systems import READY_SYSTEMS, TRAINABLE_SYSTEMS, load_system, make_ranker, parse_recipe
from askagain.views import Views


def ready(name: str) -> ReadySystem:
    system = load_system(name)
    assert isinstance(system, ReadySystem)
    return system


@pytest.fixture
def views(tmp_path: Path) -> Iterator[Views]:
    with Archive.open(tmp_path / "forum.db") as archive:
        archive.put_many([Question("boot from usb", id="usb"), Question("sticky rice", id="rice")])
        yield Views(archive, durable=False)


def test_a_recipe_with_ready_is_a_ready_system() -> None:
    system = parse_recipe('[ready]\nkind = "sentences"\nfolder = "mine"\n[search]\ndepth = 5', "mine.toml")
    assert isinstance(system, ReadySystem)
    assert (system.name, system.ready.kind, system.ready.folder) == ("mine", "sentences", "mine")
    assert system.search.depth == 5


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        ('[ready]\nkind = "magic"', r"mine.toml, \[ready\].*kind is 'magic'"),
        ("[ready]\nspeed = 1", r"mine.toml, \[ready\].*speed"),
        ("colour = 1\n[ready]", "mine.toml: no setting is named 'colour'"),
        ("[ready]\n[search]\nmethod = 'magic'", r"mine.toml, \[search\].*method is 'magic'"),
    ],
)
def test_an_error_names_the_recipe_and_the_setting(recipe: str, complaint: str) -> None:
    with pytest.raises(SettingsError, match=complaint):
        parse_recipe(recipe, "mine.toml")


def test_how_it_searches_can_be_set() -> None:
    assert ready("shipped").with_parameters({"search.depth": 7.0}).search.depth == 7


@pytest.mark.parametrize("name", ["depth", "search.speed", "ready.kind"])
def test_nothing_else_can_be_set(name: str) -> None:
    with pytest.raises(SettingsError, match=f"shipped has no setting '{name}': write search.method"):
        ready("shipped").with_parameters({name: 1.0})


def test_without_bodies_it_is_the_same_system() -> None:
    assert ready("shipped").restricted_to(("title",)) == ready("shipped")


@pytest.mark.parametrize("name", READY_SYSTEMS)
def test_a_ready_system_has_nothing_to_learn(name: str) -> None:
    assert name not in TRAINABLE_SYSTEMS
    with pytest.raises(SettingsError, match=f"no system is named '{name}-small'"):
        load_system(f"{name}-small")


def test_the_shipped_encoder_searches_by_its_vectors(views: Views) -> None:
    ranker = make_ranker(ready("shipped"), views)
    asked = Question("rice that is sticky")
    [match] = ranker.search(asked, 1)
    mine, theirs = shipped_encoder().encode([asked, Question("sticky rice")]).dense
    assert ranker.name == "shipped"
    assert match.id == "rice"
    assert match.score == pytest.approx(float(mine @ theirs), abs=1e-5)


def test_it_takes_no_model(views: Views) -> None:
    with pytest.raises(SettingsError, match="shipped has nothing to learn and takes no model: name the sys"):
        make_ranker(ready("shipped"), views, Path("somewhere"))
