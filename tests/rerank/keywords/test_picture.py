"""The graph as a picture."""

import re

from handmade_parses import ChainParser
from lxml import etree

from askagain.rerank.keywords.keywords import Keywords, ParsedText, extract, ranked
from askagain.rerank.keywords.parsing import Parse
from askagain.rerank.keywords.picture import EDGES_PER_WORD, MOST_DRAWN, picture

SVG = "{http://www.w3.org/2000/svg}"


def drawn(keywords: Keywords) -> etree._Element:
    return etree.fromstring(picture(keywords).encode(), etree.XMLParser(resolve_entities=False))


def test_every_word_is_a_dot_with_its_score_and_every_edge_a_line() -> None:
    image = drawn(extract("renew visa soon", ChainParser()))

    labels = [text.text for text in image.iter(f"{SVG}text")]
    assert labels[0] == "renew visa soon"
    assert [re.sub(r" [\d.]+$", "", label) for label in labels[1:-1]] == ["renew", "visa", "soon"]
    assert labels[-1] == "keywords: visa"
    assert len(list(image.iter(f"{SVG}circle"))) == 3
    assert len(list(image.iter(f"{SVG}line"))) == 3


def test_keywords_are_bold() -> None:
    image = drawn(extract("renew visa soon", ChainParser()))

    bold = [text.text.split()[0] for text in image.iter(f"{SVG}text") if text.get("font-weight") == "bold"]
    assert bold == ["visa"]


def test_the_same_question_gives_the_same_picture() -> None:
    assert picture(extract("renew visa soon", ChainParser())) == picture(
        extract("renew visa soon", ChainParser())
    )


def test_words_are_never_markup() -> None:
    parse = Parse(("<script>x</script>", '"&', "\uffff1"), (-1, 0, 0))
    image = drawn(ranked(ParsedText(("<b>",), (parse,)), None))

    assert image.find(f".//{SVG}script") is None
    assert any("<script>x</script>" in text.text for text in image.iter(f"{SVG}text"))


def test_a_large_graph_shows_its_strongest_edges_only() -> None:
    image = drawn(extract(" ".join(f"w{number}" for number in range(50)), ChainParser()))

    assert len(list(image.iter(f"{SVG}line"))) == 50 * EDGES_PER_WORD


def test_of_many_sub_sentences_the_first_are_drawn_and_the_rest_counted() -> None:
    image = drawn(extract("\n".join(f"visa{number}" for number in range(MOST_DRAWN + 7)), ChainParser()))

    assert len(list(image.iter(f"{SVG}circle"))) == MOST_DRAWN
    assert list(image.iter(f"{SVG}text"))[-1].text.endswith("(7 more sub-sentences)")


def test_words_stay_inside_the_picture() -> None:
    image = drawn(extract("a1 b2 c3 d4 e5 f6 g7\nh8", ChainParser()))
    _, _, width, height = map(float, image.get("viewBox").split())

    for circle in image.iter(f"{SVG}circle"):
        assert 0 < float(circle.get("cx")) < width
        assert 0 < float(circle.get("cy")) < height


def test_nothing_to_draw_is_a_picture_that_says_so() -> None:
    assert [text.text for text in drawn(extract("", ChainParser())).iter(f"{SVG}text")] == ["no keywords"]
