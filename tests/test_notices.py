"""Notices that name a duplicate are removed, because they give the label away."""

import gzip
import json
from pathlib import Path

import pytest

from askagain.notices import TYPICAL_TITLE, without_notices
from askagain.text import clean

TITLE = "How do I boot from USB?"
UNPUNCTUATED = "possible duplicate " + " ".join(f"word{number}" for number in range(40))


HTML = [
    "<blockquote>\n<p><strong>Possible Duplicate:</strong><br>\n<a>{}</a> </p>\n</blockquote>\n<p>Mine.</p>",
    "<blockquote><p><b>Possible Duplicates:</b><br><a>{}</a><br><a>Other</a></p></blockquote><p>Mine.</p>",
    "<p><strong>Possible Duplicate:</strong></p><p><a href='x'>{}</a></p><p>Mine.</p>",
    "This question already has an answer here:<ul><li><a>{}</a> <span>1 answer</span></li></ul>Mine.",
]
MARKDOWN = ["> **Possible Duplicate:**  \n> [{}](http://x.org/1)  \n> [Other](http://x.org/2)\n\nMine."]
PLAIN = [
    "Possible Duplicate: {} Mine.",
    "possible duplicate: {}\nMine.",
    "Possible duplicate of {}\nMine.",
    "Exact Duplicate: {} Mine.",
    "Mine.\n\nPossible Duplicate:\n{}",
    "This question already has an answer here:\n\n{}\n3 answers\nMine.",
    "This question already has answers here: {} (3 answers)\nClosed 5 years ago.\nMine.",
    "Mine.\nMarked as duplicate by A\nThis question has been asked before and already has an answer.",
    "Mine. [duplicate]",
    "Mine. [closed] ",
]


@pytest.mark.parametrize("post", HTML + MARKDOWN + PLAIN)
def test_a_notice_is_removed_and_the_post_stays(post: str) -> None:
    assert clean(post.format(TITLE)) == "Mine."


@pytest.mark.parametrize(
    "post",
    [
        "It was suggested as a possible duplicate, but it is not.",
        "Possible duplicates in my contacts",
        "I read this.\nPossible duplicates were shown to me.",
        "Why was my question marked as duplicate?",
        "The state [closed] of a valve",
        f"See the manual {TITLE}",
    ],
)
def test_a_mention_in_running_text_stays(post: str) -> None:
    assert without_notices(post) == post


def test_a_body_with_a_link_behind_the_notice_stays() -> None:
    post = "> **Possible Duplicate:**\n> [Other](http://x.org/2)\n\nI read http://x.org/3"
    assert clean(post) == "I read urltoken"


def test_without_punctuation_the_length_of_a_typical_title_is_dropped() -> None:
    assert without_notices(UNPUNCTUATED).split()[0] == f"word{TYPICAL_TITLE}"


def test_no_real_post_begins_with_a_notice(data_dir: Path) -> None:
    with gzip.open(data_dir / "askubuntu-bodies" / "questions.jsonl.gz", "rt") as file:
        bodies = [json.loads(line).get("body", "") for line in file]
    noticed = [body for body in bodies if body.startswith("possible duplicate")]
    assert len(noticed) > 70
    assert not any(clean(body).startswith("possible duplicate") for body in noticed)
    assert sum(len(clean(body).split()) >= 10 for body in noticed) > 70
