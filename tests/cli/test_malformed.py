"""Malformed input of every kind: refused in a few words, or made sense of.

No case may end in a traceback, in "a fault of ours", or hang; what is accepted must be among what
the tests say makes sense, and why. How many cases there were is printed (pytest -rP).
"""

import contextlib
import re
import resource
import shutil
from pathlib import Path

import malformed
import pytest
from malformed import DAMAGES, Told, files_of, options, positionals
from malformed_files import BABI, FACTS, STORIES, TABLES

from memnets.cli import reproduce
from memnets.cli.main import main
from memnets.experiments.jobs import carry_out
from memnets.studies import recipes
from memnets.training import loop as training_loop
from memnets.training.fingerprint import first_updates

pytestmark = [
    pytest.mark.slow,
    # A case that is stopped where Python collects garbage is stopped once more, a moment later.
    pytest.mark.filterwarnings("ignore:Exception ignored:pytest.PytestUnraisableExceptionWarning"),
]
MEMORY = 12 << 30
"""Bytes of address space, so that what asks for too many is refused, and not killed."""
TRAIN = [
    *("train", "memn2n/babi-generated", "--data.tasks", "1", "--data.size", "1k"),
    *("--training.epochs", "4", "--training.linear-epochs", "1"),
]
STORY = "Mary moved to the bathroom.\nJohn went to the hallway.\nWhere is Mary?\n"


@pytest.fixture(scope="module", autouse=True)
def limits():
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A folder with a trained run, knowledge base and documents, and with what is none of them."""
    folder = tmp_path_factory.mktemp("world")
    (folder / "garbage").write_bytes(bytes(range(256)) * 3)
    (folder / "story.txt").write_text(STORY)
    (folder / "facts.tsv").write_text("Ada\tborn_in\tOslo\nBo\tborn_in\tRome\nBo\tlikes\tAda\n")
    (folder / "texts").mkdir()
    (folder / "texts" / "one.txt").write_text("Ada was born in Oslo. She lives in Rome.\n")
    with contextlib.chdir(folder):
        assert main([*TRAIN, "--out", "run"]) == 0
        assert main(["kb", "build", "facts.tsv", "--out", "facts.kb"]) == 0
        assert main(["kb", "train", "facts.kb", "--questions", "200"]) == 0
        assert main(["docs", "build", "texts", "--out", "texts.docs"]) == 0
    return folder


@pytest.fixture
def brief(monkeypatch):
    """Make a few updates where a run would make all."""

    def fit(experiment, loop, folder, *, resume=False, show=None):
        first_updates(experiment, loop, folder)
        raise SystemExit(0)

    monkeypatch.setattr(training_loop, "fit", fit)
    # Of a table no run is made, but all is made ready for them.
    monkeypatch.setattr(
        reproduce, "carry_out", lambda todo, workers, device: carry_out([], workers)
    )


def fresh(world: Path, tmp_path: Path) -> Path:
    """Return a copy of the world that may be spoilt."""
    copy = tmp_path / "world"
    shutil.copytree(world, copy, symlinks=True)
    return copy


def check(problems: list[str], accepted: dict[str, str], allowed) -> None:
    """Fail with every case that is a problem, or was accepted though nothing allows it.

    Args:
        problems: one text a case, empty where all is well.
        accepted: what was said, by case, where the status was 0.
        allowed: of a case and what was said, whether that makes sense.
    """
    print(f"malformed: {len(problems)} cases")
    problems = [one for one in problems if one]
    wrong = [
        f"{case}: accepted: {out!r:.300}"
        for case, out in accepted.items()
        if not allowed(case, out)
    ]
    assert not problems + wrong, "\n".join(problems + wrong)


BASES = {
    ("quickstart",): [],
    ("eval", "run"): [],
    ("ask", "run"): ["--story", "story.txt"],
    ("report", "run"): [],
    ("results",): [],
    ("kb", "build", "facts.tsv"): ["--out", "new.kb"],
    ("kb", "train", "facts.kb"): ["--questions", "2"],
    ("kb", "ask", "facts.kb"): ["Where was Ada born?"],
    ("docs", "build", "texts"): ["--out", "new.docs"],
    ("docs", "ask", "texts.docs"): ["Where was Ada born?"],
    ("docs", "facts", "texts.docs"): ["--out", "new.tsv"],
    ("data", "generate", "babi"): ["--out", "made", "--task", "1", "--questions", "10"],
    ("data", "info", "babi"): [],
    ("new", "study", "first"): [],
    ("reproduce", "own-kb"): ["--runs", "runs", "--results", "made", "--workers", "1"],
}
"""Commands that work as they stand, and what they need beside the option that is tried."""
WORDS = (*BASES, ("data", "get", "babi"), ("data", "list"), ("cite", "memn2n/babi"), ("list",))
"""Commands of which words without a name are tried; the last ones have no options."""
FOLDERS = ("kb", "docs", "data", "new")
"""Commands of several words."""


@pytest.mark.parametrize("command", BASES, ids=" ".join)
def test_options_of_every_command(command, world, tmp_path, capsys, brief):
    names = command[:2] if command[0] in FOLDERS else command[:1]
    problems, accepted = [], {}
    for option in options(names, capsys):
        for number, value in enumerate(option.bad):
            place = tmp_path / f"{option.name}{number}"
            place.mkdir()
            with contextlib.chdir(fresh(world, place)):
                rest = without(BASES[command], option.name)
                told = Told([*command, *rest, option.name, value])
            shutil.rmtree(place)
            problems.append(told.problem())
            if told.status == 0:
                accepted[f"{' '.join(command)} {option.name} {value[:20]!r}"] = told.out
    check(problems, accepted, harmless)


def without(words: list[str], option: str) -> list[str]:
    """Return the words of a command without an option and its value."""
    at = words.index(option) if option in words else len(words)
    return words[:at] + words[at + 2 :]


@pytest.mark.parametrize("command", WORDS, ids=" ".join)
def test_words_of_every_command(command, world, tmp_path, capsys, brief):
    names = command[:2] if command[0] in FOLDERS else command[:1]
    rest = BASES.get(command, [])
    known = [one.bad for one in positionals(names, capsys)]
    given = [*command[len(names) :], *(rest if rest[:1] == ["Where was Ada born?"] else [])]
    tried = [
        [*given[:place], value, *given[place + 1 :]]
        for place, values in enumerate(known)
        for value in values
    ]
    tried += [[*given, value] for value in (*malformed.VALUES["STR"], "--nothing", "--nothing=1")]
    tried += [given[:-1]] * bool(given)
    problems, accepted = [], {}
    for number, words in enumerate(tried):
        (tmp_path / f"{number}").mkdir()
        with contextlib.chdir(fresh(world, tmp_path / f"{number}")):
            told = Told([*names, *words, *(rest if rest != given[1:] else [])])
        shutil.rmtree(tmp_path / f"{number}")
        problems.append(told.problem())
        if told.status == 0:
            accepted[f"{' '.join(names)} {words!r:.60}"] = told.out
    check(problems, accepted, lambda case, said: any(re.search(one, case) for one in FINE))


FINE = (
    r"docs build \['\.?'\]",  # this folder, which holds documents
    r"kb ask \['facts\.kb', ('Where was Ada born\?', )?'(\\x1b|x)",  # says it does not know
    r"docs ask \['texts\.docs', '",  # says that no sentence answers
)
"""Odd words that make sense, and why."""


def harmless(case: str, said: str) -> bool:
    """Whether a command may take an odd value."""
    return any(re.search(one, case) for one in HARMLESS)


HARMLESS = (
    r"seed",  # any whole number from 0
    r"--(out|kb\.out) ('missing'|'\.'|'')$",  # a new folder, or this one, which holds no run yet
    r"report run --(right|wrong) ('0'|'1000000000'|'9+')$",  # none, or all
    r"--most '(1000000000|9+)'$",  # of all sentences there are
    r"--results '(\.|)'$",  # says that no results are there
    r"(epochs|updates|warm-up|evaluate-every|batch|difficulty) (1000000000|0) ",  # none, or ever on
    r"--training\.patience 1000000000 ",  # to the last epoch
    r"reproduce own-kb --(only ''|runs '(missing|\.|)'|results 'missing')",  # all rows; new folders
    r"kb ask facts\.kb --report 'missing'$",  # a new page
    r"reproduce own-kb --workers '[19]",  # all runs at once
    r"--training\.(window|tokens|evaluations) 1000000000 ",  # the whole text, and many times
    r"--cache\.window (0|1000000000) ",  # none, or all that was read
    r"--(core\.linear|model\.(linear|deep)|data\.(unique|cliff|unseen-pairs)) 0 ",  # none
    r"--core\.reach 0 ",  # a head of the NTM that stays where it is
    r"train pointers/\S+ --model\.embed 0 ",  # the numbers of points as they are
    r"--loop\.keep 1000000000 ",  # all checkpoints
    r"--reader\.model\.hops 0 ",  # as many as the questions have supports
    r"--core\.depth 1000000000 ",  # of another zone key than the one that is trained
    r"--reader\.training\.negatives 0 ",  # all of them
    r"--question '",  # echoed as it is understood, with the unknown words named
)
"""Odd values that make sense, and why."""


SMALL = ["--data.text", "generated", "--training.batch", "4"]
"""What a language model learns here, since it needs no files, and how much at once."""


@pytest.mark.parametrize("recipe", recipes())
def test_options_of_every_recipe(recipe, world, tmp_path, capsys, brief):
    problems, accepted = [], {}
    every = list(options(("train", recipe), capsys))
    base = SMALL if any(option.name == "--data.text" for option in every) else []
    with contextlib.chdir(fresh(world, tmp_path)):
        for option in every:
            rest = without(base, "--data.text" if option.name == "--data.path" else option.name)
            for number, value in enumerate(option.bad):
                if (option, value) in TRIED or option.name == "--out":
                    continue
                TRIED.add((option, value))
                words = ["train", recipe, option.name, value, *rest]
                words += ["--out", f"{number}{option.name}"]
                told = Told(words)
                problems.append(told.problem())
                if told.status == 0:
                    accepted[" ".join(words)] = told.err
    check(problems, accepted, harmless)


TRIED: set[tuple[malformed.Option, str]] = set()
"""Options that another recipe has had already."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_runs(damage, world, tmp_path):
    problems, accepted = [], {}
    commands = (
        ["eval", "run"],
        ["ask", "run", "--story", "story.txt"],
        ["report", "run", "--out", "page"],
        ["train", "--resume", "run"],
    )
    with contextlib.chdir(world):
        whole = {words[0]: Told(words).out for words in commands}
    shutil.rmtree(world / "page")
    for number, name in enumerate(files_of(world / "run")):
        for words in commands:
            place = tmp_path / f"{number}{words[0]}"
            place.mkdir()
            copy = fresh(world, place)
            DAMAGES[damage](copy / "run" / name)
            with contextlib.chdir(copy):
                told = Told(words)
            shutil.rmtree(place)
            problems.append(told.problem() and f"{name}, {damage}: {told.problem()}")
            if told.status == 0 and told.out != whole[words[0]]:
                accepted[f"{name}, {damage}: {' '.join(words)}"] = told.out
    check(problems, accepted, mended)


def mended(case: str, said: str) -> bool:
    """Whether a damage may be passed over: resuming writes the end of a run anew, and says so."""
    if "train --resume" in case:
        return case.startswith("result.json") or "written anew from the last checkpoint" in said
    return case.startswith(("log.jsonl", "checkpoints/"))  # neither is needed by who asks


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("store", ["facts.kb", "texts.docs"])
def test_damaged_stores(store, damage, world, tmp_path):
    kind = "kb" if store == "facts.kb" else "docs"
    words = [kind, "ask", store, "Where was Ada born?"]
    problems, accepted = [], {}
    with contextlib.chdir(world):
        whole = Told(words).out
    for number, name in enumerate(files_of(world / store)):
        place = tmp_path / f"{number}"
        place.mkdir()
        copy = fresh(world, place)
        DAMAGES[damage](copy / store / name)
        with contextlib.chdir(copy):
            told = Told(words)
        shutil.rmtree(place)
        problems.append(told.problem() and f"{name}, {damage}: {told.problem()}")
        if told.status == 0 and told.out != whole:
            accepted[f"{name}, {damage}"] = told.out
    check(problems, accepted, lambda case, said: False)


def test_files_of_facts(world, tmp_path):
    problems, accepted = [], {}
    copy = fresh(world, tmp_path)
    cases = [(name, content, []) for name, content in FACTS.items()]
    cases += [(name, content, ["--table"]) for name, content in TABLES.items()]
    cases += [(name, content, []) for name, content in TABLES.items()]
    for number, (name, content, more) in enumerate(cases):
        for ending in ("tsv", "csv", "txt"):
            (copy / f"{number}.{ending}").write_bytes(content)
            with contextlib.chdir(copy):
                out = f"{number}{ending}.kb"
                told = Told(["kb", "build", f"{number}.{ending}", "--out", out, *more])
            problems.append(told.problem() and f"{name}: {told.problem()}")
            if told.status == 0:
                accepted[f"{name}.{ending} {' '.join(more)}"] = told.out + told.err
    check(problems, accepted, facts_make_sense)


def facts_make_sense(case: str, said: str) -> bool:
    """Whether a file of facts may be built from: every row that is none is named."""
    if CONTROL.search(said):
        return False
    if "bad row" in said or "contradict each other" in said:
        return True
    return case.startswith(WHOLE_FACTS)


WHOLE_FACTS = (
    "a quoted newline",  # becomes a space
    "escapes",  # is part of a name, and shown by its number
    "right to left",
    "a long line",
    "markup",
    "trailing empty header cells",  # as spreadsheets write them
    "a header twice",  # three columns without --table are facts
    "rows too long",
    "empty header cells",
)
"""Odd facts that are facts."""
CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]")
"""What would steer a terminal."""


def test_stories(world, tmp_path):
    problems, accepted = [], {}
    copy = fresh(world, tmp_path)
    for number, (name, story) in enumerate(STORIES.items()):
        (copy / f"{number}.txt").write_bytes(story.encode("utf-8", "surrogatepass"))
        with contextlib.chdir(copy):
            every = [
                Told(["ask", "run", "--story", f"{number}.txt"]),
                Told(["ask", "run"], typed=story),
                Told(["ask", "run", "--story", "story.txt", "--question", story or " "]),
            ]
        for told in every:
            problems.append(told.problem() and f"{name}: {told.problem()}")
            if told.status == 0:
                case = f"{name}: {' '.join(told.words[2:])}"
                accepted[f"{case[:60]} #{len(accepted)}"] = told.out + told.err
    check(problems, accepted, story_makes_sense)


def story_makes_sense(case: str, said: str) -> bool:
    """Whether a story may be answered about: what is not understood or not read is named."""
    if CONTROL.search(said):
        return False
    name, _, words = case.partition(": ")
    if "--question" in words:  # the story is a good one
        return "Where is Mary?" in said
    return all(part in " ".join(said.split()) for part in SAID[name])


SAID = {
    "unknown words": ("unknown words, read as nothing: xyzzy, plugh, frobnitz",),
    "brackets": ("unknown words, read as nothing: [/], [bold], [red]",),
    "escapes": ("<U+001B>[2jmary",),
    "many sentences": ("only the last 10 of 2,000 sentences were read",),
    "full width": ("garden",),  # is a question
    "quotes": ("garden",),
    "NUL": ("mary<U+0000>moved",),
    "emoji": ("🏃",),
}
"""What must be said of a story that is answered about."""


def test_files_of_babi(world, tmp_path, brief):
    problems, accepted = [], {}
    copy = fresh(world, tmp_path)
    good = "1 Mary moved to the garden.\n2 Where is Mary?\tgarden\t1\n" * 20
    for number, (name, content) in enumerate(BABI.items()):
        for spoilt in ("train", "test"):
            place = copy / f"{number}{spoilt}" / "tasks_1-20_v1-2" / "en"
            place.mkdir(parents=True)
            for split in ("train", "test"):
                text = content if split == spoilt else good
                if split == spoilt and name not in ("nothing", "no questions"):
                    text = good + content
                (place / f"qa1_single-supporting-fact_{split}.txt").write_text(text)
            with contextlib.chdir(copy):
                told = Told(
                    [
                        *("train", "memn2n/babi", "--data.tasks", "1", "--data.path"),
                        *(f"{number}{spoilt}", "--out", f"out{number}{spoilt}"),
                    ]
                )
            problems.append(told.problem() and f"{name}: {told.problem()}")
            if told.status == 0:
                accepted[f"{name} in {spoilt}"] = told.out + told.err
    check(problems, accepted, lambda case, said: False)
