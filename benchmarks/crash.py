"""Does the archive lose anything when its writer is killed? Kills one with SIGKILL at 200 random moments.

After each kill a saved lexical view must catch up, and then answer, bit for bit, as one built from scratch.

python benchmarks/crash.py [--kills 200] [--seed 1] [--json]
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

# The tests do the same with 20 kills; driver and checks stand beside them.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "archive"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "lexical"))

from crashing import CrashRun, ViewByChanges, crash
from following import LexicalFollower

from askagain.archive import Archive


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    by_changes, lexical = ViewByChanges(), LexicalFollower()

    def check_views(archive: Archive) -> None:
        by_changes(archive)
        lexical(archive)

    with tempfile.TemporaryDirectory() as folder:
        cases = _cases(crash(Path(folder), options.kills, options.seed, check_views), lexical)
    if options.json:
        print(json.dumps({"cases": cases}))
    else:
        for case in cases:
            print(f"{case['name']:45} {case['ours']:>8} {case['unit']}")


def _cases(run: CrashRun, lexical: LexicalFollower) -> list[dict[str, object]]:
    """There is no peer to compare with: every kill either loses nothing or ends the run with an error."""
    figures = [
        ("writers killed, nothing lost or half there", "kills", run.kills),
        ("acknowledged operations checked", "operations", run.acknowledged),
        ("imports stopped between two batches", "imports", run.interrupted_imports),
        ("commits made but not yet acknowledged", "commits", run.unacknowledged_commits),
        ("lexical views caught up from their file", "views", lexical.loaded),
    ]
    return [
        {"name": name, "unit": unit, "ours": value, "peers": {}, "ratio": None}
        for name, unit, value in figures
    ]


if __name__ == "__main__":
    main()
