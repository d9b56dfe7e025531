"""Words for numbers."""


def counted(count: int, noun: str) -> str:
    """`1 question`, `2 questions`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
