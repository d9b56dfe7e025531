"""The results as a page: as current as their Markdown, harmless, with charts that say what the tables say."""

import sys
from pathlib import Path

import pytest
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

import results
from cases import OURS, Case, render
from htmlreport import MOST_ROWS, html_report

QUALITY = """
|  | system | queries | map | mrr |
| --- | --- | ---: | ---: | ---: |
| a | given | 70 | 74.75 [66.98, 82.17] | 83.79 [75.71, 91.29] |
| b | svm | 70 | 76.27<sup>a</sup> [68.10, 83.20] | 83.57 [75.35, 91.07] |
"""
SPEED = render(
    [Case("search", "s", {OURS: 2.0, "one": 3.0, "other": 8.0}), Case("growth", "×", {OURS: 4.47})],
    [["one"], ["other"]],
)
RUNNING_LINKS = ("javascript:", "vbscript:", "data:text", "file:")
LOADED_OR_RUN = (
    "script, img, iframe, object, embed, link, base, form, video, audio, image, use, foreignObject"
)


@pytest.fixture(scope="module")
def page() -> etree._Element:
    """The page of the repository; its parser forgives nothing."""
    return etree.fromstring(results.PAGE.read_text(encoding="utf-8"))


def said(markdown: str) -> list[str]:
    """What the charts of a Markdown text say."""
    return etree.fromstring(html_report(markdown, "t")).xpath("//svg//title/text()")


def text_of(element: etree._Element) -> str:
    """The text, without superscripts."""
    return "".join(element.xpath(".//text()[not(parent::sup)]")).strip()


def test_the_page_in_the_repository_is_that_of_the_present_results() -> None:
    made = results.as_page(results.RESULTS.read_text(encoding="utf-8"))
    current = results.PAGE.read_text(encoding="utf-8") == made
    assert current, "docs/results.html is stale: python benchmarks/results.py --html"


def test_html_alone_runs_nothing_and_leaves_the_markdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    markdown = "text before\n<!-- quality -->\n# Results\n"
    (tmp_path / "results.md").write_text(markdown, encoding="utf-8")
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results.md")
    monkeypatch.setattr(results, "PAGE", tmp_path / "results.html")
    monkeypatch.setattr(sys, "argv", ["results.py", "--html"])
    results.main()
    assert (tmp_path / "results.md").read_text(encoding="utf-8") == markdown
    assert "<h1" in (tmp_path / "results.html").read_text(encoding="utf-8")


def test_marks_of_sections_are_not_shown() -> None:
    assert "quality --" not in results.as_page("<!-- quality -->\n# Results\n")


def test_the_page_needs_nothing_else(page: etree._Element) -> None:
    text = results.PAGE.read_text(encoding="utf-8")
    assert not page.xpath("//@src | //@srcset | //link | //script")
    assert "url(" not in text
    assert "@import" not in text


def test_every_table_of_systems_has_a_chart(page: etree._Element) -> None:
    tables = page.xpath("//div[@class='table'][.//th='system' and contains(., ' [')]")
    assert tables
    assert all(table.getprevious().tag == "svg" for table in tables)


def test_every_estimate_drawn_is_in_its_row_of_the_table(page: etree._Element) -> None:
    drawn = 0
    for table in page.xpath("//div[@class='table'][preceding-sibling::*[1][self::svg]]"):
        heads, *rows = [[text_of(cell) for cell in row.xpath("*")] for row in table.xpath(".//tr")]
        svg = table.getprevious()
        column = heads.index(head_of(svg))
        published = table.xpath("string(following-sibling::p[starts-with(., 'Published')][1])")
        for line in svg.xpath(".//title/text()"):
            name, _, figures = line.rpartition(": ")
            ours, _, theirs = figures.partition("published ")
            assert not ours or ours.removesuffix(", ") in [row[column] for row in rows if name in row]
            assert not theirs or f" {name} {theirs}".lower() in published.lower()
            drawn += 1
    assert drawn >= 50


def test_every_ratio_drawn_is_in_its_line_of_the_output(page: etree._Element) -> None:
    drawn = 0
    for svg in page.xpath("//svg[following-sibling::*[not(self::svg)][1][self::pre]]"):
        lines = text_of(svg.xpath("following-sibling::pre[1]")[0]).split("\n")
        columns = {ratios_of(line).index(head_of(svg)) for line in lines if head_of(svg) in ratios_of(line)}
        for line in svg.xpath(".//title/text()"):
            name, _, ratio = line.rpartition(": ")
            rows = [ratios_of(row) for row in lines if row.strip().startswith(f"{name}  ")]
            assert ratio in [row[column] for row in rows for column in columns]
            drawn += 1
    assert drawn >= 30


def head_of(svg: etree._Element) -> str:
    return text_of(svg.xpath("text[@class='head']")[0])


def ratios_of(line: str) -> list[str]:
    """The last column, as a benchmark of speed prints it."""
    return line.rpartition("  ")[2].split(" / ")


def test_the_contents_lead_to_every_section(page: etree._Element) -> None:
    links = [link.removeprefix("#") for link in page.xpath("//nav//a/@href")]
    assert links == page.xpath("//h2/@id | //h3/@id")
    assert len(set(links)) == len(links)


def test_equal_headings_have_anchors_of_their_own() -> None:
    page = etree.fromstring(html_report("## dev\n## dev\n## dev 2\n## dev\n## ?\n", "t"))
    assert page.xpath("//h2/@id") == ["dev", "dev-2", "dev-2-2", "dev-3", "section"]


def test_letters_of_beaten_systems_are_superscripts() -> None:
    assert "76.27<sup>a</sup> [68.10, 83.20]" in html_report(QUALITY, "t")


def test_the_first_column_with_intervals_is_drawn() -> None:
    assert said(QUALITY) == ["given: 74.75 [66.98, 82.17]", "svm: 76.27 [68.10, 83.20]"]


@pytest.mark.parametrize(
    ("published", "drawn"),
    [
        ("Published MAP / MRR (a paper, p. 3): given 70.1 80.1; SVM 71.25 82.",
         ["given: 74.75 [66.98, 82.17], published 70.1", "svm: 76.27 [68.10, 83.20], published 71.25"]),
        ("Published: MRR / MAP: given 80.1 70.1, CNN + more 82 71.25 (mean, 5 seeds).",
         ["given: 74.75 [66.98, 82.17], published 70.1", "svm: 76.27 [68.10, 83.20]",
          "CNN + more: published 71.25"]),
    ],
)  # fmt: skip
def test_published_figures_below_a_table_are_drawn_beside_ours(published: str, drawn: list[str]) -> None:
    assert said(f"{QUALITY}\n{published}\n") == drawn


@pytest.mark.parametrize(
    "published",
    [
        "Published: given 70.1 80.1; svm 71.25 82.",  # of which metric?
        "Published MRR / P: given 70.1 80.1; svm 71.25 82.",
        "Published MAP / MRR: given 70.1 80.1; svm 71.25.",
        "Published MAP: CNN max 58.2, mean 57.8; LSTM last 57.8, mean 58.1.",  # mean of what?
        "Published MAP: given 70.1; title only: svm 71.25.",
        "Published MAP: in 2016 70.1, given.",
        "Published MAP: SVM 70.1, svm 71.25.",
        "Published MAP: svm ٧٠.",
        "## Another section\n\nPublished MAP: given 70.1.",
    ],
)
def test_published_figures_that_could_be_misread_are_not_drawn(published: str) -> None:
    assert said(f"{QUALITY}\n{published}\n") == said(QUALITY)


@pytest.mark.parametrize(
    "wrong",
    [
        QUALITY.replace("[66.98, 82.17]", "").replace("[75.71, 91.29]", ""),
        QUALITY.replace("74.75", "-1").replace("83.79", "1e9"),
        QUALITY.replace("74.75", "9" * 400).replace("83.79", "nan"),
        "| system | map |\n| --- | --- |\n",
        "|  |  |\n| --- | --- |\n| a | 1.0 [1.0, 1.0] |\n",
    ],
)
def test_a_table_that_is_not_understood_is_shown_without_a_chart(wrong: str) -> None:
    page = html_report(wrong, "t")
    assert "<table>" in page
    assert "<svg" not in page


def test_each_group_of_peers_has_a_chart_of_ratios() -> None:
    assert said(f"```\n{SPEED}\n\n{SPEED}\n```\n") == ["search, s: 1.50", "search, s: 4.00"] * 2


@pytest.mark.parametrize(
    "wrong",
    [
        SPEED.replace("1.50 / 4.00", "1.50"),
        SPEED.replace("1.50 / 4.00", "1.50 / fast"),
        SPEED.replace("1.50 / 4.00", "0.00 / 0.00"),
        SPEED + "\nThis was a long night.",
        SPEED.replace(OURS, "another"),
        SPEED.splitlines()[0],
        "x" + " " * 100_000 + "y",
        "",
    ],
)
def test_output_that_is_not_understood_is_shown_without_a_chart(wrong: str) -> None:
    page = html_report(f"```\n{wrong}\n```\n", "t")
    assert "<pre>" in page
    assert "<svg" not in page


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "## <img src=x onerror=alert(1)> <svg onload=alert(1)>",
        "text <iframe src='http://evil.example'></iframe> <sup onclick=alert(1)>a</sup>",
        "<style>@import 'http://evil.example';</style>",
        "[a](javascript:alert(1)) [b](JaVaScRiPt:a()) [c](&#106;avascript:a()) <javascript:a()>",
        "[a](data:text/html,<script>alert(1)</script>) [b](vbscript:x) [c](file:///etc/passwd)",
        '[a](/x "\\"onmouseover=alert(1)") ![i](http://evil.example/i.png) ![i](data:image/png;base64,AA)',
        "## \"'><script>alert(1)</script>",
        "```\" onload=alert(1)\n</code></pre><script>alert(1)</script>\n```",
        QUALITY.replace("svm", "<script>alert(1)</script>").replace("map", "'\"><img src=x>"),
        f"{QUALITY}\nPublished MAP: <script>alert(1)</script> 70.1.",
        f"```\n{SPEED.replace('search', '</svg><script>a()</script>').replace('vs one', 'vs <script>')}\n```",
        "> " * 2_000 + "deep",
        "<sup>" * 2_000 + "[" * 2_000,
    ],
)  # fmt: skip
def test_hostile_markdown_stays_text(hostile: str) -> None:
    tree = LexborHTMLParser(html_report(hostile, "</title><script>alert(1)</script>"))
    assert not tree.css(LOADED_OR_RUN)
    assert len(tree.css("style")) == 1
    for node in tree.css("*"):
        assert not [name for name in node.attributes if name.startswith("on") or name == "src"]
        assert not (node.attributes.get("href") or "").lower().startswith(RUNNING_LINKS)


def test_a_huge_table_is_shown_whole_but_not_drawn() -> None:
    rows = "| a | system | 70 | 1.0 [0.5, 1.5] | 2.0 [1.5, 2.5] |\n" * 1_000
    page = html_report(QUALITY + rows, "t")
    assert page.count("<tr>") == 1_003
    assert "<svg" not in page


def test_the_longest_table_that_is_drawn() -> None:
    row = "| a | system | 70 | 1.0 [0.5, 1.5] | 2.0 [1.5, 2.5] |\n"
    assert len(said(QUALITY + row * (MOST_ROWS - 2))) == MOST_ROWS
    assert said(QUALITY + row * (MOST_ROWS - 1)) == []
