"""How fast are encoders? Training, encoding and searching, beside named peers in the same run.

python benchmarks/encoders.py [--only training|sharing|encoding|search] [--questions 1000000] [--json]

training  tokens per second, forward and backward, of the RCNN with 400 units over word vectors of 200
          numbers, in batches of 80 questions of askubuntu-bodies; beside torch.nn.LSTM with as many units,
          and beside the RCNN as a plain loop of torch operations; the same of our LSTM
sharing   seconds per epoch of fine-tuning on some pairs of askubuntu-titles, where every question of a batch
          is encoded once and the others are its negatives; beside 20 negatives of its own for every pair
encoding  questions per second from raw text to vectors, of questions of cooking with about 110 words, and
          milliseconds for a title, of models with the recipes' sizes; beside all-MiniLM-L6-v2
search    queries per second, top 10, among the RCNN's vectors of a million titles resampled from
          askubuntu-titles (see resample.py), and the share of the true neighbours that is found; beside
          exact search, ours and faiss' IndexFlatIP

Everything uses as many threads as torch, BLAS and faiss do by themselves. On a machine that has other work,
waiting for a thread can take longer than the work itself: OMP_NUM_THREADS=1 gives steadier figures there.
Engines take turns, round by round; the best round of each counts. A ratio compares us with the best peer of
a column; above 1 means that we are faster.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence

from askagain.training.data import TrainingData
from askagain.training.sets import from_set
from cases import Case, render
from encoder_inference import ENCODING_PEERS, encoding_cases
from encoder_search import SEARCH_PEERS, search_cases
from encoder_training import SHARING_PEERS, TRAINING_PEERS, sharing_cases, training_cases
from resample import set_folder

HIDDEN = 400
Part = tuple[Callable[[argparse.Namespace], list[Case]], Sequence[Sequence[str]]]

PARTS: dict[str, Part] = {
    "training": (
        lambda options: training_cases(2000, 80, HIDDEN, options.rounds, options.seed),
        TRAINING_PEERS,
    ),
    "sharing": (
        lambda options: sharing_cases(titles(), 400, HIDDEN, options.rounds, options.seed),
        SHARING_PEERS,
    ),
    "encoding": (lambda options: encoding_cases(500, options.rounds, options.seed), ENCODING_PEERS),
    "search": (
        lambda options: search_cases(titles(), options.questions, options.rounds, options.seed),
        SEARCH_PEERS,
    ),
}


def titles() -> TrainingData:
    return from_set(set_folder("askubuntu-titles"), ("title",), seed=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--questions", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    every: list[Case] = []
    for name in [options.only] if options.only else PARTS:
        measure, peers = PARTS[name]
        cases = measure(options)
        every += cases
        if not options.json:
            print(render(cases, peers), end="\n\n", flush=True)
    if options.json:
        print(json.dumps({"cases": [case.to_json() for case in every]}))


if __name__ == "__main__":
    main()
