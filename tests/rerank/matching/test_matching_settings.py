"""Settings of the matching networks, as recipes have them."""

import subprocess
import sys
from dataclasses import asdict
from typing import Any

import pytest

from askagain.errors import SettingsError
from askagain.rerank.matching.settings import DecompositionSettings, FittingSettings, UnimelbSettings
from askagain.tables import read_table

KINDS = [DecompositionSettings, UnimelbSettings, FittingSettings]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_holds_all_settings(kind: Any) -> None:
    assert read_table(kind, asdict(kind()), "recipe") == kind()


def test_a_table_names_what_differs() -> None:
    settings = read_table(UnimelbSettings, {"widths": [5, 3], "dropout": 0}, "recipe")

    assert (settings.widths, settings.dropout, settings.hidden) == ((5, 3), 0.0, 512)


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        (DecompositionSettings, {"neighbours": -1}),
        (DecompositionSettings, {"filters": 0}),
        (DecompositionSettings, {"width": 21}),
        (DecompositionSettings, {"channels": "three"}),
        (DecompositionSettings, {"activation": "sine"}),
        (UnimelbSettings, {"widths": []}),
        (UnimelbSettings, {"widths": [3, 0]}),
        (UnimelbSettings, {"k_top": 0}),
        (UnimelbSettings, {"grid": 51}),
        (UnimelbSettings, {"hidden": 0}),
        (UnimelbSettings, {"layers": 0}),
        (UnimelbSettings, {"dropout": 1.0}),
        (FittingSettings, {"optimiser": "magic"}),
        (FittingSettings, {"rate": 0.0}),
        (FittingSettings, {"decay": -1.0}),
        (FittingSettings, {"batch": 0}),
        (FittingSettings, {"epochs": -1}),
        (FittingSettings, {"patience": 0}),
    ],
)
def test_values_out_of_range_are_refused(kind: Any, table: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=f"recipe.*{next(iter(table))}"):
        read_table(kind, table, "recipe")


def test_settings_and_alignment_need_no_torch() -> None:
    code = (
        "import sys, askagain.rerank.matching.settings, askagain.rerank.matching.alignment; "
        "print('torch' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
