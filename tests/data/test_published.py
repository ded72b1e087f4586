"""Published files of question-answering sets: found, compared, downloaded; and what is said."""

import dataclasses
import hashlib
import io
import tarfile
import threading
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from memnets.cli.data import main
from memnets.data import official
from memnets.data.download import download
from memnets.data.qa import metaqa, simplequestions, webquestions, wikimovies, wikiqa
from memnets.data.sources import SOURCES, Archive, locate

SETS = [name for name, known in SOURCES.items() if known.checksums.startswith("checksums/")]
LINES = "1 what is $ about?\theist\n1 who directed Red?\tKrzysztof Kieslowski\n"
DEV = "questions/wiki_entities/wiki-entities_qa_dev.txt"


@pytest.fixture(autouse=True)
def _nowhere(tmp_path, monkeypatch):
    monkeypatch.delenv("MEMNETS_DATA", raising=False)
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)


@pytest.fixture
def serve():
    """Serve bytes at any address; returns a function that takes them and gives an address."""
    body = b""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()

    def put(data: bytes) -> str:
        nonlocal body
        body = data
        return f"http://127.0.0.1:{server.server_port}/set.tar.gz"

    yield put
    server.shutdown()
    thread.join()
    server.server_close()


def packed(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


def at(monkeypatch, name: str, archive: Archive):
    """Move a set to another address."""
    source = dataclasses.replace(SOURCES[name], archives=(archive,))
    monkeypatch.setitem(SOURCES, name, source)
    return source


def test_a_set_is_downloaded_and_read_from_the_cache(serve, monkeypatch):
    data = packed({f"movieqa/{DEV}": LINES, "movieqa/knowledge_source/entities.txt": "$\nheist\n"})
    digest = hashlib.sha256(data).hexdigest()
    download(at(monkeypatch, "wikimovies", Archive(serve(data), len(data), digest)))
    with pytest.warns(UserWarning, match="not the published file|records, where"):
        questions = wikimovies.load_questions("dev", wikimovies.load_entities())
    assert questions[0] == wikimovies.MovieQuestion("what is $ about?", ("heist",))


def test_a_download_with_another_digest_is_refused(serve, monkeypatch):
    data = packed({f"movieqa/{DEV}": LINES})
    archive = Archive(serve(data), len(data), SOURCES["wikimovies"].archives[0].sha256)
    with pytest.raises(ValueError, match="wikimovies: no address gave the data set"):
        download(at(monkeypatch, "wikimovies", archive))


@pytest.mark.parametrize("name", [n for n in SETS if SOURCES[n].archives and n != "wikimovies"])
def test_files_of_an_archive_without_a_digest_are_compared(serve, monkeypatch, name):
    known = SOURCES[name]
    files = official.digests(name)
    data = packed({f"{known.folder}/{file}": "changed" for file in files})
    first = next(iter(files))
    with pytest.raises(ValueError, match=f"{first} is not the official file") as caught:
        download(at(monkeypatch, name, Archive(serve(data))))
    assert files[first] in str(caught.value)


@pytest.mark.parametrize("name", SETS)
def test_each_table_names_files_by_digest(name):
    table = official.digests(name)
    assert table
    assert all(len(digest) == 64 and int(digest, 16) for digest in table.values())
    assert official.origin(name)


@pytest.mark.parametrize(
    ("load", "said"),
    [
        (lambda path: wikimovies.load_entities(path), ("5a5187b1", "data get wikimovies")),
        (
            lambda path: wikimovies.load_questions("test", wikimovies.Entities([]), path),
            ("questions/wiki_entities/wiki-entities_qa_test.txt", "05a43d07"),
        ),
        (
            lambda path: wikimovies.load_class(
                "tag_to_movie", "dev", wikimovies.Entities([]), path
            ),
            ("categories/wiki-entities_qa_tag_to_movie_dev.txt", "sha256 is not published"),
        ),
        (lambda path: wikimovies.load_triples(path), ("kb_triples.txt",)),
        (lambda path: wikimovies.load_plots(path), ("omdb_plots.txt",)),
        (lambda path: metaqa.load_questions(2, "dev", path), ("2-hop/vanilla/qa_dev.txt", "a713")),
        (lambda path: metaqa.load_triples(path), ("kb.txt", "folder with its files")),
        (lambda path: simplequestions.load_questions("valid", path), ("056c1a14",)),
        (lambda path: simplequestions.load_wikidata("train", path), ("3a4f9f8d",)),
        (lambda path: simplequestions.load_mini(path), ("kb.tsv", "4d6e76b1")),
        (lambda path: webquestions.load_questions("val", path), ("main/val.json", "eece8cdd")),
        (lambda path: wikiqa.load_questions("dev", path), ("WikiQA-dev.tsv", "c44fb3a5")),
    ],
)
def test_what_is_missing_is_named_with_digest_and_remedy(tmp_path, load, said):
    with pytest.raises(FileNotFoundError, match="is not there") as caught:
        load(tmp_path)
    for part in (*said, str(tmp_path)):
        assert part in str(caught.value)


def test_where_a_set_that_is_not_downloaded_comes_from_is_said():
    with pytest.raises(FileNotFoundError, match=r"It comes from yuyuz/MetaQA on GitHub"):
        metaqa.load_questions(1, "dev")
    with pytest.raises(FileNotFoundError, match=r"webquestions.* its files are checked"):
        webquestions.load_questions("val")


@pytest.mark.parametrize("folder", ["movieqa", "wikimovies", "."])
def test_a_folder_of_either_name_is_found(tmp_path, monkeypatch, folder):
    file = tmp_path / folder / DEV
    file.parent.mkdir(parents=True)
    file.write_text(LINES)
    monkeypatch.setenv("MEMNETS_DATA", str(tmp_path))
    assert locate("wikimovies", holds=(DEV,)).samefile(tmp_path / folder)


def test_another_file_and_another_count_are_warned_of(tmp_path):
    (tmp_path / "wiki-entities_qa_dev.txt").write_text(LINES)
    with pytest.warns(UserWarning, match="published") as caught:
        wikimovies.load_questions("dev", wikimovies.Entities([]), tmp_path)
    digest, count = (str(one.message) for one in caught)
    assert "3b6b8a6e" in digest
    assert hashlib.sha256(LINES.encode()).hexdigest() in digest
    assert "it has 2 records, where 10,000 were published" in count
    assert {one.filename for one in caught} != {official.__file__}


def test_the_counts_sum_to_what_the_papers_say():
    def total(counts):
        return sum(counts.values())

    assert [total(metaqa.COUNTS[hops]) for hops in (1, 2, 3)] == [116_045, 148_724, 142_744]
    assert total(simplequestions.COUNTS) == 108_442
    assert total(simplequestions.WIKIDATA_COUNTS) == 49_202
    assert total(simplequestions.ANSWERABLE_COUNTS) == 27_922
    assert total(webquestions.COUNTS) == 5_810
    assert webquestions.COUNTS["test"] == 2_032
    assert total(wikiqa.ROWS) == 29_258
    assert total(wikimovies.questions.COUNTS["wiki_entities"]) == 116_137
    assert total(wikimovies.questions.COUNTS["full"]) == 216_453


def test_a_count_that_is_right_or_unknown_is_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        official.check_count(Path("a"), 7, 7)
        official.check_count(Path("a"), 7, None)


def test_a_file_whose_digest_nobody_published_is_not_warned_of(tmp_path):
    name = "categories/wiki-entities_qa_tag_to_movie_dev.txt"
    assert name not in official.digests("wikimovies")
    (tmp_path / "tag.txt").write_text(LINES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert official.find("wikimovies", (name, "tag.txt"), tmp_path) == tmp_path / "tag.txt"


def test_a_file_is_taken_in_the_official_layout_first(tmp_path):
    names = ("deep/a.txt", "a.txt")
    (tmp_path / "deep").mkdir()
    for name in names:
        (tmp_path / name).write_text(LINES)
    assert official.find("wikimovies", names, tmp_path) == tmp_path / "deep" / "a.txt"


def test_files_of_one_name_in_two_folders_are_looked_for_in_theirs_only(tmp_path, monkeypatch):
    digests = {name: hashlib.sha256(b"a").hexdigest() for name in ("one/a.txt", "two/a.txt")}
    monkeypatch.setattr(official, "digests", lambda _: digests)
    (tmp_path / "a.txt").write_text("a")
    assert set(official.states("metaqa", tmp_path).values()) == {("missing", None)}


def test_states_of_files(tmp_path, monkeypatch):
    monkeypatch.setattr(
        official,
        "digests",
        lambda _: {
            "deep/a.txt": hashlib.sha256(b"a").hexdigest(),
            "deep/b.txt": "0" * 64,
            "deep/c.txt": "1" * 64,
        },
    )
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.txt").write_text("b")
    states = official.states("metaqa", tmp_path)
    assert states["deep/a.txt"] == ("official", tmp_path / "a.txt")
    assert states["deep/b.txt"] == ("changed", tmp_path / "deep" / "b.txt")
    assert states["deep/c.txt"] == ("missing", None)


def test_the_command_compares_and_says_where_from(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "wiki-entities_qa_dev.txt").write_text(LINES)
    assert main(["info", "wikimovies", "--path", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert f"changed: {tmp_path / 'wiki-entities_qa_dev.txt'}" in printed
    assert "missing: knowledge_source/entities.txt" in printed
    assert "CC BY 3.0" in printed
    with pytest.raises(ValueError, match=r"wikiqa: this set is not downloaded.*Microsoft's"):
        main(["get", "wikiqa"])
