"""After the warm-up no question has to compile anything."""

import subprocess
import sys

# In a process of its own: what other tests have compiled would be there without any warm-up.
CODE = """
import numpy as np
from askagain.analysis import AnalyzerSettings
from askagain.encoders.shipped import shipped_words
from askagain.explanations.reader import QuestionReader
from askagain.fusion.kernels import alignment, numbering, words
from askagain.fusion.kernels.warmup import warm_up
from askagain.fusion.wordsignals import word_signals
from askagain.question import Question

def signatures():
    kernels = [
        value for module in (alignment, numbering, words) for value in vars(module).values()
        if hasattr(value, "signatures")
    ]
    return {f"{kernel.py_func.__name__}{types}" for kernel in kernels for types in kernel.signatures}

warm_up()
known = signatures()
reader = QuestionReader(AnalyzerSettings())
found = [Question("boot from usb", "it is ignored"), Question(""), Question("usb 12.04")]
asked = Question("booting from a usb stick", "no")
for candidates in (found, []):
    stems, titles = numbering.numbered(reader, [asked, *candidates])
    weights = np.linspace(0, 1, len(stems.texts))
    word_signals(asked, candidates, stems, weights)
    alignment.alignment_signals(titles, weights, shipped_words().units)
print(len(known) >= 4, sorted(signatures() - known))
"""


def test_real_questions_use_the_kernels_that_the_warm_up_has_compiled() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=280)

    assert (done.returncode, done.stdout) == (0, "True []\n"), done.stderr
