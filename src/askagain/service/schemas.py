"""What requests and answers consist of; the OpenAPI document is made from it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from askagain.archive.hygiene import MAX_ID_CHARACTERS, clean_question
from askagain.archive.records import PutCounts
from askagain.question import Question, Verdict

LONGEST_TITLE = 1_000
LONGEST_TEXT = 100_000
LONGEST_ID = MAX_ID_CHARACTERS
LONGEST_URL = 2_000
MOST_TAGS = 50
MOST_MATCHES = 50
MOST_IN_PAGE = 100

Title = Annotated[str, StringConstraints(max_length=LONGEST_TITLE)]
Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]
POSSIBLE_ID = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
Id = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_ID, pattern=POSSIBLE_ID)]
# More than blanks and NUL characters, which the archive leaves out.
SayingTitle = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TITLE, pattern=r"[^\s\x00]")]
Tag = Annotated[str, StringConstraints(max_length=100)]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]
VerdictName = Literal["duplicate", "not-duplicate"]


class _Request(BaseModel):
    """Nothing is guessed: a number is not a text, and a name that nobody knows is an error."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Asked(_Request):
    """A question that somebody is about to ask."""

    title: Title
    body: Text = ""
    tags: list[Tag] = Field(default=[], max_length=MOST_TAGS)
    k: int = Field(default=5, ge=1, le=MOST_MATCHES, description="How many matches at most")
    min_probability: Probability | None = Field(
        default=None, description="What is less likely is left out; the default is the service's"
    )
    explain: bool = Field(default=True, description="Whether matches come with reasons")
    system: Annotated[str, StringConstraints(max_length=100)] | None = Field(
        default=None, description="Another of the systems that /v1/about names"
    )

    def question(self) -> Question:
        """As the engine takes it."""
        return Question(title=self.title, body=self.body, tags=tuple(self.tags))


class QuestionText(_Request):
    """A question of the forum without its id."""

    title: SayingTitle
    body: Text = ""
    tags: list[Tag] = Field(default=[], max_length=MOST_TAGS)
    created: Annotated[str, StringConstraints(max_length=100)] = ""
    url: Annotated[str, StringConstraints(max_length=LONGEST_URL)] = ""
    answer: Text = ""

    def question(self, id: str) -> Question:
        """As the archive keeps it."""
        return clean_question(
            Question(
                id=id,
                title=self.title,
                body=self.body,
                tags=tuple(self.tags),
                created=self.created,
                url=self.url,
                answer=self.answer,
            )
        )


class NewQuestion(QuestionText):
    """A question of the forum; without an id it gets one."""

    id: Id | None = None


class KeptQuestion(BaseModel):
    """A question as the archive has it."""

    id: str
    title: str
    body: str
    tags: list[str]
    created: str
    url: str
    answer: str


class Written(BaseModel):
    """A question was written."""

    id: str
    sequence: int
    changed: bool


class Rejected(BaseModel):
    """A line that was not taken."""

    line: int
    detail: str


class BulkResult(BaseModel):
    """What became of the lines of a stream."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    rejected: list[Rejected] = []
    sequence: int = 0

    def count(self, written: PutCounts) -> None:
        """Adds questions that were written."""
        self.added += written.added
        self.changed += written.changed
        self.unchanged += written.unchanged


class NewMark(_Request):
    """A moderator's verdict on a pair."""

    first: Id
    second: Id
    verdict: VerdictName

    def parsed(self) -> Verdict:
        """As the archive names it."""
        return Verdict(self.verdict)


class Marked(BaseModel):
    """A mark was set."""

    changed: bool
    sequence: int


class NewFeedback(_Request):
    """Somebody's word on a suggestion for a question that is not in the archive."""

    title: SayingTitle
    body: Text = ""
    id: Id = Field(description="Of the question that was suggested")
    verdict: VerdictName


class Received(BaseModel):
    """Feedback was kept."""

    sequence: int


class Word(BaseModel):
    """A word with its weight: the rarer it is in the archive, the more it weighs."""

    word: str
    weight: float


class SimilarWords(BaseModel):
    """Different words with similar meaning."""

    yours: str
    theirs: str
    similarity: float


class Reasons(BaseModel):
    """Why two questions are alike, and how they differ."""

    line: str
    shared: list[Word]
    only_yours: list[Word]
    only_theirs: list[Word]
    similar: list[SimilarWords]


class Brief(BaseModel):
    """A question in short, as plain text."""

    id: str
    title: str
    excerpt: str
    url: str | None
    created: str
    answer: str | None


class Suggestion(Brief):
    """An earlier question that the same answer may settle."""

    probability: float | None
    score: float
    reasons: Reasons | None


class Suggestions(BaseModel):
    """The answer to a search."""

    matches: list[Suggestion]
    system: str
    threshold: float
    calibrated: bool
    sequence: int


class Pair(BaseModel):
    """Two questions that are likely duplicates."""

    first: Brief
    second: Brief
    probability: float
    reasons: Reasons | None


class QueueProgress(BaseModel):
    """How far the archive was looked through."""

    done: int
    total: int


class Pairs(BaseModel):
    """A page of the moderators' queue."""

    pairs: list[Pair]
    next: str | None
    progress: QueueProgress


class Member(Brief):
    """A question of a group."""

    probability: float | None
    confirmed: bool


class QuestionGroup(BaseModel):
    """Questions that ask the same."""

    canonical: Brief
    why: str
    members: list[Member]
    weakest: float | None
    size: int


class Groups(BaseModel):
    """A page of groups."""

    groups: list[QuestionGroup]
    next: str | None


class Counts(BaseModel):
    """How often people said yes and no."""

    duplicate: int
    not_duplicate: int


class SystemName(BaseModel):
    """A system that the service can search with."""

    name: str
    description: str


class About(BaseModel):
    """What is served."""

    name: str
    version: str
    system: str
    description: str
    calibrated: bool
    threshold: float
    card: str
    pictures: list[str]
    questions: int
    marks: Counts
    sequence: int
    systems: list[SystemName]
    reads: str


class Precision(BaseModel):
    """Of the suggestions that people have judged, how many were right."""

    confirmed: int
    rejected: int
    share: float | None


class Month(BaseModel):
    """The same for a month."""

    month: str
    confirmed: int
    rejected: int


class QueueState(BaseModel):
    """The moderators' queue in numbers."""

    pairs: int
    done: int
    total: int


class Insight(BaseModel):
    """What the archive and its marks tell."""

    questions: int
    marks: Counts
    feedback: Counts
    precision: Precision
    months: list[Month]
    queue: QueueState
    groups: list[QuestionGroup]


class Health(BaseModel):
    """Whether the service lives, or is ready."""

    status: str
