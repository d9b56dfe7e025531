"""A small forum whose words weigh differently: every second question is about Ubuntu."""

from collections.abc import Iterator

import pytest

from askagain import Archive, Question
from askagain.explanations.explainer import Explainer
from askagain.lexical.view import LexicalView

TITLES = [
    "How do I boot Ubuntu from a USB stick?",
    "Ubuntu does not boot after an update",
    "Install Ubuntu beside Windows 8",
    "Print from Ubuntu over wifi",
    "Ubuntu hangs when my laptop wakes up",
    "Which Ubuntu for an old laptop?",
    "How do I cook rice without a lid?",
    "Rice is sticky after cooking",
    "How long does bread keep?",
    "Bread without yeast",
]


@pytest.fixture(scope="session")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LexicalView]:
    with Archive.open(tmp_path_factory.mktemp("words") / "forum.db") as archive:
        archive.put_many([Question(title, id=str(number)) for number, title in enumerate(TITLES)])
        yield LexicalView.open(archive, durable=False)


@pytest.fixture(scope="session")
def explainer(view: LexicalView) -> Explainer:
    return Explainer(view)
