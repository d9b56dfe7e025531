"""The page: everything on it, and nothing that a forum wrote is obeyed."""

from made_up import duplicate, mistake, rejected, report, stage
from selectolax.lexbor import LexborHTMLParser

from askagain.calibration.calibration import SILENCE, Calibration
from askagain.reporting.mistakes import Kind, Mistakes
from askagain.reporting.page import report_page

HOSTILE = "</p><script>alert(1)</script><img src=x onerror=alert(1)>\u202e & \x07 'quoted\""


def parsed(*outcomes: object, **parts: object) -> LexborHTMLParser:
    return LexborHTMLParser(report_page(report(*outcomes, **parts)))  # type: ignore[arg-type]


def test_hostile_texts_stay_texts() -> None:
    wrong = Mistakes(dict.fromkeys(Kind, 1), [mistake(HOSTILE, HOSTILE)], [mistake(HOSTILE)])

    page = parsed(duplicate("2024-05-01"), mistakes=wrong)

    assert not page.css("script, img, [onerror], iframe, link")
    titles = [node.text() for node in page.css("li bdi")]
    assert any("<script>alert(1)</script>" in title for title in titles)


def test_the_page_may_load_and_run_nothing() -> None:
    [policy] = parsed(duplicate()).css("meta[http-equiv]")

    assert "default-src 'none'" in (policy.attributes["content"] or "")


def test_a_gigantic_question_is_shortened() -> None:
    wrong = Mistakes(dict.fromkeys(Kind, 1), [mistake("long " * 100_000, "body " * 200_000)], [])

    assert len(report_page(report(duplicate(), mistakes=wrong))) < 600_000


def test_months_have_rows_with_intervals() -> None:
    page = parsed(duplicate("2024-05-01"), rejected("2024-05-02"), duplicate("2024-06-01", suggested=False))

    rows = [[cell.text() for cell in row.css("td")] for row in page.css("table")[0].css("tr")[1:]]

    assert [row[0] for row in rows] == ["2024-05", "2024-06", "all"]
    assert rows[0][-2:] == ["50% (9–91)", "100% (21–100)"]
    assert rows[1][-2:] == ["–", "0% (0–79)"]


def test_pictures_are_on_the_page() -> None:
    page = parsed(duplicate(), growth=(stage(50), stage(80, is_all=True)))

    assert len(page.css("figure > svg")) == 3


def test_without_growth_it_says_why() -> None:
    page = parsed(duplicate())

    assert "too few marks to learn from some of them" in page.body.text()  # type: ignore[union-attr]
    assert len(page.css("figure > svg")) == 2


def test_a_silent_system_is_said_to_be_silent() -> None:
    silent = Calibration("logistic", (0.0,), (0.0,), 1.0, 100, 30, 0.9, SILENCE)

    assert "stay silent" in report_page(report(duplicate(suggested=False), calibration=silent))


def test_without_rejected_pairs_it_says_what_is_not_known() -> None:
    assert "Nobody has rejected a pair" in report_page(report(duplicate()))
    assert "Nobody has rejected a pair" not in report_page(report(duplicate(), rejected()))


def test_it_says_how_much_was_looked_at() -> None:
    told = " ".join(report_page(report(duplicate())).split())

    assert "3 of 4 marked questions were asked again (at most 4,000)" in told
