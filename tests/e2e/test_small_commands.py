"""`askagain inspect`, `systems` and `data get` with the real executable."""

from pathlib import Path

from executable import askagain

from commands import json_of, refused, succeeded


def test_inspect_shows_what_each_step_makes_of_a_text() -> None:
    printed = succeeded("inspect", "<p>Booting from <b>USB</b></p>", "--stop-words", "english")

    assert "html\n    Booting from USB\n" in printed
    assert "links: nothing to do\n" in printed
    assert "stop words\n    booting usb\n" in printed
    assert "stems\n    boot usb\n" in printed


def test_inspect_reads_standard_input_whatever_is_in_it() -> None:
    done = askagain("inspect", "-", input="Boot \x1b[2Jing \x00 [red]x[/red]")

    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "[red]x[/red]" in done.stdout


def test_systems_are_listed_with_their_descriptions() -> None:
    listed = json_of("systems")

    assert listed["default"] == "best"
    names = [system["name"] for system in listed["systems"]]
    assert names[:2] == ["best", "best-transformer"]
    assert {"tfidf", "bm25", "ib", "dfr", "lmd", "lmj", "shipped", "minilm"} < set(names)
    assert {"bow-cnn", "cnn", "lstm", "gru", "rcnn", "rcnn-pretrained"} < set(names)
    printed = askagain("systems", check=True).stdout
    assert "  BM25 (Robertson & Zaragoza 2009)\n" in printed
    assert "calibrated probabilities (default)\n" in printed


def test_systems_that_must_learn_first_are_told_apart() -> None:
    is_ready = {system["name"]: system["ready"] for system in json_of("systems")["systems"]}
    ready, learning = succeeded("systems").split("Systems that must learn")

    assert all(is_ready[name] for name in ("best", "best-transformer", "bm25", "shipped", "minilm"))
    assert not any(is_ready[name] for name in ("bow-cnn", "cnn", "rcnn-pretrained", "svm"))
    assert all((f"\n  {name} " in ready) == at_once for name, at_once in is_ready.items())
    assert all((f"\n  {name} " in learning) != at_once for name, at_once in is_ready.items())
    assert "askagain train best lets best learn from your marks" in ready
    assert "askagain train NAME" in learning
    assert "NAME-small" in learning


def test_the_default_system_is_ready_and_learns() -> None:
    [best] = [system for system in json_of("systems")["systems"] if system["name"] == "best"]

    assert (best["ready"], best["trainable"]) == (True, True)


def test_a_set_that_cannot_be_downloaded_is_one_line(tmp_path: Path) -> None:
    nobody = "http://127.0.0.1:9"

    message = refused("data", "get", "askubuntu", "--out", tmp_path / "set", "--base-url", nobody)

    assert f"cannot download {nobody}/text_tokenized.txt.gz" in message


def test_an_unknown_set_is_one_line() -> None:
    done = askagain("data", "get", "elsewhere")

    assert done.returncode == 2
    assert "the only one to download is askubuntu" in done.stderr
