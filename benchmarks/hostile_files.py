"""Hostile files: valid ones of every format that we read, damaged by chance."""

import gzip
import random
import re
import struct
import zlib
from collections.abc import Callable

from example_files import EXAMPLES, SITE_7Z
from hostile import BOMB_SIZE, hostile_post

# The content of each file by its name; the first one is the one to be opened.
Files = dict[str, bytes]

LAUGHS = b'<!DOCTYPE z [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
LAUGHS += b"".join(b'<!ENTITY %c "%s">' % (c, b"&%c;" % (c - 1) * 8) for c in b"cdefghijk") + b"]>"
ENCODINGS = [b"\x00", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"]
ENCODINGS += [
    b"\xef\xbb\xbf",
    b"\xc0\x80",
    b"\x1f\x8b",
    b"7z\xbc\xaf\x27\x1c",
    b"a\x00b\x00\n\x00",
    b"\x00" * 99,
]
LINE_ENDS = [b"\n", b"\r", b"\r\n", b"\n\n\n", b"\x0b", b"\x0c", b"\x1a", b"\x1c", b"\x85", "\u2028".encode()]
NUMBERS = [b"-1", b"0", b"1.5", b"1e999", b"-1e999", b"NaN", b"-Infinity", b"9" * 20, b"9" * 400, b"9" * 5000]
NUMBERS += [b"0x10", b"1_000", "٤٢".encode(), "²".encode(), b"+3", b" 4 ", b"true", b"null", b""]
DELIMITERS = [
    b'"',
    b"'",
    b'""',
    b'"""',
    b'","',
    b'"\t"',
    b'a","\n',
    b'a"\t"\n',
    b'\\"',
    b"\\",
    b"\t",
    b",",
    b"|",
]
JSON = [
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b"{}",
    b"[]",
    b'{"a":{}}',
    b"[[1]]",
    b"\\ud800",
    b"\\u0000",
    b"\\u12",
    b"\\x",
]
JSON += [b'"id": 1, ', b'"title": "", ', b'"tags": [1], ', b'"first": "1", ', b"[" * 100_000, b'{"a":' * 3000]
XML = [LAUGHS, b"&k;", b'<!DOCTYPE z [<!ENTITY k SYSTEM "file:///etc/hostname">]>', b"&undefined;", b"&#0;"]
XML += [
    b"<b>" * 300,
    b"<b><c>" * 20_000,
    b"<![CDATA[",
    b"]]>",
    b"<!--",
    b"-->",
    b"<?x ?>",
    b"<?xml version='1.0'",
]
XML += [
    b" encoding='utf-16'?>",
    b"&#xD800;",
    b"&#x110000;",
    b"&lt;",
    b"<",
    b">",
    b"/>",
    b' Id="1"',
    b"<x:row",
]
XML += [b' xmlns="x"', b' PostTypeId="2"', b' PostTypeId="1"', b"<row ", b"<row/>", b"</posts>", b"</row>"]
XML += [b"<OrgQuestion>", b"</OrgQuestion>", b"<OrgQuestion", b"<RelQuestion>", b"</RelQuestion>", b"<posts "]
FRAGMENTS = [ENCODINGS, LINE_ENDS, NUMBERS, DELIMITERS, JSON, XML]

LONGER_THAN_A_LINE_MAY_BE = 17 * 2**20

_VALUE = re.compile(rb"[\w.:-]+")
_PLACE = re.compile(rb"[\n\t,\"'<>{}\[\]:= ]")


def hostile_files(format: str, number: int) -> Files:
    """The files of this format and number, always the same ones."""
    examples = EXAMPLES[format]
    chance = random.Random(f"{format} {number}")
    return {name: _hostile(text.encode(), chance) for name, text in examples[number % len(examples)].items()}


def hostile_7z(number: int) -> Files:
    """The Stack Exchange archive of this number; half of them have right checksums over wrong values."""
    chance = random.Random(number)
    damage = chance.choice([_with_damaged_header, _damaged])
    return {"site.7z": damage(SITE_7Z, chance)}


def _hostile(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([0, 1, 1, 2, 4, 10])):
        data = chance.choice(DAMAGES)(data, chance)
    if chance.random() < 0.001:
        data = _bomb(data, chance)
    return _packed(data, chance) if chance.random() < 0.1 else data


def _flip_bits(data: bytes, chance: random.Random) -> bytes:
    flipped = bytearray(data)
    for _ in range(chance.randrange(1, 5) if data else 0):
        flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _cut_off(data: bytes, chance: random.Random) -> bytes:
    position = chance.randrange(len(data) + 1)
    return data[:position] if chance.random() < 0.7 else data[position:]


def _remove(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    return data[:end] + data[start:end] * chance.choice([1, 1, 2, 30]) + data[end:]


def _move(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    rest = data[:start] + data[end:]
    position = _place(rest, chance)
    return rest[:position] + data[start:end] + rest[position:]


def _insert(data: bytes, chance: random.Random) -> bytes:
    position = _place(data, chance)
    return data[:position] + _fragment(chance) + data[position:]


def _replace_value(data: bytes, chance: random.Random) -> bytes:
    values = list(_VALUE.finditer(data[:BOMB_SIZE]))
    if not values:
        return _fragment(chance)
    start, end = chance.choice(values).span()
    return data[:start] + _fragment(chance) + data[end:]


DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [
    _flip_bits,
    _cut_off,
    _remove,
    _repeat,
    _move,
    _insert,
    _insert,
    _replace_value,
    _replace_value,
]


def _fragment(chance: random.Random) -> bytes:
    if chance.random() < 0.2:
        return hostile_post(chance.randrange(10**9)).encode("utf-8", "surrogatepass")
    return chance.choice(chance.choice(FRAGMENTS))


def _span(data: bytes, chance: random.Random) -> tuple[int, int]:
    """Where some lines begin and end, or some bytes."""
    if chance.random() < 0.5:
        borders = [0, *(end.end() for end in re.finditer(b"\n", data)), len(data)]
        first, last = sorted(chance.choices(borders, k=2))
        return first, last
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice([1, 4, 16, 64]))


def _place(data: bytes, chance: random.Random) -> int:
    """Anywhere, or before or after something that means something to the format."""
    start = chance.randrange(len(data) + 1)
    found = _PLACE.search(data, start) if chance.random() < 0.7 else None
    return chance.choice(found.span()) if found else start


def _bomb(data: bytes, chance: random.Random) -> bytes:
    """A small part repeated up to some 300,000 bytes."""
    start, end = _span(data, chance)
    unit = b"".join(chance.choices([b"\n", data[start:end], _fragment(chance), _fragment(chance)], k=3))
    position = _place(data, chance)
    return data[:position] + unit * (BOMB_SIZE // max(1, len(unit))) + data[position:]


def _packed(data: bytes, chance: random.Random) -> bytes:
    """Compressed; often damaged afterwards, seldom with a line in it that is far too long."""
    if chance.random() < 0.002:
        position = _place(data, chance)
        data = data[:position] + b"x" * LONGER_THAN_A_LINE_MAY_BE + data[position:]
    return _damaged(gzip.compress(data, compresslevel=1, mtime=0), chance)


def _damaged(packed: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([0, 0, 1, 1, 3])):
        packed = chance.choice([_flip_bits, _cut_off, _remove, _repeat, _move])(packed, chance)
    return packed


def _with_damaged_header(site: bytes, chance: random.Random) -> bytes:
    """The layout: magic and version, checksum of what comes next; place, size and checksum of the header."""
    [place] = struct.unpack_from("<Q", site, 12)
    header = _damaged(site[32 + place :], chance)
    start = struct.pack("<QQL", place, len(header), zlib.crc32(header))
    return site[:8] + struct.pack("<L", zlib.crc32(start)) + start + site[32 : 32 + place] + header
