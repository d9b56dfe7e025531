"""What people build today: a FastAPI endpoint that encodes with MiniLM and searches with numpy.

Served by `benchmarks/service.py`, which sets SERVICE_PEER to a folder with titles.json and vectors.npy.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from fastapi import FastAPI

from askagain.encoders.sentencefolder import load_network, packaged_folder

MATCHES = 5


def app() -> FastAPI:
    folder = Path(os.environ["SERVICE_PEER"])
    titles = json.loads((folder / "titles.json").read_text(encoding="utf-8"))
    vectors = np.load(folder / "vectors.npy")
    torch.set_num_threads(1)
    encoder = load_network(packaged_folder())
    service = FastAPI()

    @service.get("/v1/similar")
    def similar(title: str) -> dict[str, Any]:
        asked = encoder.encode(title, normalize_embeddings=True, show_progress_bar=False)
        scores = vectors @ asked
        best = np.argpartition(-scores, MATCHES)[:MATCHES]
        best = best[np.argsort(-scores[best])]
        return {"matches": [{"title": titles[row], "score": float(scores[row])} for row in best]}

    return service
