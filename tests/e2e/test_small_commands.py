"""`askagain inspect`, `systems` and `data get` with the real executable."""

from pathlib import Path

from executable import askagain, json_of, refused, succeeded


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

    assert listed["default"] == "bm25"
    names = [system["name"] for system in listed["systems"]]
    assert names[:6] == ["tfidf", "bm25", "ib", "dfr", "lmd", "lmj"]
    assert {"bow-cnn", "cnn", "lstm", "gru", "rcnn", "rcnn-pretrained"} < set(names)
    assert "BM25 (Robertson & Zaragoza 2009) (default)\n" in succeeded("systems")


def test_systems_that_learn_are_told_apart() -> None:
    trainable = {system["name"]: system["trainable"] for system in json_of("systems")["systems"]}
    ready, learning = succeeded("systems").split("Systems that learn")

    assert [trainable[name] for name in ("tfidf", "bm25", "cnn", "rcnn-pretrained")] == [
        False,
        False,
        True,
        True,
    ]
    assert all((f"\n  {name} " in learning) == learns for name, learns in trainable.items())
    assert all((f"\n  {name} " in ready) != learns for name, learns in trainable.items())
    assert "askagain train NAME" in learning
    assert "NAME-small" in learning


def test_a_set_that_cannot_be_downloaded_is_one_line(tmp_path: Path) -> None:
    nobody = "http://127.0.0.1:9"

    message = refused("data", "get", "askubuntu", "--out", tmp_path / "set", "--base-url", nobody)

    assert f"cannot download {nobody}/text_tokenized.txt.gz" in message


def test_an_unknown_set_is_one_line() -> None:
    assert "the only one to download is askubuntu" in refused("data", "get", "elsewhere")
