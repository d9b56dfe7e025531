import struct
import subprocess
import sys
import tracemalloc
import zlib
from xml.sax.saxutils import escape, quoteattr

import py7zr
import pytest

from askagain.errors import SourceError
from askagain.question import Mark, Question
from askagain.sources.base import Skipped
from askagain.sources.stackexchange import StackExchangeSource

SOURCE = StackExchangeSource()
QUOTE = {'"': "&quot;"}


def row(**attributes: object) -> str:
    return (
        "  <row " + " ".join(f"{name}={quoteattr(str(value))}" for name, value in attributes.items()) + " />"
    )


def write(path, *rows: str | bytes, root="posts"):
    frame = [b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>', f"<{root}>".encode()]
    content = [line if isinstance(line, bytes) else line.encode() for line in rows]
    path.write_bytes(b"\r\n".join([*frame, *content, f"</{root}>".encode()]))
    return path


QUESTION = row(
    Id=1,
    PostTypeId=1,
    AcceptedAnswerId=3,
    CreationDate="2010-07-28T19:04:21.300",
    Score=5,
    Title='How to boot <from> "USB"?',
    Body="<p>Please &amp; thanks</p>\n",
    Tags="<boot><usb-drive>",
)
PLAIN = row(Id=2, PostTypeId=1, Title="Plain", Tags="|boot|usb-drive|")
ACCEPTED = row(Id=3, PostTypeId=2, ParentId=1, Score=1, Body="accepted")
POPULAR = row(Id=4, PostTypeId=2, ParentId=1, Score=9, Body="popular")
WORSE = row(Id=5, PostTypeId=2, ParentId=2, Score=-1, Body="worse")
BETTER = row(Id=6, PostTypeId=2, ParentId=2, Score=0, Body="better")
WIKI = row(Id=7, PostTypeId=5, Body="about a tag")
LINKS = (
    row(Id=1, CreationDate="2011-01-01", PostId=2, RelatedPostId=1, LinkTypeId=3),
    row(Id=2, CreationDate="2011-01-01", PostId=1, RelatedPostId=2, LinkTypeId=1),
)
BOTH = [
    Question(
        id="1",
        title='How to boot <from> "USB"?',
        body="<p>Please &amp; thanks</p>\n",
        tags=("boot", "usb-drive"),
        created="2010-07-28T19:04:21.300",
        answer="accepted",
    ),
    Question(id="2", title="Plain", tags=("boot", "usb-drive"), answer="better"),
]
LINK = Mark("2", "1", when="2011-01-01")


@pytest.fixture
def dump(tmp_path):
    write(tmp_path / "Posts.xml", QUESTION, PLAIN, ACCEPTED, POPULAR, WORSE, BETTER, WIKI)
    write(tmp_path / "PostLinks.xml", *LINKS, root="postlinks")
    return tmp_path


def test_questions_with_their_answers_and_duplicate_links(dump):
    assert list(SOURCE.records(dump / "Posts.xml")) == [*BOTH, LINK]


def test_the_folder_may_be_given_instead(dump):
    assert SOURCE.recognises(dump, b"")
    assert list(SOURCE.records(dump)) == [*BOTH, LINK]


def test_links_may_be_missing(dump):
    (dump / "PostLinks.xml").unlink()
    assert list(SOURCE.records(dump)) == BOTH


def test_answers_may_stand_before_their_questions(tmp_path):
    write(tmp_path / "Posts.xml", BETTER, PLAIN)
    assert [record.answer for record in SOURCE.records(tmp_path)] == ["better"]


def test_a_question_about_dumps_is_no_answer(tmp_path):
    body = """which rows have PostTypeId='2' or PostTypeId="2" in them?"""
    text = row(Id=8, PostTypeId=1, Title="t").replace(" />", f' Body="{escape(body, QUOTE)}" />')
    assert [record.body for record in SOURCE.records(write(tmp_path / "Posts.xml", text))] == [body]


def test_progress_runs_once_from_start_to_end(dump):
    seen = []
    list(SOURCE.records(dump, lambda done, total: seen.append((done, total))))
    total = 2 * (dump / "Posts.xml").stat().st_size + (dump / "PostLinks.xml").stat().st_size
    assert seen == sorted(seen)
    assert seen[-1] == (total, total)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ('<row Id="9" PostTypeId="1" Title="cut', "broken XML"),
        ('<row Id="9" PostTypeId="1" Title="a < b" />', "broken XML"),
        ('<row Id="9" PostTypeId="1" Title="&lol9;" />', "broken XML"),
        (b'<row Id="9" PostTypeId="1" Title="\xe9" />', "broken XML"),
        (row(Id=9, PostTypeId=1, Body="no title"), "question '9' has no title"),
        (row(PostTypeId=1, Title="t"), "no id"),
        ('<row Id="9" PostTypeId="2" ParentId="1" Body="cut', "broken XML"),
        (row(Id=9, PostTypeId=2, Body="b"), "an answer without ParentId"),
        (row(Id=9, PostTypeId=2, ParentId=1, Score="many"), "Score is not a number but 'many'"),
        ("rubbish", "not a <row>: 'rubbish'"),
        (
            '<!DOCTYPE row [<!ENTITY a "b">]><row Id="9" PostTypeId="2" ParentId="1" Body="&a;"/>',
            "broken XML",
        ),
        (row(Id=9, PostTypeId=1, Title="x" * 11_000_000), "broken XML"),
    ],
    ids=lambda value: ascii(value[:60]),
)
def test_a_bad_row_is_reported_once_and_its_neighbours_arrive(tmp_path, bad, reason):
    path = write(tmp_path / "Posts.xml", QUESTION, bad, PLAIN, ACCEPTED, BETTER)
    records = list(SOURCE.records(path))
    [report] = [record for record in records if isinstance(record, Skipped)]
    assert [record for record in records if isinstance(record, Question)] == BOTH
    assert (report.path, report.line) == (path, 4)
    assert reason in report.reason


def test_a_broken_link_is_reported_in_its_own_file(dump):
    write(
        dump / "PostLinks.xml", '<row Id="1" PostId=', row(PostId=1, LinkTypeId=3), LINKS[0], root="postlinks"
    )
    *_, broken, incomplete, link = SOURCE.records(dump)
    assert (broken.path, broken.line) == (dump / "PostLinks.xml", 3)
    assert incomplete.reason == "a mark needs two ids"
    assert link == LINK


def test_a_billion_laughs_are_not_laughed(tmp_path):
    path = tmp_path / "Posts.xml"
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    path.write_text(
        f'<?xml version="1.0"?>\n<!DOCTYPE posts [\n<!ENTITY l0 "ha">\n{entities}]>\n<posts>\n'
        f'<row Id="8" PostTypeId="1" Title="&l9;" />\n{PLAIN}\n</posts>\n'
    )
    questions = [record for record in SOURCE.records(path) if isinstance(record, Question)]
    assert [question.id for question in questions] == ["2"]


def test_an_external_entity_does_not_read_local_files(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("TOP-SECRET")
    path = tmp_path / "Posts.xml"
    path.write_text(
        f'<?xml version="1.0"?>\n<!DOCTYPE posts [<!ENTITY x SYSTEM "{secret.as_uri()}">]>\n<posts>\n'
        f'<row Id="8" PostTypeId="1" Title="t" Body="&x;"/>\n{PLAIN}\n</posts>\n'
    )
    records = list(SOURCE.records(path))
    assert "TOP-SECRET" not in repr(records)
    assert records[-1].id == "2"


def test_a_truncated_dump_gives_the_rows_before_the_cut(dump):
    path = dump / "Posts.xml"
    path.write_bytes(path.read_bytes()[:-40])
    records = list(SOURCE.records(path))
    assert [record for record in records if isinstance(record, Question)] == BOTH
    assert [record.line for record in records if isinstance(record, Skipped)] == [9]


def test_a_post_of_50_megabytes_passes_by_in_little_memory(tmp_path):
    path = tmp_path / "Posts.xml"
    with path.open("w") as file:
        file.write('<posts>\n<row Id="9" PostTypeId="1" Title="huge" Body="')
        for _ in range(50):
            file.write("x" * 2**20)
        file.write(f'" />\n{PLAIN}\n</posts>\n')
    tracemalloc.start()
    try:
        records = list(SOURCE.records(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [record.line for record in records if isinstance(record, Skipped)] == [2]
    assert records[-1].id == "2"
    assert peak < 40 * 2**20


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(SourceError, match=r"Posts\.xml"):
        list(SOURCE.records(tmp_path / "Posts.xml"))


@pytest.fixture
def archive(dump, tmp_path_factory):
    path = tmp_path_factory.mktemp("archive") / "site.7z"
    with py7zr.SevenZipFile(path, "w") as target:
        for name in ("Posts.xml", "PostLinks.xml"):
            target.write(dump / name, name)
        target.writestr("<users/>", "Users.xml")
    return path


def test_the_site_archive_is_read_directly(archive):
    assert SOURCE.recognises(archive, archive.read_bytes()[:100])
    assert list(SOURCE.records(archive)) == [*BOTH, LINK]


def test_reports_from_an_archive_name_the_archive(tmp_path):
    write(tmp_path / "Posts.xml", "rubbish")
    path = tmp_path / "site.7z"
    with py7zr.SevenZipFile(path, "w") as target:
        target.write(tmp_path / "Posts.xml", "Posts.xml")
    [report] = SOURCE.records(path)
    assert (report.path, report.line) == (path / "Posts.xml", 3)


@pytest.mark.parametrize("position", [10, 40, -60])
def test_a_damaged_archive_is_an_error(archive, position):
    content = bytearray(archive.read_bytes())
    content[position : position + 8] = b"\xff\x00" * 4
    archive.write_bytes(content)
    with pytest.raises(SourceError, match="cannot unpack"):
        list(SOURCE.records(archive))


def test_a_forged_archive_with_right_checksums_is_an_error(archive):
    start_of_header = struct.pack("<QQL", 0, 1, zlib.crc32(b"\x63"))
    checksum = struct.pack("<L", zlib.crc32(start_of_header))
    archive.write_bytes(archive.read_bytes()[:8] + checksum + start_of_header + b"\x63")
    with pytest.raises(SourceError, match="cannot unpack"):
        list(SOURCE.records(archive))


def test_a_truncated_archive_is_an_error(archive):
    archive.write_bytes(archive.read_bytes()[:-50])
    with pytest.raises(SourceError, match="cannot unpack"):
        list(SOURCE.records(archive))


def test_an_archive_without_posts_is_an_error(tmp_path):
    path = tmp_path / "users.7z"
    with py7zr.SevenZipFile(path, "w") as target:
        target.writestr("<users/>", "Users.xml")
    with pytest.raises(SourceError, match=r"holds no Posts\.xml"):
        list(SOURCE.records(path))


def test_without_py7zr_the_error_names_the_install_command(archive):
    code = (
        "import sys; sys.modules['py7zr'] = None\n"
        "from pathlib import Path\n"
        "from askagain.sources.stackexchange import StackExchangeSource\n"
        "from askagain.errors import MissingExtraError\n"
        "try:\n    list(StackExchangeSource().records(Path(sys.argv[1])))\n"
        "except MissingExtraError as error:\n    print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, archive], capture_output=True, text=True, check=True)
    assert 'pip install "askagain[archives]"' in run.stdout
