"""After the warm-up nothing is left to compile."""

import subprocess
import sys

CODE = """
import sys, tempfile
from pathlib import Path
from askagain import Engine, Question
from askagain.lexical.warmup import warm_up
from askagain.systems import load_system

def signatures():
    modules = [module for name, module in sys.modules.items() if name.startswith("askagain.lexical.")]
    kernels = [value for module in modules for value in vars(module).values() if hasattr(value, "signatures")]
    return {f"{kernel.py_func.__name__}{types}" for kernel in kernels for types in kernel.signatures}

def many(start, count):
    return (Question("Boot it", "from usb", str(number)) for number in range(start, start + count))

warm_up()
known = signatures()
with tempfile.TemporaryDirectory() as folder:
    for fields in (["title"], ["title", "body"]):
        system = load_system("bm25").restricted_to(fields)
        for life in range(2):
            with Engine.open(Path(folder) / "forum.db", system, create=True) as engine:
                for count in (1500, 10, 1500):
                    engine.archive.put_many(many(life * 1000, count))
                    engine.archive.edit(Question("Edited", id=str(life * 1000)))
                    engine.archive.delete(str(life * 1000 + 1))
                    engine.search(Question("How do I boot?"), 5)
                engine.ranker.score(Question("boot"), [Question("usb"), Question("boot")])
print(sorted(signatures() - known))
"""


def test_whatever_an_engine_does_is_compiled_then() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, timeout=280, check=True
    )

    assert done.stdout == "[]\n"
