"""After the warm-up no question has to compile anything."""

import subprocess
import sys

# In a process of its own: what other tests have compiled would be there without any warm-up.
CODE = """
import numpy as np
from askagain.analysis import AnalyzerSettings
from askagain.encoders.shipped import shipped_words
from askagain.explanations.reader import QuestionReader
from askagain.fusion.kernels import alignment, fusing, numbering, places, words
from askagain.fusion.kernels.warmup import warm_up
from askagain.fusion.lists import Lists
from askagain.fusion.wordsignals import word_signals
from askagain.lexical import exact
from askagain.lexical.index import LexicalIndex, Scoring
from askagain.lexical.similarities import similarity
from askagain.question import Question

def signatures():
    kernels = [
        value for module in (alignment, exact, fusing, numbering, places, words)
        for value in vars(module).values() if hasattr(value, "signatures")
    ]
    return {f"{kernel.py_func.__name__}{types}" for kernel in kernels for types in kernel.signatures}

warm_up()
known = signatures()
reader = QuestionReader(AnalyzerSettings())
found = [Question("boot from usb", "it is ignored"), Question(""), Question("usb 12.04")]
asked = Question("booting from a usb stick", "no")
index = LexicalIndex(("title", "body"))
index.add([(1, [["boot", "usb"], ["stick"]])])
for lists in (
    Lists.of_one(asked, found),
    Lists.of_one(asked, []),
    Lists([asked, *found], np.array([0, 2]), np.array([1, 2, 3, 0]), np.array([0, 3, 4])),
    Lists.of_one(asked, found).only(np.array([True, False, False])),
):
    stems, titles = numbering.numbered(reader, lists.questions)
    weights = np.linspace(0, 1, len(stems.texts))
    word_signals(lists, stems, weights)
    alignment.alignment_signals(titles, weights, shipped_words().units, lists.arrays)
    places.in_lists(np.ones(len(lists.found)), lists.starts)
    tokens = index.identities(stems.texts)[stems.numbers]
    documents = index.foreign_tokens(tokens, stems.starts)
    for name in ("bm25", "tfidf"):
        scoring = Scoring(similarity(name), (1.0, 1.0))
        index.score_lists(lists.arrays, tokens, stems.starts, scoring, documents)
print(len(known) >= 4, sorted(signatures() - known))
"""


def test_real_questions_use_the_kernels_that_the_warm_up_has_compiled() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=280)

    assert (done.returncode, done.stdout) == (0, "True []\n"), done.stderr
