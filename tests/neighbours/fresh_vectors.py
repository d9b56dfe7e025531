"""Compares a view with one that has never seen anything but the archive's present state, bit for bit."""

from word_model import WordModel

from askagain.neighbours.exact import Hits
from askagain.neighbours.view import VectorView

TITLES = ("boot", "usb disk", "mouse sound mouse boot", "boot usb disk sound mouse grub", "unheard", "")
TOPS = (1, 3, 50)


def difference(live: VectorView, titles: tuple[str, ...] = TITLES) -> str | None:
    """The first result in which the view is not equal to a fresh one; None if there is none."""
    model = WordModel(live.model.dimension, live.model.columns)
    fresh = VectorView.open(live.archive, model, durable=False, method="exact")
    for k in TOPS:
        found, wanted = (plain(view.search(model.queries(*titles), k)) for view in (live, fresh))
        for title, ours, theirs in zip(titles, found, wanted, strict=True):
            if ours != theirs:
                return f"k = {k}, {title!r}: {ours} instead of {theirs}"
    return None


def plain(many: list[Hits]) -> list[list[tuple[int, float]]]:
    return [list(zip(hits.numbers.tolist(), hits.scores.tolist(), strict=True)) for hits in many]
