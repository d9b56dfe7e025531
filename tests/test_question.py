"""The short reason of a match."""

from askagain import Match, Reason
from askagain.question import Explanation


def reason(*shares: tuple[str, str, float]) -> str:
    return Match("q1", 1.0, reasons=tuple(Reason(*share) for share in shares)).reason


def test_the_strongest_terms_come_first_whatever_the_field() -> None:
    assert (
        reason(("usb", "body", 2.0), ("boot", "title", 1.5), ("boot", "body", 1.0)) == "matched by: boot, usb"
    )


def test_five_terms_are_enough() -> None:
    assert reason(*((term, "text", 1.0) for term in "abcdefg")) == "matched by: a, b, c, d, e"


def test_it_does_not_claim_that_both_questions_have_a_term() -> None:
    """With vectors a match need not have one word of the question."""
    told = reason(("serpentine", "title", 0.3)), reason(("drives", "title", -0.3)), reason()

    assert told == ("matched by: serpentine", "no word stands out", "no word stands out")


def test_an_explanation_says_it_better() -> None:
    match = Match(
        "q1", 1.0, reasons=(Reason("usb", "body", 2.0),), explanation=Explanation("same: boot from usb")
    )

    assert match.reason == "same: boot from usb"
