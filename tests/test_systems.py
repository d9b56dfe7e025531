"""Recipes: what a TOML file says, and what is wrong with it in one line."""

from pathlib import Path

import pytest

from askagain.encoders.ready import ReadySystem
from askagain.encoders.recipe import EncoderSystem, read_encoder_system
from askagain.encoders.settings import Cnn, Rcnn
from askagain.errors import SettingsError
from askagain.fusion.recipe import FusedSystem
from askagain.lexical.recipe import LexicalSystem
from askagain.rerank.recipe import PairSystem, read_pair_system
from askagain.systems import (
    ENCODER_SYSTEMS,
    LEXICAL_SYSTEMS,
    PAIR_SYSTEMS,
    SYSTEMS,
    load_system,
    parse_recipe,
)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_of_the_package_has_a_recipe_of_its_name(name: str) -> None:
    system = load_system(name)
    assert system.name == name
    assert system.description


@pytest.mark.parametrize("name", LEXICAL_SYSTEMS)
def test_a_lexical_system_has_the_similarity_of_its_name(name: str) -> None:
    system = load_system(name)
    assert isinstance(system, LexicalSystem)
    assert system.similarity["name"] == name


def test_what_a_recipe_does_not_say_has_a_default() -> None:
    system = parse_recipe("", "mine.toml")
    assert system.name == "mine"
    assert system.similarity == {"name": "bm25"}
    assert system.fields == {"title": 1.0, "body": 1.0}
    assert system.most_terms is None


def test_parameters_without_a_name_are_those_of_the_default_similarity() -> None:
    assert parse_recipe("[similarity]\nk1 = 1.0", "mine.toml").similarity == {"name": "bm25", "k1": 1.0}


def test_a_recipe_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "steep.toml"
    file.write_text('[similarity]\nname = "bm25"\nk1 = 0.4\n[fields]\ntext = 2\n[options]\nmost_terms = 20\n')
    system = load_system(str(file))
    assert system.similarity["k1"] == 0.4
    assert system.fields == {"text": 2.0}
    assert system.most_terms == 20


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        ("colour = 1", "unknown setting 'colour'"),
        ("similarity = 3", r"must be a table, written as \[similarity\]"),
        ("[fields]\ntitle = 0", "weight 0 of field title must be a number from 1e-06"),
        ("[fields]\ntitle = true", "weight True of field title"),
        ("[fields]\ntitle = nan", "weight nan of field title"),
        ("[fields]\ntitle = inf", "weight inf of field title"),
        ("[fields]\ntitle = 1e-40", "weight 1e-40 of field title"),
        ("[fields]\ntitle = 1" + 400 * "0", "weight 10000000000000000000 of field title"),
        ("[options]\nmost_terms = 0", "most_terms = 0 must be a whole number from 1 to 20000"),
        ("[options]\nmost_terms = true", "most_terms = True must be a whole number"),
        ("[options]\nmost_terms = 100000", "most_terms = 100000 must be a whole number"),
        ("[options]\ncoarse_lengths = 'false'", "coarse_lengths = 'false' must be true or false"),
        ("[options]\nspeed = 1", "unknown setting 'speed'"),
        ("[analyzer]\nstemmer = 'klingon'", "klingon"),
        ("[", "not valid TOML"),
    ],
)
def test_an_error_names_the_recipe_and_the_setting(recipe: str, complaint: str) -> None:
    with pytest.raises(SettingsError, match=complaint):
        parse_recipe(recipe, "mine.toml")


@pytest.mark.parametrize("name", ["bm26", "nowhere.toml"])
def test_an_unknown_system_is_an_error_that_names_it(name: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load_system(name)


@pytest.mark.parametrize(
    ("recipe", "kind"),
    [
        ("", LexicalSystem),
        ("[[parts]]\nkind = 'average'", EncoderSystem),
        ("[judge]\nkind = 'unimelb'", PairSystem),
        ("[fusion]", FusedSystem),
        ("[ready]", ReadySystem),
    ],
    ids=["nothing", "parts", "judge", "fusion", "ready"],
)
def test_the_tables_of_a_recipe_tell_what_it_describes(recipe: str, kind: type) -> None:
    assert type(parse_recipe(recipe, "mine.toml")) is kind


def test_a_system_can_be_restricted_to_some_of_its_fields() -> None:
    assert load_system("bm25").restricted_to(("title",)).fields == {"title": 1.0}


def test_one_field_of_title_and_body_stays_whatever_the_restriction() -> None:
    system = parse_recipe("[fields]\ntext = 1", "mine.toml")
    assert system.restricted_to(("title",)).fields == {"text": 1.0}


def test_a_system_without_any_of_the_fields_is_an_error() -> None:
    system = parse_recipe("[fields]\nbody = 1", "mine.toml")
    with pytest.raises(SettingsError, match="none of the fields title"):
        system.restricted_to(("title",))


def test_other_parameters_leave_the_recipe_as_it_was() -> None:
    system = load_system("bm25")
    assert system.with_parameters({"k1": 3}).similarity["k1"] == 3
    assert system.similarity["k1"] == 1.2


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("training.epochs", 1.0, "system bm25: bm25 has no parameter 'training.epochs': it has k1, b"),
        ("k1", "high", "system bm25: .*k1"),
        ("b", 2.0, "system bm25: .*b"),
    ],
)
def test_parameters_that_a_similarity_cannot_have_are_refused_at_once(
    name: str, value: float | str, complaint: str
) -> None:
    with pytest.raises(SettingsError, match=complaint):
        load_system("bm25").with_parameters({name: value})


# Systems that learn


def learning(name: str) -> EncoderSystem:
    system = load_system(name)
    assert isinstance(system, EncoderSystem)
    return system


def parsed(recipe: str) -> EncoderSystem:
    system = parse_recipe(recipe, "mine.toml")
    assert isinstance(system, EncoderSystem)
    return system


@pytest.mark.parametrize("name", [*ENCODER_SYSTEMS, *(f"{name}-small" for name in ENCODER_SYSTEMS)])
def test_a_system_that_learns_is_the_same_when_its_table_is_read_again(name: str) -> None:
    system = learning(name)
    assert system.name == name
    assert read_encoder_system(system.to_table(), "again") == system


@pytest.mark.parametrize("name", [*PAIR_SYSTEMS, *(f"{name}-small" for name in PAIR_SYSTEMS)])
def test_a_system_that_judges_pairs_is_the_same_when_its_table_is_read_again(name: str) -> None:
    system = load_system(name)
    assert isinstance(system, PairSystem)
    assert system.name == name
    assert read_pair_system(system.to_table(), "again") == system


@pytest.mark.parametrize("name", ENCODER_SYSTEMS)
def test_a_small_variant_is_the_same_network_with_fewer_numbers(name: str) -> None:
    whole, small = learning(name), learning(f"{name}-small")
    assert [part.kind for part in small.parts] == [part.kind for part in whole.parts]
    assert small.parts[-1].words.dimension < whole.parts[-1].words.dimension
    assert small.training.epochs < whole.training.epochs
    assert (small.pretraining is None) == (whole.pretraining is None)
    assert small.search == whole.search


@pytest.mark.parametrize("name", ENCODER_SYSTEMS)
def test_a_system_pretrains_if_its_name_says_so(name: str) -> None:
    assert (learning(name).pretraining is not None) == name.endswith("-pretrained")


@pytest.mark.parametrize("name", ["bm25-small", "rcnn-small-small", "-small"])
def test_only_what_learns_has_a_small_variant(name: str) -> None:
    with pytest.raises(SettingsError, match=f"no system is named '{name}'"):
        load_system(name)


def test_the_papers_settings_are_the_defaults() -> None:
    bow, cnn = learning("bow-cnn").parts
    assert bow.kind == "bow"
    assert isinstance(cnn.network, Cnn)
    assert (cnn.network.hidden, cnn.network.width, cnn.network.pooling) == (400, 3, "max")
    assert (learning("bow-cnn").training.loss, learning("bow-cnn").training.scale) == ("logistic", 10.0)
    rcnn = learning("rcnn")
    assert isinstance(rcnn.parts[0].network, Rcnn)
    assert (rcnn.parts[0].network.hidden, rcnn.parts[0].network.width) == (400, 2)
    assert (rcnn.training.loss, rcnn.training.margin, rcnn.training.most_positives) == ("margin", 1.0, 10)


def test_a_recipe_with_a_part_is_one_that_learns() -> None:
    system = parsed("[[parts]]\nkind = 'rcnn'\nhidden = 7\n[training]\nrate = 1")
    assert system.name == "mine"
    assert isinstance(system.parts[0].network, Rcnn)
    assert system.parts[0].network.hidden == 7
    assert system.training.rate == 1.0


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        ("parts = 3", "mine.toml has no part"),
        ("parts = []", "mine.toml has no part"),
        ("colour = 1\n[[parts]]\nkind = 'cnn'", "mine.toml: no setting is named 'colour'"),
        (
            "[[parts]]\nkind = 'bert'",
            "mine.toml, part 1: kind must be one of bow, average, cnn, lstm, gru, rcnn",
        ),
        (
            "[[parts]]\nkind = 'cnn'\n[[parts]]\nkind = 'gru'\nwidth = 2",
            "part 2: no setting is named 'width'",
        ),
        ("[[parts]]\nkind = 'cnn'\nwidth = 0", "mine.toml, part 1: width is 0: it must be from 1 to 20"),
        ("[[parts]]\nkind = 'cnn'\npooling = 'last'", "pooling is 'last': it must be one of 'mean', 'max'"),
        ("[[parts]]\nkind = 'cnn'\n[training]\nloss = 'none'", r"mine.toml, \[training\], loss is 'none'"),
        ("[[parts]]\nkind = 'cnn'\n[pretraining]\ncontexts = []", "contexts is empty: name one or more"),
        ("[[parts]]\nkind = 'cnn'\n[parts.words]\nown = false", "there must be files to take word vectors"),
    ],
)
def test_an_error_names_the_part_and_the_setting(recipe: str, complaint: str) -> None:
    with pytest.raises(SettingsError, match=complaint):
        parse_recipe(recipe, "mine.toml")


def test_a_setting_of_the_parts_changes_every_part_that_has_it() -> None:
    system = learning("bow-cnn").with_parameters({"parts.longest": 5.0, "parts.hidden": 9.0})
    assert [part.longest for part in system.parts] == [5, 5]
    assert isinstance(system.parts[1].network, Cnn)
    assert system.parts[1].network.hidden == 9


def test_settings_from_a_command_line_get_their_types() -> None:
    system = learning("rcnn-pretrained").with_parameters(
        {
            "training.epochs": 3.0,
            "training.rate": 1.0,
            "parts.words.trained": "true",
            "parts.words.files": "one.txt+two.txt",
            "pretraining.contexts": "title+body",
            "search.candidates": "vectors",
        }
    )
    assert (system.training.epochs, system.training.rate) == (3, 1.0)
    assert system.parts[0].words.trained is True
    assert system.parts[0].words.files == ("one.txt", "two.txt")
    assert system.pretraining is not None
    assert system.pretraining.contexts == ("title", "body")
    assert system.search.candidates == "vectors"


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("rate", 1.0, "rcnn has no setting 'rate': write training.rate"),
        ("training.speed", 1.0, "no setting is named 'speed'"),
        ("pretraining.epochs", 1.0, "rcnn has no pretraining, .* such as rcnn-pretrained"),
        ("parts.start", "ones", "rcnn has no part with a setting 'start'"),
        ("parts.words.size", 3.0, "rcnn has no part with a setting 'words.size'"),
        ("training.epochs", 1.5, "epochs is 1.5: it must be a whole number"),
        ("training.rate", float("nan"), "rate is nan: it must be from"),
    ],
)
def test_a_wrong_setting_is_refused(name: str, value: float | str, complaint: str) -> None:
    with pytest.raises(SettingsError, match=complaint):
        learning("rcnn").with_parameters({name: value})


def test_without_bodies_only_titles_are_read() -> None:
    system = learning("bow-cnn")
    assert [part.fields for part in system.restricted_to(("title",)).parts] == ["title", "title"]
    assert system.restricted_to(("title", "body")) == system
