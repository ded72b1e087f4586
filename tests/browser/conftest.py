"""One server with something small of every kind, one browser, and a page of it."""

import os
import shutil
import socket
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import jaxtyping
import pytest

import memnets

sys.path.insert(0, str(Path(__file__).parent))  # playground is no package
from playground import Page, wait

REQUIRED = "MEMNETS_BROWSER"
"""Environment variable: where it says "required", a missing browser is a failure."""
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--force-prefers-reduced-motion",
)

PICTURE = {"model.channels": (3, 3, 4), "data.train": 12, "data.held_out": 6, "training.epochs": 1}
RUNS = {
    "stories": (
        "memn2n/babi-generated",
        {"data.tasks": [1], "data.size": "1k", "training.epochs": 3},
    ),
    "translation": (
        "translation/reversal",
        {"model.dim": 8, "model.hidden": 8, "training.batch": 500, "training.epochs": 1},
    ),
    "sequence": (
        "ntm/copy",
        {"core.hidden": 6, "core.slots": 5, "core.width": 4, "training.batch": 3}
        | {"training.updates": 2, "data.most": 3, "data.tested": (4,), "data.sequences": 4},
    ),
    "writing": (
        "language/cran",
        {"data.text": "generated", "training.batch": 4, "training.tokens": 2000}
        | {"training.evaluations": 1},
    ),
    "caption": (
        "captions/shape-scenes",
        PICTURE | {"model.dim": 4, "model.hidden": 5, "model.score": 3, "training.batch": 12},
    ),
    "picture": (
        "dmn-plus/sort-of-clevr",
        PICTURE | {"model.hidden": 5, "model.hops": 2, "training.batch": 3},
    ),
    "points": (
        "pointers/hull",
        {"model.hidden": 6, "model.embed": 4, "training.batch": 8, "training.updates": 2}
        | {"data.sets": 5},
    ),
}
FACTS = [
    ("Alien", "directed_by", "Ada"),
    ("Alien", "release_year", "1979"),
    ("Up", "directed_by", "Ben"),
    ("Up", "directed_by", "Ada"),
    ("Up", "release_year", "2009"),
]
DOCUMENTS = {
    "bees.md": "# Bees\n\nA bee dances to tell where nectar is.\n\nHoney keeps for years.\n",
    "clocks.txt": "A pendulum swings slower in warm rooms.\n\nQuartz trembles.\n",
}


def absent(what: str) -> None:
    """Skip what needs a browser, or fail where one has to be there."""
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(f"{what}, and {REQUIRED}=required")
    pytest.skip(f"{what}; see docs/playground.md")


@pytest.fixture(scope="session", autouse=True)
def _unchecked():
    """Leave out the checks of shapes: other tests make them, and a page is to answer at once."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    """A browser without a window, with a new profile."""
    paths = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    missing = [name for name, path in paths.items() if path is None]
    if missing:
        absent(f"no {' and no '.join(missing)} here (Debian: chromium, chromium-driver)")
    for module in ("selenium", "axe_playwright_python", "fastapi", "PIL"):
        if find_spec(module) is None:
            absent(f"no {module} here (make test-browser installs it)")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = paths["chromium"]
    for argument in (*ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(paths["chromedriver"]))
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def folders(driver, tmp_path_factory):
    """Something trained in a moment of every kind, by the name it is served under."""
    root = tmp_path_factory.mktemp("served")
    found = {}
    for name, (recipe, overrides) in RUNS.items():
        memnets.train(recipe, overrides, out=root / name, show=False)
        found[name] = root / name
    kb = memnets.build_kb(FACTS, root / "films.kb")
    kb.train(questions=307, show=False)
    found["facts"] = root / "films.kb"
    found["documents"] = _documents(root)
    return found


def _documents(root: Path) -> Path:
    from memnets.kb.documents import docstore

    (root / "texts").mkdir()
    for name, text in DOCUMENTS.items():
        (root / "texts" / name).write_text(text)
    docstore.build(root / "texts", root / "documents")
    return root / "documents"


@pytest.fixture(scope="session")
def address(folders):
    """The address of a server of all these."""
    import uvicorn

    from memnets.serve.app import application
    from memnets.serve.guard import Door
    from memnets.serve.service import Service
    from memnets.serve.things import Thing
    from memnets.serve.workers import Load

    things = [Thing(name, path) for name, path in folders.items()]
    service = Service(things, Load(), Door(), False)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(application(service), log_config=None, ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        wait(lambda: server.started, "the server")
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture
def page(driver, address):
    """A page, whose console holds nothing in the end."""
    found = Page(driver, address)
    found.complaints  # noqa: B018 - those of the test before
    yield found
    assert found.complaints == []


@pytest.fixture(scope="session")
def axe():
    """The rules of axe-core, as a script."""
    spec = find_spec("axe_playwright_python")
    return (Path(spec.origin).parent / "axe.min.js").read_text("utf-8")
