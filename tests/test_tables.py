"""Settings from plain tables: typed, checked, and refused with the place where they stand."""

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from askagain.errors import SettingsError
from askagain.tables import check_range, read_table


@dataclass(frozen=True, kw_only=True)
class Inner:
    depth: int = 3


@dataclass(frozen=True, kw_only=True)
class Outer:
    name: str = "plain"
    rate: float = 0.5
    steps: int = 10
    quick: bool = False
    colour: Literal["red", "blue"] = "red"
    bits: Literal[8, 32] = 32
    files: tuple[str, ...] = ()
    inner: Inner = field(default_factory=Inner)

    def __post_init__(self) -> None:
        check_range("steps", self.steps, 1, 100)


def test_what_is_not_named_has_its_default() -> None:
    assert read_table(Outer, {}, "here") == Outer()


def test_every_value_goes_where_its_name_says() -> None:
    values = {
        "name": "mine", "rate": 1.5, "steps": 7, "quick": True, "colour": "blue", "bits": 8,
        "files": ["a", "b"], "inner": {"depth": 9},
    }  # fmt: skip

    assert read_table(Outer, values, "here") == Outer(
        name="mine",
        rate=1.5,
        steps=7,
        quick=True,
        colour="blue",
        bits=8,
        files=("a", "b"),
        inner=Inner(depth=9),
    )


def test_a_whole_number_is_a_number_too() -> None:
    rate = read_table(Outer, {"rate": 2}, "here").rate
    assert rate == 2.0
    assert type(rate) is float


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"speed": 1}, "here: no setting is named 'speed'; the settings are name, rate, steps"),
        ({"steps": 1.5}, "here, steps is 1.5: it must be a whole number"),
        ({"steps": True}, "here, steps is True: it must be a whole number"),
        ({"steps": "7"}, "here, steps is '7': it must be a whole number"),
        ({"steps": 0}, "here: steps is 0: it must be from 1 to 100"),
        ({"rate": "fast"}, "here, rate is 'fast': it must be a number"),
        ({"rate": True}, "here, rate is True: it must be a number"),
        ({"quick": 1}, "here, quick is 1: it must be true or false"),
        ({"name": 3}, "here, name is 3: it must be a text in quotes"),
        ({"colour": "green"}, "here, colour is 'green': it must be one of 'red', 'blue'"),
        ({"colour": ["red"]}, "it must be one of 'red', 'blue'"),
        ({"bits": 16}, "here, bits is 16: it must be one of 8, 32"),
        ({"files": "a"}, "here, files is 'a': it must be a list"),
        ({"files": ["a", 3]}, "here, files is 3: it must be a text in quotes"),
        ({"inner": 3}, "here, inner is 3: it must be a table of settings"),
        ({"inner": {"width": 1}}, "here, inner: no setting is named 'width'; the settings are depth"),
    ],
)
def test_an_error_names_the_place_the_value_and_what_is_wanted(
    values: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(SettingsError) as error:
        read_table(Outer, values, "here")
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_huge_value_is_not_repeated_in_full() -> None:
    with pytest.raises(SettingsError) as error:
        read_table(Outer, {"steps": "x" * 10_000}, "here")
    assert len(str(error.value)) < 200


def test_something_else_than_a_table_is_an_error() -> None:
    values: Any = [1, 2]
    with pytest.raises(SettingsError, match=r"here is \[1, 2\]: it must be a table of settings"):
        read_table(Outer, values, "here")


@pytest.mark.parametrize("value", [0.9, 2.1, float("nan"), float("inf")])
def test_numbers_out_of_range_are_refused(value: float) -> None:
    with pytest.raises(SettingsError, match=r"size is .*: it must be from 1 to 2"):
        check_range("size", value, 1, 2)


@pytest.mark.parametrize("value", [1, 1.5, 2])
def test_both_ends_of_a_range_belong_to_it(value: float) -> None:
    check_range("size", value, 1, 2)
