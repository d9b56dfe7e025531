"""A process in which a shard follows the log, and prints each position when it has got there."""

import sys
from pathlib import Path

from askagain.cluster.layout import ClusterFolder
from askagain.cluster.shard import Shard


def main(cluster: str, copy: str) -> None:
    folder = ClusterFolder.open(Path(cluster))
    with Shard.open(folder.current, 0, Path(copy), folder.log) as shard:
        while folder.log.has(shard.position + 1):
            shard.advance(shard.position + 1)
            print(shard.position, flush=True)
        print("end", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
