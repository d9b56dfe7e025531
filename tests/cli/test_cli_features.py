"""`askagain features`."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from askagain.rerank.features.table import FEATURES


def test_json_is_one_object_of_all_names(json_of: Callable[..., Any]) -> None:
    shown = json_of("features", "boot from usb", "boot from cd", "--body-a", "one", "--body-b", "one")

    assert list(shown) == [feature.name for feature in FEATURES]
    assert shown["title.jaccard.words"] == 0.5
    assert shown["body.jaccard.words"] == 1.0
    assert shown["both.jaccard.words"] == 0.6


def test_the_table_has_a_line_for_each_measure_and_a_column_for_each_field(
    succeeded: Callable[..., str],
) -> None:
    printed = succeeded("features", "boot from usb", "boot from cd").splitlines()

    assert printed[0].split() == ["strings", "title", "body", "both"]
    (line,) = (line for line in printed if line.startswith("jaccard.words "))
    assert line.split()[1:4] == ["0.500", "0.000", "0.500"]
    assert all(any(line.startswith(f"{feature.measure} ") for line in printed) for feature in FEATURES)


def test_texts_of_any_kind_are_compared(json_of: Callable[..., Any]) -> None:
    shown = json_of("features", "\x1b[2J\ud800😀", "")

    assert all(value is None or value == value for value in shown.values())


def test_without_wordnet_the_other_features_are_there() -> None:
    code = """
import sys
from askagain.cli.app import run
from askagain.rerank.features import wordnet
wordnet._SYSTEM, wordnet._DEBIAN, sys.prefix = (), "/nowhere", "/nowhere"
sys.exit(run(["features", "boot usb", "booting cd", "--json"]))
"""
    environment = {**os.environ, "NLTK_DATA": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    missing = {name for name, value in json.loads(done.stdout).items() if value is None}

    needing = {feature.name for feature in FEATURES if feature.needs == "wordnet"}
    assert missing == {name for name in needing if not name.startswith("body.")}
    assert done.stderr.count("WordNet is not installed") == 1


def test_help_and_import_load_no_library_of_the_features() -> None:
    code = """
import sys
import askagain
from askagain.cli.app import run
run(["features", "--help"])
print({"rapidfuzz", "simplemma", "nltk", "sklearn", "spacy", "torch", "numba"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.endswith("\nset()\n")
