"""After the warm-up no search by vectors has anything left to compile."""

import subprocess
import sys

CODE = """
import sys, tempfile
from pathlib import Path
from askagain import Archive, Question
from askagain.encoders.vectors import stacked
from askagain.neighbours.ranker import VectorRanker
from askagain.neighbours.view import VectorView
from askagain.neighbours.warmup import warm_up
from word_model import WordModel

def signatures():
    modules = [module for name, module in sys.modules.items() if name.startswith("askagain.neighbours.")]
    kernels = [value for module in modules for value in vars(module).values() if hasattr(value, "signatures")]
    return {f"{kernel.py_func.__name__}{types}" for kernel in kernels for types in kernel.signatures}

warm_up()
known = signatures()
with tempfile.TemporaryDirectory() as folder, Archive.open(Path(folder) / "forum.db") as archive:
    for life in range(2):
        archive.put_many(Question(f"boot it {number}", id=str(life + number)) for number in range(5000))
        archive.delete("7")
        with VectorView.open(archive, WordModel()) as view:
            query = view.model.as_queries(view.model.encode([Question("boot it 7")]))
            view.search(query, 5)
            view.search(stacked([query] * 20), 5)
            view.scores(query, [1, 2])
print(sorted(signatures() - known))
"""


def test_whatever_a_view_does_is_compiled_then() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        cwd=__file__.rpartition("/")[0],
    )

    assert (done.stdout, done.stderr) == ("[]\n", "")
