"""WordNet's files give the synsets that nltk finds, and an error that helps when they are not there."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from askagain.errors import MissingResourceError
from askagain.rerank.features import wordnet

PART_OF_SPEECH = {
    "n": wordnet.NOUN,
    "v": wordnet.VERB,
    "a": wordnet.ADJECTIVE,
    "s": wordnet.ADJECTIVE,
    "r": wordnet.ADVERB,
}


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty folder, with no WordNet anywhere that is looked at."""
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(wordnet, "_SYSTEM", ())
    monkeypatch.setattr(wordnet, "_DEBIAN", str(tmp_path / "wordnet"))
    forget_words()
    yield tmp_path
    forget_words()


def forget_words() -> None:
    for remembered in (wordnet.loaded, wordnet._entry, wordnet.synsets, wordnet.synonyms):
        remembered.cache_clear()


def test_a_word_has_its_synsets_of_all_parts_of_speech():
    parts = {number // 10**8 for number in wordnet.synsets("well")}
    assert parts == {wordnet.NOUN, wordnet.VERB, wordnet.ADJECTIVE, wordnet.ADVERB}


@pytest.mark.parametrize(
    ("form", "base"),
    [("oils", "oil"), ("geese", "goose"), ("bought", "buy"), ("studies", "study"), ("bigger", "big"),
     ("RUNNING", "run")],
)  # fmt: skip
def test_an_inflected_form_shares_meanings_with_its_base_form(form, base):
    assert wordnet.same_meaning(form, base)


def test_synsets_are_those_of_nltk_for_the_words_of_real_questions(word_pairs):
    from nltk.corpus import wordnet as nltk_wordnet

    words = {word for pair in word_pairs for text in pair for word in text}
    assert len(words) > 1000
    for word in words:
        theirs = {
            PART_OF_SPEECH[found.pos()] * 10**8 + found.offset() for found in nltk_wordnet.synsets(word)
        }
        assert wordnet.synsets(word) == theirs, word


def test_synonyms_are_the_single_words_of_nltks_lemmas(word_pairs):
    from nltk.corpus import wordnet as nltk_wordnet

    words = {word for pair in word_pairs[:150] for text in pair for word in text}
    for word in words:
        names = {name for synset in nltk_wordnet.synsets(word) for name in synset.lemma_names()}
        assert wordnet.synonyms(word) == {name for name in names if "_" not in name}, word


def test_words_have_the_same_meaning_when_they_share_a_synset():
    assert wordnet.same_meaning("purchase", "bought")
    assert not wordnet.same_meaning("massage", "visa")


def test_unknown_words_never_have_the_same_meaning():
    assert not wordnet.same_meaning("qwxyz", "qwxyz")


def test_phrases_are_known_by_their_joined_words():
    assert wordnet.same_meaning("look_for", "seek")


@pytest.mark.parametrize(
    ("word", "part"),
    [("dog", wordnet.NOUN), ("was", wordnet.VERB), ("good", wordnet.ADJECTIVE), ("quickly", wordnet.ADVERB),
     ("visa", wordnet.NOUN), ("qwxyz", None)],
)  # fmt: skip
def test_the_part_of_speech_is_the_most_frequent_one(word, part):
    assert wordnet.part_of_speech(word) == part


@pytest.mark.parametrize(
    ("form", "base"),
    [("was", "be"), ("saw", "see"), ("children", "child"), ("cars", "car"), ("qwxyz", "qwxyz")],
)
def test_the_lemma_is_the_base_form_of_that_part_of_speech(form, base):
    assert wordnet.lemma(form) == base


@pytest.mark.parametrize(
    "word", ["", " ", "_", "%", "\u200b", "🙂", "قطر", "a" * 10_000, "s", "ing", "\ud800"]
)
def test_strange_words_are_unknown_or_have_synsets_but_never_fail(word):
    assert isinstance(wordnet.synsets(word), frozenset)


def test_without_wordnet_the_error_says_what_to_install(nowhere):
    with pytest.raises(MissingResourceError, match=r"wordnet-base and wordnet-sense-index.*NLTK_DATA"):
        wordnet.synsets("dog")


def test_wordnet_is_found_in_each_folder_of_nltk_data(nowhere, monkeypatch):
    (nowhere / "second/corpora/wordnet").mkdir(parents=True)
    (nowhere / "second/corpora/wordnet/data.noun").touch()
    monkeypatch.setenv("NLTK_DATA", os.pathsep.join([str(nowhere / "first"), str(nowhere / "second")]))
    assert wordnet.folder() == nowhere / "second/corpora/wordnet"


def test_wordnet_is_read_from_the_archive_that_nltk_downloads(nowhere, monkeypatch):
    wordnet_of_three_words(nowhere / "made/wordnet")
    shutil.make_archive(str(nowhere / "data/corpora/wordnet"), "zip", nowhere / "made", "wordnet")
    assert wordnet.same_meaning("cars", "auto")


def test_a_damaged_file_is_named_with_its_folder(nowhere):
    place = wordnet_of_three_words(nowhere / "wordnet")
    (place / "data.verb").write_text("nonsense\n")
    with pytest.raises(MissingResourceError, match=f"WordNet in {place} cannot be read"):
        wordnet.synsets("dog")


def test_a_missing_file_is_an_error_of_the_same_kind(nowhere):
    place = wordnet_of_three_words(nowhere / "wordnet")
    (place / "cntlist.rev").unlink()
    with pytest.raises(MissingResourceError, match=r"cntlist\.rev"):
        wordnet.synsets("dog")


def wordnet_of_three_words(place: Path) -> Path:
    place.mkdir(parents=True)
    for name in ("data.verb", "data.adj", "data.adv", "noun.exc", "verb.exc", "adj.exc", "adv.exc"):
        (place / name).touch()
    (place / "data.noun").write_text("  1 licence\n00001740 06 n 02 car 0 auto 0 000 | a motor vehicle\n")
    (place / "cntlist.rev").write_text("car%1:06:00:: 1 71\n")
    return place
