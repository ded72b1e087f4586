"""The benchmark of MemN2N: its plain twins, and other people's code that it opens."""

import importlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from memnets.studies.babi.memn2n.recipes import babi_generated
from timing import compare

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

PEER = {  # a toy with the names of nmhkahn/MemN2N-pytorch that the benchmark calls
    "data_utils.py": """
def tokenize(sentence):
    return sentence.split()

def load_task(folder, task):
    return [f"train {task}"], [f"test {task}"]
""",
    "dataset.py": """
from data_utils import load_task

class bAbIDataset:
    num_vocab, sentence_size = 11, 5

    def __init__(self, folder, task=1):
        self.train, self.test = load_task(folder, task)

    def __len__(self):
        return 3001

    def __getitem__(self, index):
        return index, self.train[index % len(self.train)]
""",
    "model.py": """
import torch

class MemN2N(torch.nn.Linear):
    def __init__(self, settings):
        super().__init__(settings["embedding_dim"], settings["sentence_size"])
""",
    "trainer.py": """
import model
from dataset import bAbIDataset
from torch.utils.data import DataLoader

class Trainer:
    def __init__(self, config):
        print("what nobody asked for")
        self.train_data = bAbIDataset(config.dataset_dir, config.task)
        self.train_loader = DataLoader(self.train_data, config.batch_size)

    def _train_single_epoch(self, epoch):
        return [(len(rows), told) for rows, told in self.train_loader]
""",
}


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("memn2n")


@pytest.fixture
def peers(bench):
    return importlib.import_module("memn2n_peers")


@pytest.fixture
def peer(tmp_path):
    """A checkout of a toy peer."""
    return checkout(tmp_path / "peer" / "memn2n", PEER).parent


def checkout(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def generated():
    run = babi_generated()
    return replace(run, data=replace(run.data, tasks=(1,), size="1k"))


@pytest.mark.parametrize("twin", ["WordByWord", "LaidOut", "InPyTorch"])
def test_a_plain_twin_learns_the_same_without_the_kernel(bench, twin, monkeypatch):
    ours = bench.step(generated(), lambda experiment: experiment)
    plain = bench.step(generated(), bench._as(getattr(bench, twin)))
    losses = [ours() for _ in range(3)]
    for op in ("answer", "learn"):
        monkeypatch.setattr(f"memnets.ops.memn2n.{op}", lambda *inputs: pytest.fail("natively"))
    for loss in losses:
        torch.testing.assert_close(loss, plain(), rtol=1e-4, atol=0)


def test_batches_that_are_ready_come_again(bench):
    experiment = generated().prepare().experiment
    seen, loss = [], experiment.task.loss

    def watched(model, batch, state, generator):
        seen.append(batch[1].tolist())
        return loss(model, batch, state, generator)

    experiment.task.loss = watched
    for ready in (3, None):
        seen.clear()
        update = bench.step_of(experiment, ready)
        for _ in range(4):
            update()
        assert (seen[0] == seen[3]) is (ready == 3)


@pytest.mark.parametrize("ready", [False, True])
def test_a_row_is_of_one_update(bench, peers, monkeypatch, ready):
    made = []
    monkeypatch.setattr(bench, "step_of", lambda experiment, n: lambda: made.append(n))

    def epoch():
        return "an epoch of theirs"

    def timed(row, ours, baseline, **options):
        ours()
        assert baseline() == "an epoch of theirs"
        quick = compare(row, lambda: None, lambda: None, **options)
        return replace(quick, measured=14.0, baseline=70.0)

    monkeypatch.setattr(bench, "compare", timed)
    match = peers.Match("toy", epoch, 7, 217, generated(), batch=31, ready=ready)
    row = bench.against(match, "a toy", bench.Options(repeats=7))
    assert made == [peers.BATCHES if ready else None] * 7
    assert (row.measured, row.baseline, row.metric) == (2.0, 10.0, "time of an update (ms)")
    assert row.note == "models alike, not the same; 15,500 stories/s, theirs 3,100"
    assert row.baseline_name == "a toy"


def test_peers_get_a_file_of_their_own(bench, peers, peer, monkeypatch):
    data = Path("data")
    monkeypatch.setattr(bench, "babi_folder", lambda path: data)
    monkeypatch.setattr(bench, "learn_task_1", lambda *_: peers.Trained(0.9876, 5.4))
    monkeypatch.setattr(bench, "train", lambda *_: peers.Trained(0.75, 22.2))
    quick = compare("toy", lambda: None, lambda: None, baseline_name="toy", note="n")
    monkeypatch.setattr(bench, "against", lambda match, name, _: replace(quick, row=match.row))
    result = bench.against_peers(bench.Options(peer=(peer,), accuracy=True))
    assert result.file_name == "bench-memn2n-peers.json"
    assert result.command == "python benchmarks/memn2n.py --peer MemN2N-pytorch --accuracy"
    learnt = "n; test accuracy 0.988 after 5 s, theirs test accuracy 0.750 after 22 s"
    assert [row.note for row in result.rows] == [learnt, "n", "n", "n"]


@pytest.mark.slow
def test_we_learn_by_our_own_command(bench, tmp_path):
    # The smallest data that the recipe takes: a story of one sentence, over and over.
    told = "1 Mary went home.\n2 Where is Mary? \thome\t1\n"
    slug = "qa1_single-supporting-fact"
    files = {f"{slug}_train.txt": told * 37, f"{slug}_test.txt": told}
    checkout(tmp_path / "tasks_1-20_v1-2" / "en", files)
    assert bench.learn_task_1(tmp_path, threads=1).accuracy == 1


def test_accuracy_wants_a_peer(bench):
    with pytest.raises(ValueError, match=r"--accuracy without a peer .* --peer PATH"):
        bench.Options(accuracy=True)


def test_a_peer_trains_as_it_does_and_on_batches_that_are_ready(peers, peer, capsys):
    opened = peers.open_peer(peer, Path("data"))
    matches = list(opened.matches())
    assert capsys.readouterr().out == ""
    assert [match.row for match in matches] == [
        "task 1, with its loader",
        "task 1, batches ready",
        "joint, batch 32, batches ready",
        "joint, batch 128, batches ready",
    ]
    assert [match.ready for match in matches] == [False, True, True, True]
    for match in matches:
        sizes = [size for size, _ in match.epoch()]
        assert match.updates == len(sizes)
        assert match.stories == sum(sizes)
        assert not match.ready or set(sizes) == {match.batch}
    assert [match.updates for match in matches] == [94, 93, 23, 23]
    first, *_, joint = ({told for _, batch in match.epoch() for told in batch} for match in matches)
    assert first == {"train 1"}
    assert joint == {f"train {task}" for task in range(1, 21)}


def test_a_folder_of_nobody_is_refused(peers, tmp_path):
    with pytest.raises(ValueError, match=r"holds no peer .* memn2n/trainer.py or memnn_babi.py"):
        peers.open_peer(tmp_path, tmp_path)


def test_code_that_was_not_edited_is_refused(peers, peer):
    checkout(peer / "memn2n", {"data_utils.py": "tokenize, load_task = lambda s: None.strip(), 0"})
    with pytest.raises(ValueError, match=r"peer: .* the six edits that docs/memn2n.md names"):
        peers.open_peer(peer, peer)


def test_a_missing_package_is_named(peers, tmp_path):
    folder = checkout(tmp_path, {"theirs.py": "import no_such_package"})
    before = list(sys.path)
    with pytest.raises(ValueError, match=r"needs the package 'no_such_package'.*pip install"):
        peers.modules(folder, "theirs")
    assert sys.path == before
    assert "theirs" not in sys.modules


def test_modules_of_two_peers_may_be_called_the_same(peers, tmp_path):
    folders = [checkout(tmp_path / name, {"model.py": f"who = {name!r}"}) for name in "ab"]
    before = list(sys.path)
    assert [peers.modules(folder, "model")[0].who for folder in folders] == ["a", "b"]
    assert sys.path == before
    assert "model" not in sys.modules


def test_a_version_is_the_commit_and_whether_it_was_edited(peers, tmp_path):
    assert peers.version(tmp_path, "toy") == "toy"
    checkout(tmp_path, {"model.py": "1"})
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "model.py"], ["commit", "-q", "-m", "toy"]):
        subprocess.run([*git, *words], check=True)
    name = peers.version(tmp_path, "toy")
    assert len(name) == len("toy 1234567")
    checkout(tmp_path, {"model.py": "2"})
    assert peers.version(tmp_path, "toy") == f"{name}, edited"


@pytest.fixture
def trains(peers, tmp_path):
    """Let a toy with this script learn, and return how that ended."""
    data = checkout(tmp_path / "somewhere", {"told.txt": "0.875"})

    def run(script):
        folder = checkout(tmp_path / "toy", {"learn.py": script})
        command = ("learn.py", "{data}/tasks_1-20_v1-2/told.txt")
        toy = peers.Peer("toy", "toy/toy", folder, list, command, r"acc=(\S+)")
        return peers.train(toy, data, threads=3)

    return run


def test_a_peer_learns_by_its_own_command(trains):
    told = trains("import sys; print('loss=3 acc=' + open(sys.argv[1]).read())")
    assert told.accuracy == 0.875
    assert told.seconds > 0
    assert trains("import os; print('acc=' + os.environ['OMP_NUM_THREADS'])").accuracy == 3


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("raise OSError('no data')", r"toy: `python learn.py .* status 1, .* OSError: no data"),
        ("print('acc=0.9'); exit(3)", "ended with status 3, its last words: acc=0.9"),
        ("print('all well')", "status 0, its last words: all well. Expected .* the test accuracy"),
        ("pass", "its last words: no output"),
    ],
)
def test_a_command_that_fails_is_told(trains, script, text):
    with pytest.raises(ValueError, match=text):
        trains(script)
