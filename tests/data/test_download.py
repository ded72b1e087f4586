"""Downloads against a server of our own: what is kept, what is refused, what is left behind."""

import hashlib
import tarfile

import pytest

from memnets.data import download as module
from memnets.data.download import _check_files, _first_line, download
from memnets.data.sources import Archive, Source
from served import TEXT, Server, member, tar

INSIDE = "set/en/qa1.txt"
GOOD = tar(member(INSIDE))


@pytest.fixture
def server():
    server = Server()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path))
    # Between attempts pooch waits for 1 s, then 2 s.
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)
    return tmp_path


def made(*archives: Archive) -> Source:
    return Source("toy", "a toy", "set", archives, "babi/checksums.txt", "none", "nobody", "")


def pinned(address: str, data: bytes) -> Archive:
    return Archive(address, len(data), hashlib.sha256(data).hexdigest())


def left(cache) -> list[str]:
    """What is in the cache beside the downloaded archives."""
    found = (path for path in (cache / "toy").iterdir() if path.name != "archives")
    return [path.name for path in found]


class Counting:
    """A progress that remembers what it was told."""

    def __init__(self) -> None:
        self.total, self.seen, self.closed = 0, 0, 0

    def update(self, size: int) -> None:
        self.seen += size

    def reset(self) -> None:
        self.seen = 0

    def close(self) -> None:
        self.closed += 1


def test_what_went_wrong_is_said_by_its_first_line_or_its_name():
    assert _first_line(OSError("one\ntwo")) == "one"
    assert _first_line(EOFError()) == "EOFError"


def test_a_file_that_an_archive_without_a_digest_lacks_is_named(tmp_path):
    with pytest.raises(
        ValueError, match=r"^en/qa\d+_\S+\.txt is not the official file: its sha256"
    ):
        _check_files(tmp_path, made())


def test_a_set_is_downloaded_checked_and_unpacked(server, cache):
    server.reply(GOOD)
    progress = Counting()
    folder = download(made(pinned(server.address(), GOOD)), progress)
    assert folder == cache / "toy" / "set"
    assert (cache / "toy" / INSIDE).read_bytes() == TEXT
    assert left(cache) == ["set"]
    assert (progress.total, progress.seen, progress.closed) == (len(GOOD), len(GOOD), 1)


def test_two_failures_then_success(server):
    server.reply(503, 503, GOOD)
    assert download(made(pinned(server.address(), GOOD))).is_dir()
    assert len(server.asked) == 3


def test_the_next_address_is_tried(server):
    server.reply(404, 404, 404, GOOD)
    source = made(pinned(server.address("a.tar.gz"), GOOD), pinned(server.address("b"), GOOD))
    assert download(source).is_dir()
    assert server.asked == ["/a.tar.gz"] * 3 + ["/b"]


def test_what_is_unpacked_is_served_with_the_server_down(cache):
    server = Server()
    server.reply(GOOD)
    source = made(pinned(server.address(), GOOD))
    folder = download(source)
    server.stop()
    assert download(source) == folder


def test_a_cached_archive_is_unpacked_with_the_server_down(cache):
    server = Server()
    server.reply(GOOD)
    source = made(pinned(server.address(), GOOD))
    folder = download(source)
    server.stop()
    folder.rename(cache / "gone")
    assert download(source) == folder
    assert (cache / "toy" / INSIDE).read_bytes() == TEXT


def refused(source: Source, message: str) -> str:
    with pytest.raises(ValueError, match=message) as caught:
        download(source)
    assert "toy: no address gave the data set" in str(caught.value)
    assert source.archives[0].address in str(caught.value)
    return str(caught.value)


def test_a_wrong_checksum_is_refused(server, cache):
    server.reply(GOOD)
    refused(made(pinned(server.address(), b"other")), "SHA256|hash")
    assert left(cache) == []
    assert list((cache / "toy" / "archives").iterdir()) == []


def test_a_truncated_download_is_refused(server, cache):
    server.replies = [(200, GOOD[:-30], len(GOOD))]
    refused(made(pinned(server.address(), GOOD)), "IncompleteRead")
    assert left(cache) == []


def test_a_truncated_archive_without_checksum_is_refused_and_forgotten(server, cache):
    server.reply(GOOD[:-30])
    refused(made(Archive(server.address(), 0, None)), "the archive cannot be read: .*cut short")
    assert left(cache) == []
    assert list((cache / "toy" / "archives").iterdir()) == []


def test_no_server_at_all(cache):
    server = Server()
    source = made(pinned(server.address(), GOOD))
    server.stop()
    refused(source, "Connection|refused")


@pytest.mark.parametrize(
    ("evil", "message"),
    [
        (member("set/../../evil.txt"), "not safe to unpack: .*outside the destination"),
        (
            member("set/link", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
            "not safe to unpack: .*absolute path",
        ),
        (
            member("set/link", b"", type=tarfile.SYMTYPE, linkname="../../evil"),
            "not safe to unpack: .*outside the destination",
        ),
        (member("set/device", b"", type=tarfile.CHRTYPE), "not safe to unpack: .*special file"),
    ],
    ids=["outside", "absolute link", "link outside", "device"],
)
def test_an_evil_archive_is_refused_whole(server, cache, evil, message):
    data = tar(member(INSIDE), evil)
    server.reply(data)
    refused(made(pinned(server.address(), data)), message)
    assert left(cache) == []
    assert not (cache / "evil.txt").exists()


def test_an_archive_that_grows_too_large_is_refused(server, cache, monkeypatch):
    data = tar(member(INSIDE), member("set/large", b"0" * 1009))
    server.reply(data)
    monkeypatch.setattr(module, "UNPACKED_CAP", 1013)
    refused(made(pinned(server.address(), data)), r"more than 1,013 bytes \(at 'set/large'\)")
    assert left(cache) == []


@pytest.mark.parametrize(("spare", "fits"), [(0, True), (-1, False)])
def test_an_archive_may_unpack_to_just_as_much_as_is_let_pass(tmp_path, monkeypatch, spare, fits):
    file = tmp_path / "set.tar.gz"
    file.write_bytes(tar(member("set/a", b"0" * 100), member("set/b", b"0" * 17)))
    monkeypatch.setattr(module, "UNPACKED_CAP", 117 + spare)
    if fits:
        module._extract(file, tmp_path)
        assert (tmp_path / "set" / "b").read_bytes() == b"0" * 17
    else:
        with pytest.raises(ValueError, match=r"more than 116 bytes \(at 'set/b'\)"):
            module._extract(file, tmp_path)


def test_an_archive_without_the_folder_is_refused(server, cache):
    data = tar(member("other/file"))
    server.reply(data)
    refused(made(pinned(server.address(), data)), "the archive holds no folder set")
    assert left(cache) == []


def test_files_are_checked_where_the_archive_has_no_checksum(server, cache):
    server.reply(GOOD)
    name = "en/qa1_single-supporting-fact_test.txt"
    refused(made(Archive(server.address(), 0, None)), f"{name} is not the official file")
    assert left(cache) == []
    assert list((cache / "toy" / "archives").iterdir()) == []


def test_a_killed_unpack_leaves_nothing_under_the_final_name(server, cache, monkeypatch):
    server.reply(GOOD)

    def kill(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(tarfile.TarFile, "extract", kill)
    source = made(pinned(server.address(), GOOD))
    with pytest.raises(KeyboardInterrupt):
        download(source)
    assert left(cache) == []
    monkeypatch.undo()
    monkeypatch.setenv("MEMNETS_CACHE", str(cache))
    assert download(source).is_dir()
