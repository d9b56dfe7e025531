"""A process that writes to a log until it is killed, and prints each position when it is acknowledged."""

import sys
from itertools import count
from pathlib import Path

from askagain import Question
from askagain.cluster.log import Entry, Put, WriteLog


def main(folder: str, name: str, most: int) -> None:
    log, position = WriteLog(Path(folder)), 0
    for number in count():
        if number == most:
            return
        write = Put(number, Question(id=f"{name}-{number}", title=name, body="x" * 20_000))
        while not log.append(Entry(position + 1, number + 1, (write,))):
            position = log.end(position)
        position += 1
        print(position, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
