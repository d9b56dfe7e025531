"""All features by name, and what they say about strange texts."""

import subprocess
import sys
from collections.abc import Callable
from itertools import product
from time import process_time

import numpy as np
import pytest

from askagain.errors import SettingsError
from askagain.question import Question
from askagain.rerank.features.mt.bleu import bleu
from askagain.rerank.features.mt.nist import nist_similarity
from askagain.rerank.features.mt.ter import ter_similarity
from askagain.rerank.features.overlap import Idf
from askagain.rerank.features.table import FEATURES, FIELDS, all_features, features_named, values
from askagain.rerank.features.texts import prepare

STRINGS_AND_OVERLAPS = [feature for feature in FEATURES if feature.kind in ("strings", "overlap")]

HOSTILE = {
    "nothing": Question(""),
    "no title": Question("", "how to boot from usb"),
    "one word": Question("usb"),
    "one letter": Question("a", "b"),
    "other scripts": Question("日本語の質問", "как загрузиться с флешки"),
    "emoji": Question("😀😁 👩‍👩‍👧", "🇩🇪"),
    "invisible": Question("\u200b\u200d\ufeff", "\x00\x1b"),
    "half characters": Question("\ud800 \udfff boot", "\ufffe"),
    "markup": Question("<b><script>", "&lt;&amp;" * 50),
    "the same word": Question("boot " * 500, "boot " * 10_000),
    "many words": Question("title", " ".join(f"word{number}" for number in range(10_000))),
    "long words": Question("title", " ".join("x" * 60 for _ in range(10_000))),
    "a long word": Question("x" * 100_000, "y" * 100_000),
}


@pytest.fixture(scope="module")
def compiled_kernels() -> None:
    """Compiles what is not kept from earlier runs, so that times are those of the measures alone."""
    question = prepare(Question("how to boot from usb", "it does not start"))
    values(question, question)


def test_every_name_is_there_once() -> None:
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)


def test_every_measure_is_there_for_every_field() -> None:
    for field in FIELDS:
        measures = [feature.measure for feature in FEATURES if feature.field == field]
        assert measures == [feature.measure for feature in FEATURES if feature.field == "title"]


def test_values_stand_in_the_order_of_the_features() -> None:
    chosen = features_named(["both.jaccard.words", "title.containment.words"])

    found = values(prepare(Question("boot usb")), prepare(Question("boot", "linux")), chosen)

    assert found.tolist() == [1 / 3, 1 / 2]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title.longest-common-substring.lemma-characters", 2 * len("the mouse run") / (13 + 13)),
        ("title.smith-waterman.lemmas", 1.0),
        ("title.smith-waterman.words", 1 / 3),
        ("title.tiling-1.terms", 0.5),
        ("title.contained.words", 1 / 3),
    ],
)
def test_a_feature_reads_what_its_name_ends_with(name: str, value: float) -> None:
    first, second = prepare(Question("The mice running")), prepare(Question("the mouse runs"))

    assert features_named([name])[0].value(first, second) == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "metric"),
    [("title.bleu.words", bleu), ("title.nist.words", nist_similarity), ("title.ter.words", ter_similarity)],
)
def test_metrics_of_translations_take_the_query_for_the_reference(
    name: str, metric: Callable[[list[str], list[str]], float]
) -> None:
    first, second = prepare(Question("how to boot from usb")), prepare(Question("boot from usb"))

    value = features_named([name])[0].value(first, second)

    assert value == metric(["how", "to", "boot", "from", "usb"], ["boot", "from", "usb"])
    assert value != features_named([name])[0].value(second, first)


def test_tfidf_takes_the_weights_of_a_collection() -> None:
    idf = Idf({"boot": 0.0}, unknown=1.0)
    (feature,) = features_named(["title.tfidf-cosine.terms"], all_features(idf))

    assert feature.value(prepare(Question("boot usb")), prepare(Question("boot linux"))) == 0.0


def test_an_unknown_name_is_refused_with_those_that_are_near() -> None:
    with pytest.raises(SettingsError, match=r"'title.jacard.words': did you mean title.jaccard.words"):
        features_named(["title.jacard.words"])


def test_a_name_like_no_other_is_refused_too() -> None:
    with pytest.raises(SettingsError, match="askagain features"):
        features_named(["?"])


@pytest.mark.usefixtures("compiled_kernels")
@pytest.mark.parametrize(("first", "second"), list(product(HOSTILE, HOSTILE)))
def test_strange_texts_have_values_from_0_to_1(first: str, second: str) -> None:
    started = process_time()

    found = values(prepare(HOSTILE[first]), prepare(HOSTILE[second]))

    assert np.all((found >= 0.0) & (found <= 1.0))
    assert process_time() - started < 5.0


def test_a_question_is_like_itself_by_its_strings_and_overlaps() -> None:
    question = prepare(Question("How do I boot from USB?", "The stick is not shown in the menu."))

    assert values(question, question, STRINGS_AND_OVERLAPS) == pytest.approx(1.0)


@pytest.mark.parametrize("library", ["rapidfuzz", "simplemma"])
def test_a_missing_library_is_an_error_that_says_what_to_install(library: str) -> None:
    code = f"""
import sys
sys.modules[{library!r}] = None
from askagain.errors import MissingExtraError
from askagain.question import Question
try:
    from askagain.rerank.features.table import FEATURES
    from askagain.rerank.features.texts import prepare
    prepare(Question("boot"))
except MissingExtraError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.endswith(f"need {library}: pip install 'askagain[features]'\n")
