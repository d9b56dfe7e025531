"""The analyzer: which terms an index or a model counts, and the settings that decide it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askagain.analysis import Analyzer, AnalyzerSettings
from askagain.errors import SettingsError
from askagain.stopwords import ENGLISH
from askagain.text import LINK, TextOptions

POST = "<p>The drivers are not updating, see <a href='x'>this</a></p><pre>sudo make</pre>"


@pytest.mark.parametrize(
    ("settings", "terms"),
    [
        (AnalyzerSettings(), f"the driver are not updat see this {LINK}"),
        (AnalyzerSettings(stemmer="none"), f"the drivers are not updating see this {LINK}"),
        (AnalyzerSettings(stop_words="english"), f"driver not updat see {LINK}"),
        (
            AnalyzerSettings(text=TextOptions(block_code=True)),
            f"the driver are not updat see this {LINK} sudo make",
        ),
        (
            AnalyzerSettings(stop_words="english", ngrams=2),
            f"driver not updat see {LINK} driver_not not_updat updat_see see_{LINK}",
        ),
    ],
)
def test_settings_decide_the_terms(settings: AnalyzerSettings, terms: str) -> None:
    assert Analyzer(settings).terms(POST) == terms.split()


def test_words_come_before_pairs_and_pairs_before_triples() -> None:
    analyzer = Analyzer(AnalyzerSettings(stemmer="none", ngrams=3))
    assert analyzer.terms("a b a") == ["a", "b", "a", "a_b", "b_a", "a_b_a"]
    assert analyzer.terms("a") == ["a"]
    assert analyzer.terms("") == []


def test_stemming_follows_the_named_algorithm() -> None:
    assert Analyzer(AnalyzerSettings(stemmer="german")).terms("Häuser") == ["haus"]


def test_steps_lead_from_the_raw_post_to_the_terms() -> None:
    analyzer = Analyzer(AnalyzerSettings(stop_words="english", ngrams=2))
    seen = analyzer.steps(POST)
    assert seen[0].text == POST
    assert [step.name for step in seen[-5:]] == ["white space", "tokens", "stop words", "stems", "n-grams"]
    assert seen[-1].text.split() == analyzer.terms(POST)
    assert seen[-2].text == f"driver not updat see {LINK}"


@given(
    st.builds(
        AnalyzerSettings,
        stemmer=st.sampled_from(["none", "english", "french"]),
        stop_words=st.sampled_from(["none", "english"]),
        ngrams=st.integers(1, 3),
        text=st.builds(TextOptions, block_code=st.booleans(), inline_code=st.booleans()),
    )
)
def test_settings_survive_being_stored(settings: AnalyzerSettings) -> None:
    assert AnalyzerSettings.from_dict(settings.to_dict()) == settings


def test_settings_that_are_not_named_have_their_default() -> None:
    assert AnalyzerSettings.from_dict({"ngrams": 2}) == AnalyzerSettings(ngrams=2)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"stemer": "english"},
            "unknown analyzer setting stemer; the settings are stemmer, stop_words, ngrams, text",
        ),
        ({"stemmer": "klingon"}, "stemmer is 'klingon'; expected one of 'none', 'arabic'"),
        ({"stop_words": None}, "stop_words is None; expected one of 'none', 'english'"),
        ({"ngrams": 4}, "ngrams is 4; expected one of 1, 2, 3"),
        ({"ngrams": True}, "ngrams is True; expected one of 1, 2, 3"),
        ({"ngrams": "2"}, "ngrams is '2'; expected one of 1, 2, 3"),
        ({"text": "all"}, "text is 'all'; expected a table of settings"),
        ({"text": {"code": True}}, "unknown analyzer setting text.code; the settings are text.block_code"),
        ({"text": {"block_code": 1}}, "text.block_code is 1; expected one of False, True"),
    ],
)
def test_wrong_settings_name_key_value_and_choices(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        AnalyzerSettings.from_dict(values)
    assert message in str(error.value)


def test_question_words_and_negations_are_no_stop_words() -> None:
    kept = {"how", "what", "why", "when", "where", "which", "who", "not", "no", "without", "can't"}
    assert not ENGLISH & kept


def test_threads_may_share_an_analyzer() -> None:
    analyzer = Analyzer()
    posts = [" ".join(f"running{number + shift}s" for number in range(200)) for shift in range(50)] * 4
    expected = [Analyzer().terms(post) for post in posts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(analyzer.terms, posts)) == expected


def test_terms_lead_back_to_the_words_as_first_written() -> None:
    assert Analyzer().words("Updating updated drivers")["updat"] == "updating"
    assert Analyzer().words("Updating updated drivers")["driver"] == "drivers"
