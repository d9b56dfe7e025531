"""Sets on disk become benchmarks: which queries, which hits, which texts a system may see."""

import gzip
import hashlib
from pathlib import Path

import pytest
from fixed_ranker import MakeLists

from askagain.errors import AskagainError, BenchmarkError
from askagain.evaluation.benchmarks import RerankingBenchmark, RetrievalBenchmark, available_splits, load


def test_queries_are_the_questions_of_the_splits_pairs(set_folder: Path) -> None:
    assert [query.id for query in load(set_folder, "test").queries] == ["a", "b", "c"]


def test_hits_are_the_questions_paired_in_the_split(set_folder: Path) -> None:
    benchmark = load(set_folder, "test")
    assert isinstance(benchmark, RetrievalBenchmark)
    assert benchmark.relevant == {"a": {"b", "c"}, "b": {"a"}, "c": {"a"}}


def test_collection_is_the_whole_set(set_folder: Path) -> None:
    benchmark = load(set_folder, "dev")
    assert isinstance(benchmark, RetrievalBenchmark)
    assert [question.id for question in benchmark.questions] == list("abcdef")


def test_bodies_are_dropped_when_only_titles_are_asked_for(set_folder: Path) -> None:
    benchmark = load(set_folder, "test", ("title",))
    assert {question.body for question in (*benchmark.queries, *benchmark.by_id.values())} == {""}


def test_bodies_are_kept_when_asked_for_but_tags_are_not_a_field(set_folder: Path) -> None:
    query = load(set_folder, "test", ("title", "body")).queries[0]
    assert (query.body, query.tags) == ("body a", ())


def test_set_with_one_file_of_pairs_has_the_split_all(set_folder: Path) -> None:
    for path in set_folder.glob("duplicates.*.tsv"):
        path.unlink()
    (set_folder / "duplicates.tsv").write_text("a\tb\n")
    assert list(available_splits(set_folder)) == ["all"]


def test_unknown_split_names_those_available(set_folder: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"no split 'tset'; available: dev, test$"):
        load(set_folder, "tset")


def test_unknown_fields_are_named(set_folder: Path) -> None:
    with pytest.raises(BenchmarkError, match="fields 'body' do not exist; use title or title,body"):
        load(set_folder, "test", ("body",))


def test_folder_without_a_set_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(
        BenchmarkError, match=r"not a question set; expected questions\.jsonl or questions\.jsonl\.gz"
    ):
        load(tmp_path / "nowhere", "test")


def test_pair_with_an_unknown_question_is_an_error(set_folder: Path) -> None:
    (set_folder / "duplicates.test.tsv").write_text("a\tzzz\n")
    with pytest.raises(BenchmarkError, match="question 'zzz' is not in questions"):
        load(set_folder, "test")


@pytest.mark.parametrize("row", ["a", "a\ta", "a\tb\tc", "\xff"])
def test_broken_row_of_pairs_is_an_error_with_its_line(set_folder: Path, row: str) -> None:
    (set_folder / "duplicates.test.tsv").write_bytes(b"a\tb\n" + row.encode("latin-1") + b"\n")
    with pytest.raises(AskagainError, match=r"duplicates\.test\.tsv.*2"):
        load(set_folder, "test")


def test_questions_need_not_be_packed(set_folder: Path) -> None:
    packed = set_folder / "questions.jsonl.gz"
    (set_folder / "questions.jsonl").write_bytes(gzip.decompress(packed.read_bytes()))
    expected = load(set_folder, "test")
    packed.unlink()
    assert load(set_folder, "test") == expected


def test_two_questions_with_one_id_are_an_error(set_folder: Path) -> None:
    with gzip.open(set_folder / "questions.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write('{"id": "a", "title": "x"}\n{"id": "a", "title": "y"}\n')
    with pytest.raises(BenchmarkError, match="two questions have the id 'a'"):
        load(set_folder, "test")


def test_split_without_pairs_is_an_error(set_folder: Path) -> None:
    (set_folder / "duplicates.test.tsv").write_text("")
    with pytest.raises(BenchmarkError, match="no duplicate pairs"):
        load(set_folder, "test")


@pytest.mark.parametrize("content", ["", "1\t9\t2 3\t9.5 8.5\n"])
def test_lists_without_anything_to_find_are_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "dev.txt").write_text(content)
    with pytest.raises(BenchmarkError, match="no list enters the averages"):
        load(tmp_path, "dev")


def test_lei_lists_get_their_texts_from_the_corpus_beside_them(tmp_path: Path) -> None:
    (tmp_path / "dev.txt").write_text("1\t2\t2 3\t9.5 8.5\n")
    with gzip.open(tmp_path / "text_tokenized.txt.gz", "wt", encoding="utf-8") as file:
        file.write("1\tthe query\tits body\n2\tthe duplicate\tbody\n3\tanother\tbody\n4\tunlisted\tbody\n")
    benchmark = load(tmp_path, "dev")
    assert [benchmark.queries[0].title, *(q.title for q in benchmark.by_id.values())] == [
        "the query",
        "the duplicate",
        "another",
    ]


def test_lei_protocol_leaves_out_lists_without_a_relevant_candidate(make_lists: MakeLists) -> None:
    benchmark = make_lists("-+", "--", "++", protocol="lei")
    assert [query.id for query in benchmark.queries] == ["Q1", "Q3"]


def test_semeval_protocol_counts_every_list(make_lists: MakeLists) -> None:
    assert len(make_lists("-+", "--", "++").queries) == 3


def test_benchmark_with_a_withheld_label_is_not_labelled(make_lists: MakeLists) -> None:
    assert not make_lists("+-", "?-").labelled


@pytest.mark.parametrize(
    ("name", "split", "queries"),
    [
        ("askubuntu-bodies", "test", 536),
        ("english", "all", 831),
        ("askubuntu-lei", "dev", 189),
        ("askubuntu-lei", "test", 186),
        ("semeval", "train", 267),
        ("semeval", "test2017", 88),
    ],
)
def test_real_sets_have_the_expected_queries(data_dir: Path, name: str, split: str, queries: int) -> None:
    assert len(load(data_dir / name, split).queries) == queries


def test_real_lists_without_bodies(data_dir: Path) -> None:
    benchmark = load(data_dir / "semeval", "dev", ("title",))
    assert isinstance(benchmark, RerankingBenchmark)
    texts = {entry.question.body for list_ in benchmark.lists for entry in list_.candidates}
    assert texts == {""}


def test_labels_of_test_2017_are_withheld(data_dir: Path) -> None:
    assert not load(data_dir / "semeval", "test2017").labelled


def test_data_hash_is_the_same_for_the_same_content_elsewhere(set_folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "copy"
    elsewhere.mkdir()
    for path in set_folder.iterdir():
        if path.is_file():
            (elsewhere / path.name).write_bytes(path.read_bytes())
    assert load(set_folder, "test").data_hash == load(elsewhere, "test").data_hash


def test_data_hash_is_the_sha256_of_questions_and_marks_as_json_lines(set_folder: Path) -> None:
    questions = "".join(f'["{id_}", "Title of {id_}", "body {id_}"]\n' for id_ in "abcdef")
    (set_folder / "duplicates.test.tsv").write_text("f\ta\na\te\na\td\na\tc\n")
    marks = '["a", "c", "d", "e", "f"]\n["c", "a"]\n["d", "a"]\n["e", "a"]\n["f", "a"]\n'
    expected = hashlib.sha256((questions + marks).encode()).hexdigest()
    assert load(set_folder, "test").data_hash == expected


def test_data_hash_changes_with_the_marks(set_folder: Path) -> None:
    before = load(set_folder, "test").data_hash
    (set_folder / "duplicates.test.tsv").write_text("a\tb\n")
    assert load(set_folder, "test").data_hash != before


def test_data_hash_changes_with_the_fields(set_folder: Path) -> None:
    title, both = (load(set_folder, "test", fields).data_hash for fields in (("title",), ("title", "body")))
    assert title != both


def test_data_hash_changes_with_a_label(make_lists: MakeLists) -> None:
    assert make_lists("+-").data_hash != make_lists("++").data_hash
