"""The cluster on Ray: the answers of one machine, through kills, at what price?

python benchmarks/cluster.py [--parts equality faults overhead capacity] [--million] [--out FILE.md]

equality: rankings and scores on 1, 2, 4 and 7 shards beside those of one machine, also with live edits.
faults: a Ray cluster of several nodes on this machine. Nodes are killed while clients search and write, and
while jobs run; nothing that was acknowledged may be lost, and nothing may be wrong.
overhead: searches a second of one shard on Ray and of the plain service, which take turns; with --million
also of two shards and of one process, with a million resampled titles.
capacity: memory and CPU of replicas and gateways at several sizes, and a model that is fitted to them.

Prints Markdown. Loads come over loopback only, for overhead and capacity from wrk (Debian package wrk).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from cluster_capacity import capacity
from cluster_equality import SHARDS, SYSTEMS, TOP, equality
from cluster_faults import faults
from cluster_jobs import JOBS
from cluster_overhead import overhead
from cluster_report import log

PARTS = {
    "equality": ("Equal to one machine", equality),
    "faults": ("Kills", faults),
    "overhead": ("Overhead", overhead),
    "capacity": ("Capacity", capacity),
}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--questions", type=int, default=44_142, help="titles of askubuntu-titles; 0 leaves one shard out"
    )
    parser.add_argument("--system", default="best", help="of all parts but equality")
    _add_equality(parser.add_argument_group("equality"))
    _add_faults(parser.add_argument_group("faults"))
    _add_overhead(parser.add_argument_group("overhead and capacity"))
    return parser.parse_args()


def _add_equality(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--systems", nargs="*", default=SYSTEMS)
    group.add_argument("--shards", type=int, nargs="*", default=SHARDS)
    group.add_argument("--queries", type=int, default=500, help="of the dev split; for faults as well")
    group.add_argument("--edits", type=int, default=500)
    group.add_argument("--top", type=int, default=TOP)


def _add_faults(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--kills", type=int, default=20, help="during searches; 0 leaves them out")
    group.add_argument("--pause", type=float, default=10.0, help="longest time before a kill, in seconds")
    group.add_argument("--clients", type=int, default=4)
    group.add_argument("--searches-per-second", type=float, default=5.0, help="of each client, at most")
    group.add_argument("--writes-per-second", type=float, default=5.0, help="at most")
    group.add_argument("--writes", type=int, default=20_000, help="at most")
    group.add_argument("--jobs", nargs="*", choices=JOBS, default=list(JOBS))
    group.add_argument("--job-kills", type=int, default=20, help="during each job; 0 leaves them out")
    group.add_argument("--job-pause", type=float, default=5.0, help="longest time between kills")
    group.add_argument("--encode-questions", type=int, default=200_000, help="resampled titles")
    group.add_argument("--mine-questions", type=int, default=10_000, help="resampled titles")


def _add_overhead(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--rounds", type=int, default=5)
    group.add_argument("--seconds", type=int, default=20, help="of each load")
    group.add_argument("--connections", type=int, default=32)
    group.add_argument("--workers", type=int, default=2, help="processes of each service")
    group.add_argument("--gateways", type=int, default=1, help="of two shards")
    group.add_argument("--million", action="store_true", help="two shards against one process")
    group.add_argument("--million-questions", type=int, default=1_000_000, help="if not quite a million")
    group.add_argument("--sizes", type=int, nargs="*", default=(150_000, 300_000, 600_000))
    group.add_argument("--questions-per-shard", type=int, default=2_000_000, help="of the model")
    group.add_argument("--replicas", type=int, default=2, help="of the model")
    group.add_argument("--core-price", type=float, default=0.03, help="dollars for a core-hour")
    group.add_argument("--memory-price", type=float, default=0.004, help="dollars for a GB-hour")


def main() -> None:
    options = parsed()
    sections = []
    for part in options.parts:
        title, measure = PARTS[part]
        log(title)
        sections.append(f"### {title}\n\n{measure(options)}\n")
        if options.out:
            options.out.write_text("\n".join(sections), encoding="utf-8")
    print("\n".join(sections))


if __name__ == "__main__":
    main()
