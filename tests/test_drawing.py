"""The parts of pictures."""

from xml.etree import ElementTree

import pytest

from askagain.drawing import bar, dot, line, picture, polyline, safe, text

PARTS = {
    "text": text(1, 2, "words", anchor="end", colour="red", size=9, bold=True),
    "line": line((0, 1), (2, 3), "blue", dashes="4 3"),
    "polyline": polyline([(0, 1), (2, 3.25)], "blue"),
    "circle": dot((1, 2), "red", radius=4),
    "rect": bar((1, 2), 3, 4, "red"),
}


def test_a_picture_has_a_white_ground_under_its_parts() -> None:
    root = ElementTree.fromstring(picture(30, 20, [PARTS["circle"]], size=13))
    ground, circle = root
    assert ground.attrib == {"width": "30", "height": "20", "fill": "white"}
    assert circle.tag.endswith("circle")
    assert (root.attrib["viewBox"], root.attrib["font-size"]) == ("0 0 30 20", "13")


@pytest.mark.parametrize("kind", PARTS)
def test_each_part_is_one_element(kind: str) -> None:
    assert ElementTree.fromstring(PARTS[kind]).tag == kind


def test_a_text_has_the_size_of_the_picture_unless_it_has_its_own() -> None:
    assert "font-size" not in text(1, 2, "words")
    assert 'font-size="9"' in PARTS["text"]


def test_only_dashed_lines_have_dashes() -> None:
    assert "stroke-dasharray" not in line((0, 1), (2, 3), "blue")
    assert 'stroke-dasharray="4 3"' in PARTS["line"]


@pytest.mark.parametrize(
    ("content", "expected"), [("<b>&", "&lt;b&gt;&amp;"), ("a\x00b", "a\ufffdb"), ("\uffff", "\ufffd")]
)
def test_text_is_never_markup_nor_unreadable(content: str, expected: str) -> None:
    assert safe(content) == expected
