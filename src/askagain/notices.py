"""Notices of moderators: what names a post's duplicate would give the answer away to a model."""

from __future__ import annotations

import re

from askagain.markup import LINK

# In text without punctuation nothing shows where the quoted title ends: if no sentence or line ends within
# the longest title, the typical length of one is dropped. A few lost words are better than a leaked label.
LONGEST_TITLE = 25
TYPICAL_TITLE = 12

_CERTAIN = re.compile(
    r"""[\W_]*+(?:
      (?:possible|exact)\ duplicates?(?:[*_]*+:|\ of\b)
    | this\ question\ (?:already\ has|may\ already\ have)\ (?:an\ answer|answers)\ here
    | (?:marked|closed)\ as\ (?:an?\ )?(?:exact\ )?duplicate\ (?:of|by)\b
    | this\ question\ has\ been\ asked\ before\ and\ already\ has\ an\ answer
    )[\s:*_]*+""",
    re.IGNORECASE | re.VERBOSE,
)
_LIKELY = re.compile(r"\W*+possible duplicates?\b\s*+", re.IGNORECASE)
_STATUS_OF_TITLE = re.compile(r"\[(?:duplicate|closed|on hold)\]\s*+\Z", re.IGNORECASE)

_ANSWERS = r"\(?\d{1,3} answers?\)?"
_LINKED_TITLE = re.compile(rf"\b{LINK}\W*+\Z")
_ANSWERED_TITLE = re.compile(rf"(?:{_ANSWERS}|\bclosed \d{{1,2}} \w{{3,6}} ago)\W*+\Z", re.IGNORECASE)
_SENTENCE_END = re.compile(rf"[.?!]++[\"')\]*_]*+(?:\s++{_ANSWERS})?(?=\s|\Z)", re.IGNORECASE)
_TYPICAL = re.compile(rf"(?:\S++\s*+){{{TYPICAL_TITLE}}}")
_LONGEST = re.compile(rf"(?:\S++\s*+){{{LONGEST_TITLE}}}")


def without_notices(text: str) -> str:
    """Text without "Possible Duplicate: TITLE" and its kin; a mention in running text stays."""
    if "[" in text:
        text = _STATUS_OF_TITLE.sub("", text)
    lowered = text.lower()
    if "duplicate" not in lowered and "this question" not in lowered:
        return text
    return "\n".join(_lines_without_notices(text.split("\n")))


def _lines_without_notices(lines: list[str]) -> list[str]:
    kept: list[str] = []
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        notice = _notice_in(line, is_first=not kept)
        if notice:
            title = line[notice.end() :]
            quoted = line.lstrip().startswith(">")
            line = _after_title(title)
            position = position if line else _end_of_list(lines, position, is_open=not title, quoted=quoted)
        if line.strip():
            kept.append(line)
    return kept


def _notice_in(line: str, *, is_first: bool) -> re.Match[str] | None:
    """A bare "possible duplicate ..." must begin the post and be longer than a title on that subject."""
    certain = _CERTAIN.match(line)
    if certain or not is_first:
        return certain
    likely = _LIKELY.match(line)
    return likely if likely and _TYPICAL.match(line, likely.end()) else None


def _after_title(text: str) -> str:
    """What is left of a line when the title at its beginning is taken away."""
    longest = _LONGEST.match(text)
    if longest is None and (_LINKED_TITLE.search(text) or _ANSWERED_TITLE.search(text)):
        return ""
    sentence_end = _SENTENCE_END.search(text, 0, longest.end() if longest else len(text))
    if sentence_end:
        return text[sentence_end.end() :].strip()
    if longest is None:
        return ""
    typical = _TYPICAL.match(text)
    return text[typical.end() :] if typical else ""


def _end_of_list(lines: list[str], position: int, *, is_open: bool, quoted: bool) -> int:
    """The first line behind the titles that a notice lists; an open notice has named none yet."""
    same_paragraph = True
    while position < len(lines):
        line = lines[position].strip()
        if line:
            if not (is_open or (quoted and line.startswith(">")) or _is_entry(line, same_paragraph)):
                break
            is_open = False
        same_paragraph = is_open or (same_paragraph and bool(line))
        position += 1
    return position


def _is_entry(line: str, same_paragraph: bool) -> bool:
    """A title with its link or its number of answers; behind a blank line a link alone proves nothing."""
    if _LONGEST.match(line):
        return False
    return bool(_ANSWERED_TITLE.search(line) or (same_paragraph and _LINKED_TITLE.search(line)))
