"""Files that are damaged, and files that must not change."""

from pathlib import Path


def damage(path: Path, start: int) -> None:
    """Other bytes from a place on; the file keeps its size."""
    content = bytearray(path.read_bytes())
    content[start:] = bytes(byte ^ 0x55 for byte in content[start:])
    path.write_bytes(content)


def files_under(folder: Path) -> dict[Path, tuple[bytes, int]]:
    """Contents and times of all files."""
    return {
        path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()
    }
