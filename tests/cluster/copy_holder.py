"""A process that uses a copy of a shard until its input ends, and prints where it is."""

import sys
from pathlib import Path

from askagain.cluster.copies import own_shard
from askagain.cluster.layout import ClusterFolder


def main(cluster: str, copies: str) -> None:
    folder = ClusterFolder.open(Path(cluster))
    with own_shard(Path(copies), folder, folder.current, 0) as shard:
        print(shard.position, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
