import hashlib
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from askagain.errors import SourceError
from askagain.sources.download import ASKUBUNTU_FILES, blob_id, get_askubuntu

CORPUS = bytes(range(256)) * 1000
VECTORS = b"the 0.1 0.2\n" * 500


def id_of(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


TABLE = {"corpus.gz": id_of(CORPUS), "vector/vectors.gz": id_of(VECTORS)}


class Server(ThreadingHTTPServer):
    """Serves what is in `contents`, honours byte ranges, and can be told to hang up early."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.contents = {"/corpus.gz": CORPUS, "/vector/vectors.gz": VECTORS}
        self.hangs_up_after = None
        self.honours_ranges = True
        self.requests = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        wanted = self.headers.get("Range", "")
        self.server.requests.append((self.path, wanted))
        content = self.server.contents.get(self.path)
        if content is None:
            self.send_error(404)
            return
        start = 0
        if wanted and self.server.honours_ranges:
            start = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1])
            if start >= len(content):
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start : self.server.hangs_up_after])

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_files_arrive_verified_and_without_leftovers(server, tmp_path):
    paths = get_askubuntu(tmp_path / "new", server.url, TABLE)
    assert paths == [tmp_path / "new" / "corpus.gz", tmp_path / "new" / "vector" / "vectors.gz"]
    assert [path.read_bytes() for path in paths] == [CORPUS, VECTORS]
    assert not list(tmp_path.rglob("*.part"))


def test_files_that_are_there_are_not_downloaded_again(server, tmp_path):
    get_askubuntu(tmp_path, server.url, TABLE)
    server.requests.clear()
    get_askubuntu(tmp_path, server.url, TABLE)
    assert server.requests == []


def test_progress_names_the_file_and_ends_at_its_size(server, tmp_path):
    seen = []
    get_askubuntu(tmp_path, server.url, TABLE, progress=lambda *call: seen.append(call))
    assert ("corpus.gz", len(CORPUS), len(CORPUS)) in seen
    assert seen[-1] == ("vector/vectors.gz", len(VECTORS), len(VECTORS))


def test_wrong_content_is_refused_with_both_ids_and_removed(server, tmp_path):
    server.contents["/corpus.gz"] = b"changed"
    with pytest.raises(SourceError) as refusal:
        get_askubuntu(tmp_path, server.url, TABLE)
    message = str(refusal.value)
    assert "corpus.gz" in message
    assert id_of(CORPUS) in message
    assert id_of(b"changed") in message
    assert "run this again" in message
    assert not list(tmp_path.iterdir())


def test_a_file_of_the_user_with_other_content_is_left_alone(server, tmp_path):
    (tmp_path / "corpus.gz").write_bytes(b"mine")
    with pytest.raises(SourceError, match="move it away"):
        get_askubuntu(tmp_path, server.url, TABLE)
    assert (tmp_path / "corpus.gz").read_bytes() == b"mine"


def test_an_interrupted_download_goes_on_where_it_stopped(server, tmp_path):
    server.hangs_up_after = 100_000
    with pytest.raises(SourceError, match=r"after 100,000 of 256,000 bytes; run this again"):
        get_askubuntu(tmp_path, server.url, TABLE)
    assert (tmp_path / "corpus.gz.part").stat().st_size == 100_000
    server.hangs_up_after = None
    get_askubuntu(tmp_path, server.url, TABLE)
    assert ("/corpus.gz", "bytes=100000-") in server.requests
    assert (tmp_path / "corpus.gz").read_bytes() == CORPUS


def test_a_server_without_ranges_sends_all_of_it_again(server, tmp_path):
    (tmp_path / "corpus.gz.part").write_bytes(CORPUS[:1000])
    server.honours_ranges = False
    get_askubuntu(tmp_path, server.url, TABLE)
    assert (tmp_path / "corpus.gz").read_bytes() == CORPUS


def test_a_complete_part_is_verified_and_moved_into_place(server, tmp_path):
    (tmp_path / "corpus.gz.part").write_bytes(CORPUS)
    get_askubuntu(tmp_path, server.url, TABLE)
    assert (tmp_path / "corpus.gz").read_bytes() == CORPUS


def test_a_rotten_part_is_removed_so_that_the_next_try_succeeds(server, tmp_path):
    (tmp_path / "corpus.gz.part").write_bytes(b"rotten")
    with pytest.raises(SourceError, match="wrong content"):
        get_askubuntu(tmp_path, server.url, TABLE)
    get_askubuntu(tmp_path, server.url, TABLE)
    assert (tmp_path / "corpus.gz").read_bytes() == CORPUS


def test_a_file_that_the_server_does_not_have(server, tmp_path):
    del server.contents["/corpus.gz"]
    with pytest.raises(SourceError, match=r"/corpus\.gz: HTTP Error 404"):
        get_askubuntu(tmp_path, server.url, TABLE)


def test_a_server_that_is_down(tmp_path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(SourceError, match=r"cannot download .*refused"):
        get_askubuntu(tmp_path, f"http://127.0.0.1:{port}", TABLE)


def test_an_address_that_is_none(tmp_path):
    with pytest.raises(SourceError, match="check the address"):
        get_askubuntu(tmp_path, "nonsense", TABLE)


@pytest.mark.parametrize("file", ["dev.txt", "test.txt"])
def test_the_known_ids_are_those_of_the_real_files(data_dir, file):
    assert blob_id(data_dir / "askubuntu-lei" / file) == ASKUBUNTU_FILES[file]
