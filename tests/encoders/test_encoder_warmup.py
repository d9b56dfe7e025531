"""After the warm-up a model encodes its first question without compiling anything."""

import subprocess
import sys
from pathlib import Path

from small_models import GRU, LSTM, RCNN, Recipe, model_weights, vocabulary_for

from askagain.encoders.folder import save_model

CODE = """
import sys
from pathlib import Path
from askagain.encoders import products
from askagain.encoders.folder import load_model
from askagain.encoders.warmup import warm_up
from askagain.question import Question

def signatures():
    kernels = [value for value in vars(products).values() if hasattr(value, "signatures")]
    return {f"{kernel.py_func.__name__}{types}" for kernel in kernels for types in kernel.signatures}

warm_up()
known = signatures()
load_model(Path(sys.argv[1])).encode([Question("how to boot from usb")])
print(sorted(signatures() - known))
"""


def test_the_first_question_compiles_nothing(tmp_path: Path) -> None:
    parts = (RCNN, LSTM, GRU)
    recipe = Recipe("small", "A small model", parts)
    words = [vocabulary_for(part) for part in parts]
    save_model(tmp_path / "model", recipe, words, model_weights(*parts), card="", pictures={})
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path / "model")], capture_output=True, text=True, timeout=280
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
