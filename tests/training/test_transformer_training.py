"""Fine-tuning sentence encoders: it helps, it can be interrupted, and it repeats itself."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from askagain.encoders.sentencefolder import identity_of, load_network
from askagain.encoders.sentencesettings import SentenceSettings
from askagain.encoders.transformer import SentenceModel, load_sentences
from askagain.errors import OutputError, SettingsError, TrainingError
from askagain.question import Question
from askagain.training import transformer
from askagain.training.checkpoints import Epoch
from askagain.training.data import TrainingData, assembled
from askagain.training.transformer import (
    SentenceMeasure,
    finetune_sentences,
    make_optimiser,
    rate_at,
    text_vectors,
)
from tiny_sentences import save_tiny_encoder, words_of

SETTINGS = SentenceSettings(rate=1e-2, batch=16, epochs=3, patience=3, longest=32)
TEXTS = [Question("how do I boot from usb"), Question("boot"), Question("???"), Question("install " * 40)]


@pytest.fixture(scope="module")
def folder(forum_data: TrainingData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder that knows the words of the sample forum."""
    words = words_of(f"{question.title} {question.body}" for question in forum_data.questions)
    return save_tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny", words)


@pytest.fixture(scope="module")
def remembered(forum_data: TrainingData) -> TrainingData:
    """The sample forum, where the pairs to learn from are those to measure with."""
    pairs = [(forum_data.questions[a].id, forum_data.questions[b].id) for a, b in forum_data.pairs.tolist()]
    return assembled(forum_data.questions, pairs, pairs)


def learn(
    folder: Path, data: TrainingData, out: Path, settings: SentenceSettings = SETTINGS, **options: Any
) -> list[Epoch]:
    epochs: list[Epoch] = []
    finetune_sentences(folder, data, out, settings, **{"on_epoch": epochs.append, **options})
    return epochs


def interrupting(after: int) -> Any:
    def on_epoch(epoch: Epoch) -> None:
        if epoch.number == after:
            raise KeyboardInterrupt

    return on_epoch


def mrr(folder: Path, data: TrainingData) -> float:
    assert data.dev is not None
    measure = SentenceMeasure(data.dev, len(data.questions), 0)
    return measure.mrr_of(load_sentences(folder, longest=SETTINGS.longest), data.questions)


def test_the_loss_falls(folder: Path, forum_data: TrainingData, tmp_path: Path) -> None:
    unmeasured = replace(forum_data, dev=None)

    epochs = learn(folder, unmeasured, tmp_path / "taught")

    losses = [epoch.loss for epoch in epochs]
    assert len(losses) == 3
    assert losses[-1] < losses[0] / 2
    assert all(epoch.questions_per_second > 0 and epoch.dev is None for epoch in epochs)


def test_marked_duplicates_come_nearer(folder: Path, remembered: TrainingData, tmp_path: Path) -> None:
    epochs = learn(folder, remembered, tmp_path / "taught")

    best = max(epoch.dev or 0.0 for epoch in epochs)
    assert best > 2 * mrr(folder, remembered)
    assert mrr(tmp_path / "taught", remembered) == pytest.approx(best)


def test_what_was_taught_is_a_folder_without_pickles(
    folder: Path, forum_data: TrainingData, tmp_path: Path
) -> None:
    out = finetune_sentences(folder, forum_data, tmp_path / "taught", replace(SETTINGS, epochs=1))

    names = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert out == tmp_path / "taught"
    assert {"modules.json", "model.safetensors", "tokenizer.json", "1_Pooling/config.json"} <= names
    assert {Path(name).suffix for name in names} == {".json", ".safetensors", ".sha256"}
    assert (out / "model.safetensors").stat().st_mode & 0o777 == 0o644
    assert [path.name for path in tmp_path.iterdir()] == ["taught"]
    assert load_sentences(out).reader.longest == load_sentences(folder).reader.longest


def test_the_same_seed_gives_the_same_encoder(folder: Path, forum_data: TrainingData, tmp_path: Path) -> None:
    unmeasured = replace(forum_data, dev=None)
    for name, seed in (("first", 0), ("again", 0), ("other", 1)):
        learn(folder, unmeasured, tmp_path / name, replace(SETTINGS, epochs=1), seed=seed)

    first, again, other = (identity_of(tmp_path / name) for name in ("first", "again", "other"))
    assert first == again
    assert first != other


@pytest.mark.parametrize("after", [1, 3])
def test_an_interrupted_training_ends_with_the_same_encoder(
    after: int, folder: Path, remembered: TrainingData, tmp_path: Path
) -> None:
    whole = learn(folder, remembered, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        learn(folder, remembered, tmp_path / "interrupted", on_epoch=interrupting(after))
    assert not (tmp_path / "interrupted").exists()

    rest = learn(folder, remembered, tmp_path / "interrupted")

    assert [(epoch.number, epoch.loss, epoch.dev) for epoch in rest] == [
        (epoch.number, epoch.loss, epoch.dev) for epoch in whole[after:]
    ]
    assert identity_of(tmp_path / "interrupted") == identity_of(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["interrupted", "whole"]


def test_other_settings_do_not_go_on_from_it(folder: Path, forum_data: TrainingData, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        learn(folder, forum_data, tmp_path / "taught", on_epoch=interrupting(1))

    epochs = learn(folder, forum_data, tmp_path / "taught", replace(SETTINGS, epochs=1, scale=10.0))

    assert [epoch.number for epoch in epochs] == [1]


def test_what_no_epoch_makes_better_stays_as_it_was(
    folder: Path, forum_data: TrainingData, tmp_path: Path
) -> None:
    epochs = learn(folder, forum_data, tmp_path / "taught", replace(SETTINGS, rate=0.1, patience=1))

    assert len(epochs) == 1
    before, after = (load_file(path / "model.safetensors") for path in (folder, tmp_path / "taught"))
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_titles_alone_can_teach(folder: Path, forum_data: TrainingData, tmp_path: Path) -> None:
    titles = replace(SETTINGS, epochs=1, bodies=False)
    unmeasured = replace(forum_data, dev=None)
    bare = replace(unmeasured, questions=tuple(replace(each, body="") for each in forum_data.questions))

    learn(folder, unmeasured, tmp_path / "unread", replace(titles, hard=0))
    learn(folder, bare, tmp_path / "bare", replace(titles, hard=0))

    assert identity_of(tmp_path / "unread") == identity_of(tmp_path / "bare")


def test_progress_counts_steps(folder: Path, forum_data: TrainingData, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    steps = -(-len(forum_data.pairs) // 50)

    learn(
        folder, replace(forum_data, dev=None), tmp_path / "taught", replace(SETTINGS, epochs=1, batch=50),
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip

    assert seen == [(step + 1, steps) for step in range(steps)]


def test_without_marks_there_is_nothing_to_learn(
    folder: Path, forum_data: TrainingData, tmp_path: Path
) -> None:
    with pytest.raises(TrainingError, match="no marked duplicates"):
        learn(folder, replace(forum_data, pairs=forum_data.pairs[:0]), tmp_path / "taught")


def test_questions_that_say_nothing_are_passed_over(folder: Path, tmp_path: Path) -> None:
    silent = assembled([Question("???", id="1"), Question("", id="2")], [("1", "2")], [])

    epochs = learn(folder, silent, tmp_path / "taught", replace(SETTINGS, epochs=1))

    assert [epoch.loss for epoch in epochs] == [0.0]


def test_a_loss_that_is_no_number_is_an_error(folder: Path, forum_data: TrainingData, tmp_path: Path) -> None:
    broken = save_tiny_encoder(tmp_path / "broken", ["boot"])
    weights = load_file(broken / "model.safetensors")
    weights["embeddings.word_embeddings.weight"].fill(np.nan)
    save_file(weights, broken / "model.safetensors", {"format": "pt"})

    with pytest.raises(TrainingError, match=r"lower the rate, which is 0\.01"):
        learn(broken, replace(forum_data, dev=None), tmp_path / "taught")


def test_what_is_no_encoder_is_not_replaced(folder: Path, forum_data: TrainingData, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")

    with pytest.raises(OutputError, match="is not the folder of a sentence encoder"):
        learn(folder, forum_data, tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_an_older_encoder_is_replaced(folder: Path, forum_data: TrainingData, tmp_path: Path) -> None:
    unmeasured, one = replace(forum_data, dev=None), replace(SETTINGS, epochs=1)
    learn(folder, unmeasured, tmp_path / "taught", one, seed=1)
    before = identity_of(tmp_path / "taught")

    learn(folder, unmeasured, tmp_path / "taught", one, seed=2)

    assert identity_of(tmp_path / "taught") != before
    assert [path.name for path in tmp_path.iterdir()] == ["taught"]


def test_long_texts_teach_the_same_with_less_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gradients(kept: int) -> list[torch.Tensor]:
        monkeypatch.setattr(transformer, "_TOKENS_KEPT", kept)
        network = load_network(folder).train()
        model = SentenceModel(network, identity="learning")
        torch.manual_seed(0)
        vectors = text_vectors(network, model.reader.read(TEXTS))
        (vectors @ vectors.T).square().sum().backward()  # type: ignore[no-untyped-call]
        return [weight.grad for weight in network.parameters() if weight.grad is not None]

    ours, recomputed = gradients(1_000_000), gradients(0)

    assert len(ours) == len(recomputed) > 10
    for one, other in zip(ours, recomputed, strict=True):
        torch.testing.assert_close(one, other)


def test_training_sees_the_vectors_that_search_does(folder: Path) -> None:
    model = load_sentences(folder)

    vectors = text_vectors(model.network, model.reader.read(TEXTS)).detach().numpy()

    np.testing.assert_allclose(vectors, model.encode(TEXTS).dense, atol=1e-5)
    assert not vectors[2].any()


def test_the_rate_rises_and_falls() -> None:
    settings = SentenceSettings(rate=1.0e-2, warmup=0.2)

    rates = [rate_at(step, 10, settings) for step in range(10)]

    assert rates == pytest.approx([5e-3, 1e-2, *(1e-2 * left / 8 for left in range(8, 0, -1))])


@pytest.mark.parametrize("warmup", [0.0, 1.0])
@pytest.mark.parametrize("steps", [1, 2])
def test_the_shortest_training_has_a_rate(steps: int, warmup: float) -> None:
    settings = SentenceSettings(warmup=warmup)

    assert all(0 < rate_at(step, steps, settings) <= settings.rate for step in range(steps))


def test_only_matrices_decay(folder: Path) -> None:
    network = load_network(folder)

    groups = make_optimiser(network, SentenceSettings(decay=0.5)).param_groups

    decays = {id(weight): group["weight_decay"] for group in groups for weight in group["params"]}
    named = {name: decays[id(weight)] for name, weight in network.named_parameters()}
    assert {value for name, value in named.items() if name.endswith("bias")} == {0.0}
    assert {value for name, value in named.items() if "LayerNorm" in name} == {0.0}
    assert {value for name, value in named.items() if name.endswith("dense.weight")} == {0.5}


@pytest.mark.parametrize(
    ("name", "value"),
    [("rate", 0.0), ("batch", 0), ("epochs", 0), ("patience", 0), ("scale", 0.0), ("hard", -1),
     ("longest", 3), ("warmup", 1.5), ("decay", -0.1), ("clip", 0.0)],
)  # fmt: skip
def test_settings_have_ranges(name: str, value: float) -> None:
    with pytest.raises(SettingsError, match=f"{name} is .*: it must be from"):
        SentenceSettings(**{name: value})  # type: ignore[arg-type]
