"""Hostile files: small valid files of every format that we read, damaged by chance."""

import gzip
import random
import re
from collections.abc import Callable

from hostile import BOMB_SIZE, hostile_post

# What stands in each file of a folder, by the file's name; the first one is the one to be opened.
Files = dict[str, bytes]

JSONL = """\
{"id": "1", "title": "How do I boot from USB?", "body": "It\\nhangs \\u00e9.", "tags": ["boot", "usb"]}
{"id": 2, "title": "USB boot", "created": "2011-01-01", "url": "http://x.org/2", "answer": "Press F12."}
{"first": "1", "second": 2, "verdict": "not-duplicate", "who": "ann", "when": "2012-01-01"}
{"first": "2", "second": "1"}
"""

QUESTIONS_CSV = """\
id,title,body,tags,created,url,answer
1,How do I boot from USB?,"It hangs, says ""no disk""
and stops.",<boot><usb>,2011-01-01,http://x.org/1,
2,USB boot,,"boot,usb",,,"Press F12."
3,No sound é,plain,boot|usb,,,
"""

MARKS_CSV = """\
First,Second,Verdict
1,2,duplicate
"2","3",not-duplicate
1,3,
"""

PAIRS = "1\t2\n2\t3\nabc\td-e\n4\t5\n"

POSTS = """\
<?xml version="1.0" encoding="utf-8"?>
<posts>
  <row Id="1" PostTypeId="1" AcceptedAnswerId="3" CreationDate="2010-07-28T19:04:21.300" Score="5" \
Title="How to boot &lt;from&gt; USB?" Body="&lt;p&gt;Please &amp;amp; thanks&lt;/p&gt;&#xA;" Tags="<boot>" />
  <row Id="2" PostTypeId="1" Title="Plain é" Tags="|boot|usb|" Body="x" />
  <row Id="3" PostTypeId="2" ParentId="1" Score="1" Body="accepted" />
  <row Id="4" PostTypeId="2" ParentId="1" Score="-9" Body="worse" />
  <row Id="5" PostTypeId="5" Body="about a tag" />
</posts>
""".replace('"<boot>"', '"&lt;boot&gt;"')

LINKS = """\
<?xml version="1.0" encoding="utf-8"?>
<postlinks>
  <row Id="1" CreationDate="2011-01-01" PostId="2" RelatedPostId="1" LinkTypeId="3" />
  <row Id="2" CreationDate="2011-01-01" PostId="1" RelatedPostId="2" LinkTypeId="1" />
</postlinks>
"""

SEMEVAL_THREAD = """\
<OrgQuestion ORGQ_ID="Q1">
  <OrgQSubject>"Good Bank</OrgQSubject>
  <OrgQBody>Which is ""good""; please &amp; thanks"</OrgQBody>
  <Thread THREAD_SEQUENCE="Q1_R4">
    <RelQuestion RELQ_ID="Q1_R4" RELQ_RANKING_ORDER="4" RELQ_CATEGORY="Advice"
     RELQ_DATE="2013-05-02 19:43:00" RELQ_RELEVANCE2ORGQ="PerfectMatch">
      <RelQSubject>Best Bank é</RelQSubject>
      <RelQBody>Hi; which?</RelQBody>
    </RelQuestion>
    <RelComment RELC_ID="Q1_R4_C1"><RelCText>QNB</RelCText></RelComment>
  </Thread>
</OrgQuestion>
"""

SEMEVAL_XML = f"""\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE xml [
<!ELEMENT xml (OrgQuestion*)>
<!ATTLIST OrgQuestion ORGQ_ID CDATA #REQUIRED>
]>
<xml version="1.0">
{SEMEVAL_THREAD}{SEMEVAL_THREAD.replace("_R4", "_R7").replace("PerfectMatch", "Irrelevant")}</xml>
"""

SEMEVAL_JSONL = """\
{"orgq_id": "Q1", "orgq_subject": "Good Bank", "orgq_body": "Which; please", "relq_id": "Q1_R4", \
"relq_subject": "Best Bank", "relq_body": "Hi", "relq_date": "2013-05-02", "relq_category": "Advice", \
"rank": 4, "label3": "Relevant"}
{"orgq_id": "Q1", "orgq_subject": "Good Bank", "orgq_body": "Which; please", "relq_id": "Q1_R7", \
"relq_subject": "Bank?", "relq_body": "Hi é", "rank": 7, "label3": "?"}
"""

ASKUBUNTU_CORPUS = """\
1\thow do i boot from usb ?\tit hangs with a black screen é
2\tusb boot\t
3\tno sound\tthe sound was fine before
"""

ASKUBUNTU_TRAINING = "1\t2 3\t4 5 6\n2\t1\t7 8\n3\t1 2\t9\n"

QUORA = """\
id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate
0\t1\t2\tHow do I boot from USB?\tUSB boot?\t1
1\t3\t4\t"What is ""love"",
really?"\tIs é a letter?\t0
2\t1\t4\tHow do I boot from USB?\tWhat does "boot" mean?\t0
"""

# By the name of the reader.
EXAMPLES: dict[str, list[dict[str, str]]] = {
    "jsonl": [{"questions.jsonl": JSONL}],
    "csv": [{"questions.csv": QUESTIONS_CSV}, {"marks.csv": MARKS_CSV}],
    "tsv": [
        {"questions.tsv": QUESTIONS_CSV.replace("boot,usb", "boot;usb").replace(",", "\t")},
        {"marks.tsv": MARKS_CSV.replace(",", "\t")},
    ],
    "pairs": [{"duplicates.tsv": PAIRS}, {"non_duplicates.tsv": PAIRS}],
    "stackexchange": [{"Posts.xml": POSTS, "PostLinks.xml": LINKS}],
    "semeval": [{"dev.xml": SEMEVAL_XML}, {"dev.jsonl": SEMEVAL_JSONL}],
    "askubuntu-lei": [{"text.txt": ASKUBUNTU_CORPUS}, {"train.txt": ASKUBUNTU_TRAINING}],
    "quora": [{"pairs.tsv": QUORA}],
}

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
    unit = chance.choice([b"", b"\n"]) + (data[start:end] if chance.random() < 0.5 else _fragment(chance))
    position = _place(data, chance)
    return data[:position] + unit * (BOMB_SIZE // max(1, len(unit))) + data[position:]


def _packed(data: bytes, chance: random.Random) -> bytes:
    """Compressed; often damaged afterwards, seldom with a line in it that is far too long."""
    if chance.random() < 0.002:
        position = _place(data, chance)
        data = data[:position] + b"x" * LONGER_THAN_A_LINE_MAY_BE + data[position:]
    packed = gzip.compress(data, compresslevel=1, mtime=0)
    for _ in range(chance.choice([0, 0, 1, 1, 3])):
        packed = chance.choice([_flip_bits, _cut_off, _remove, _repeat])(packed, chance)
    return packed
