"""Building the C++ ops: once, whole, beside each other, and not at all where that cannot be."""

import json
import logging
import os
import re
import shutil
import subprocess
import sys
import threading

import pytest

from memnets import native as builder
from memnets.ops import native

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("g++", "clang++", "c++"))), reason="there is no compiler"
)


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """Forget what was loaded, and keep what is built in a folder of the test's own."""
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path))
    monkeypatch.setenv("MEMNETS_PLAIN", "0")
    monkeypatch.delenv("CXX", raising=False)
    native.OPS.forget()
    yield tmp_path / "ops"
    native.OPS.forget()


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Build a few lines in the place of all sources: how they are built is the same."""
    source = tmp_path / "small.cpp"
    source.write_text('extern "C" int five() { return 5; }')
    monkeypatch.setattr(native.OPS, "sources", (source,))
    return f"""
from pathlib import Path
from memnets.ops import native
native.OPS.sources = (Path({str(source)!r}),)
assert native.available()
"""


@needs_compiler
def test_where_there_is_a_compiler_the_fast_path_is_used(monkeypatch):
    """All sources, from the user's cache: they take a quarter of a minute to build."""
    monkeypatch.setenv("MEMNETS_PLAIN", "0")
    assert native.available()
    assert native.kernels() == "native"


@needs_compiler
def test_one_library_is_built_and_nothing_beside_it(fresh, small):
    assert native.available()
    assert native.kernels() == "native"
    assert [path.suffix for path in fresh.iterdir()] == [".so"]


@needs_compiler
@pytest.mark.parametrize(("setting", "kernels"), [("1", "eager"), ("0", "native"), ("", "native")])
def test_an_environment_variable_forces_the_plain_twins(
    fresh, small, monkeypatch, setting, kernels
):
    monkeypatch.setenv("MEMNETS_PLAIN", setting)
    assert native.kernels() == kernels
    assert fresh.exists() == (kernels == "native")  # nothing is built for nobody


@needs_compiler
def test_it_is_built_once(fresh, small):
    native.library()
    (built,) = fresh.iterdir()
    before = built.stat().st_mtime_ns
    native.OPS.forget()
    assert native.library() is not None
    assert built.stat().st_mtime_ns == before


@needs_compiler
def test_other_sources_and_other_flags_are_another_library(fresh, small, tmp_path, monkeypatch):
    native.library()
    source = tmp_path / "other.cpp"
    source.write_text('extern "C" int seven() { return 7; }')
    monkeypatch.setattr(native.OPS, "sources", (source,))
    for flags in (builder.FLAGS, (*builder.FLAGS, "-DELEVEN=11")):
        monkeypatch.setattr(builder, "FLAGS", flags)
        native.OPS.forget()
        assert native.library().seven() == 7
    assert len(list(fresh.iterdir())) == 3


@needs_compiler
def test_a_damaged_library_is_built_anew(fresh, small):
    # Never loaded here: to overwrite a library that is in use would be another mistake.
    subprocess.run([sys.executable, "-c", small], check=True)
    for path in fresh.iterdir():
        path.write_bytes(b"no library")
    damaged = {path.name for path in fresh.iterdir()}
    subprocess.run([sys.executable, "-c", small], check=True)
    assert {path.name for path in fresh.iterdir()} == damaged
    assert all(path.read_bytes()[:4] == b"\x7fELF" for path in fresh.iterdir())


@needs_compiler
def test_two_processes_may_build_at_once(fresh, small):
    command = [sys.executable, "-c", small]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert said == [b"", b""]
    assert len(list(fresh.iterdir())) == 1  # and nothing half built is left behind


@needs_compiler
def test_two_threads_build_once(fresh, small, monkeypatch):
    builds, build = [], builder._build
    monkeypatch.setattr(builder, "_build", lambda *given: (builds.append(given), build(*given)))
    threads = [threading.Thread(target=native.library) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(builds) == 1


@pytest.mark.parametrize(
    ("compiler", "reason"),
    [
        (None, r"no compiler was found \(g\+\+, clang\+\+, c\+\+\)"),
        ("false", r"false does not compile C\+\+17 \(it says nothing\)"),
        ("a-compiler-that-is-not-there", r"No such file.*a-compiler-that-is-not-there"),
    ],
)
def test_without_a_compiler_it_says_so_once(fresh, tmp_path, monkeypatch, caplog, compiler, reason):
    if compiler is None:
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        monkeypatch.setenv("CXX", compiler)
    with caplog.at_level(logging.WARNING):
        assert [native.available(), native.available()] == [False, False]
    assert native.kernels() == "eager"
    (record,) = caplog.records
    assert record.name == "memnets"
    assert re.search(reason, record.getMessage())
    assert "Install a compiler" in record.getMessage()
    assert "MEMNETS_PLAIN=1 silences this" in record.getMessage()


@needs_compiler
def test_a_source_that_does_not_compile_is_told_with_the_compilers_words(
    fresh, tmp_path, monkeypatch, caplog
):
    source = tmp_path / "wrong.cpp"
    source.write_text("#error out of sorts\n")
    monkeypatch.setattr(native.OPS, "sources", (source,))
    assert not native.available()
    assert "failed (" in caplog.text
    assert list(fresh.iterdir()) == []


@needs_compiler
def test_a_cache_that_cannot_be_written_is_told(fresh, tmp_path, monkeypatch, caplog):
    (tmp_path / "ops").write_text("a file is in the way")
    assert not native.available()
    assert "ops" in caplog.text


@needs_compiler
def test_a_compiler_that_knows_no_native_processor_builds_without(
    fresh, small, tmp_path, monkeypatch
):
    compiler = tmp_path / "plain-g++"
    real = next(filter(None, map(shutil.which, ("g++", "clang++", "c++"))))
    refuse = 'case "$*" in *-march=native*) exit 1;; esac'
    compiler.write_text(f'#!/bin/sh\n{refuse}\nexec {real} "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    assert native.available()


def test_it_is_neither_built_nor_needed_on_import(tmp_path):
    script = """
import json, sys
import memnets.ops.native
import memnets.training.runs
print(json.dumps("torch" in sys.modules))
import memnets.ops.memn2n
"""
    environment = {**os.environ, "MEMNETS_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, env=environment
    )
    assert json.loads(done.stdout) is False
    assert list(tmp_path.iterdir()) == []


def test_nan_is_safe():
    assert not {"-ffast-math", "-Ofast", "-ffinite-math-only"} & set(builder.FLAGS)


def test_a_run_records_the_path(fresh, small, monkeypatch):
    from memnets.training.config import Loop
    from memnets.training.record import describe

    for setting, kernels in (("1", "eager"), ("0", native.kernels())):
        monkeypatch.setenv("MEMNETS_PLAIN", setting)
        assert describe("a recipe", {}, Loop())["kernels"] == kernels
