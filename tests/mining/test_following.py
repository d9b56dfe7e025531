"""Following an archive to its end."""

from pathlib import Path

from overlap_ranker import known, mined_in_memory

from askagain import Archive, Engine, Question
from askagain.mining.following import follow, memory_needed, memory_to_index
from askagain.mining.pairs import LikelyPairs


def test_all_questions_are_searched_for_and_progress_is_told(pairs: LikelyPairs, archive: Archive) -> None:
    told: list[tuple[int, int]] = []

    follow(pairs, lambda done, total: told.append((done, total)))

    assert told[-1] == (5, 5)
    assert known(pairs) == mined_in_memory(archive)


def test_only_what_has_changed_is_searched_for_again(
    pairs: LikelyPairs, archive: Archive, engine: Engine
) -> None:
    follow(pairs)
    asked = engine.ranker.asked  # type: ignore[attr-defined]
    asked.clear()

    archive.put(Question(id="new", title="boot from cd"))
    follow(pairs)

    assert asked == ["new"]


def test_the_memory_grows_with_the_indexes(tmp_path: Path) -> None:
    archive = tmp_path / "forum.db"
    archive.write_bytes(b"x" * 1_000_000)
    without = memory_needed(archive)
    (tmp_path / "forum.db.1234.lexical").write_bytes(b"x" * 1000)
    folder = tmp_path / "forum.db.5678.vectors"
    folder.mkdir()
    (folder / "rows").write_bytes(b"x" * 2000)
    (tmp_path / "other.db.1234.lexical").write_bytes(b"x" * 9000)

    assert memory_needed(archive) - without == 3900


def test_what_indexes_need_is_known_before_they_are_there(tmp_path: Path) -> None:
    archive = tmp_path / "forum.db"
    archive.write_bytes(b"x" * 1_000_000)

    assert memory_to_index(archive, 1_000_000) - memory_to_index(archive, 500_000) == 675_000_000
    (tmp_path / "forum.db.1234.lexical").write_bytes(b"x" * 1000)
    assert memory_to_index(archive, 1_000_000) == 0
