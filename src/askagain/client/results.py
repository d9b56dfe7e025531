"""What the service answers, as values; members have the names that they have in its JSON."""

from __future__ import annotations

from dataclasses import dataclass

from askagain.question import Question, WeightedWord


@dataclass(frozen=True, slots=True)
class Brief:
    """A question in short: plain text without markup, `excerpt` and `answer` cut off."""

    id: str
    title: str
    excerpt: str
    url: str | None
    created: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class SimilarWords:
    """Different words with similar meaning: one of the question that was asked, one of the other."""

    yours: str
    theirs: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why two questions match, in one line and word by word."""

    line: str
    shared: tuple[WeightedWord, ...]
    only_yours: tuple[WeightedWord, ...]
    only_theirs: tuple[WeightedWord, ...]
    similar: tuple[SimilarWords, ...]


@dataclass(frozen=True, slots=True)
class Suggestion(Brief):
    """An earlier question; `probability` is None if the system knows none."""

    probability: float | None
    score: float
    reasons: Reasons | None


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The answer to a search."""

    matches: tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True)
class Stored:
    """A question of the archive, and the ETag by which `put` and `delete` know this state of it."""

    question: Question
    etag: str


@dataclass(frozen=True, slots=True)
class Written:
    """A write: `changed` is False if everything was like that already."""

    id: str
    sequence: int
    changed: bool
    etag: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A change that `put_many` could not make; `line` is its place among those given, from 1."""

    line: int
    detail: str


@dataclass(frozen=True, slots=True)
class BulkCounts:
    """What became of the changes given to `put_many`; `sequence` is None if there were none."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    rejected: tuple[Rejected, ...] = ()
    sequence: int | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A mark that was set; `changed` is False if it was there already."""

    changed: bool
    sequence: int


@dataclass(frozen=True, slots=True)
class Received:
    """Feedback that was taken."""

    sequence: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions of the archive that may be duplicates and that nobody has judged yet."""

    first: Brief
    second: Brief
    probability: float
    reasons: Reasons | None


@dataclass(frozen=True, slots=True)
class PairPage:
    """A page of pairs; `next` leads to the one after it."""

    pairs: tuple[Pair, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Member(Brief):
    """A question of a group; `confirmed` by a person, or else likely with that probability."""

    probability: float | None
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that ask the same; `why` says what makes one of them the canonical one."""

    canonical: Brief
    why: str
    members: tuple[Member, ...]
    weakest: float | None
    size: int


@dataclass(frozen=True, slots=True)
class GroupPage:
    """A page of groups; `next` leads to the one after it."""

    groups: tuple[Group, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Redirect:
    """A confirmed duplicate, and the canonical question of its group."""

    from_id: str
    to_id: str
    from_url: str
    to_url: str


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """How often people said yes and no."""

    duplicate: int
    not_duplicate: int


@dataclass(frozen=True, slots=True)
class SystemBrief:
    """A system that the service can search with."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class About:
    """What is served; `card` is Markdown, `pictures` are paths on the service."""

    name: str
    version: str
    system: str
    description: str
    calibrated: bool
    threshold: float
    card: str
    pictures: tuple[str, ...]
    questions: int
    marks: VerdictCounts
    sequence: int
    systems: tuple[SystemBrief, ...]
    reads: str


@dataclass(frozen=True, slots=True)
class Precision:
    """Of the suggestions that people judged, the share that was right; None before the first one."""

    confirmed: int
    rejected: int
    share: float | None


@dataclass(frozen=True, slots=True)
class Month:
    """What people said in a month."""

    month: str
    confirmed: int
    rejected: int


@dataclass(frozen=True, slots=True)
class Queue:
    """Pairs that wait for a moderator, and how much of the archive has been looked through for them."""

    pairs: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Insight:
    """What the archive and the people who use it tell; `groups` are the largest."""

    questions: int
    marks: VerdictCounts
    feedback: VerdictCounts
    precision: Precision
    months: tuple[Month, ...]
    queue: Queue
    groups: tuple[Group, ...]
