"""The times of trainings: of the best epoch, and of all."""

from askagain.training.checkpoints import Epoch
from training_time import Lap, Watch, line


def epoch(number: int, dev: float | None = None, perplexity: float | None = None) -> Epoch:
    phase = "pre-training" if dev is None else "fine-tuning"
    return Epoch(phase, number, 1.0, 2.0, 3.0, dev, perplexity)


def test_the_best_epoch_is_that_with_the_best_dev_figure() -> None:
    laps = [
        Lap(epoch(1, dev=10.0), 1.5, 3.0),
        Lap(epoch(2, dev=30.0), 2.5, 5.0),
        Lap(epoch(3, dev=20.0), 3.5, 7.0),
    ]
    watch = Watch(laps=laps)
    assert watch.best("fine-tuning").minutes == 2.5
    assert line("rcnn", "fine-tuning", watch).split() == [
        "rcnn", "fine-tuning", "2", "2.5", "5.0", "3.5", "7.0", "dev", "MRR", "30.00",
    ]  # fmt: skip


def test_without_marks_the_lowest_perplexity_counts() -> None:
    watch = Watch(laps=[Lap(epoch(1, perplexity=80.0), 1.0, 1.0), Lap(epoch(2, perplexity=50.0), 2.0, 2.0)])
    assert watch.best("pre-training").epoch.number == 2


def test_epochs_of_the_other_phase_do_not_count() -> None:
    watch = Watch(laps=[Lap(epoch(1, perplexity=80.0), 1.0, 1.0), Lap(epoch(1, dev=5.0), 2.0, 2.0)])
    assert watch.best("pre-training").minutes == 1.0
