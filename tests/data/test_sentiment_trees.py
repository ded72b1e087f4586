"""Trees with labels: phrases, what is refused, and dev sentences that stand in train."""

import os
from collections import Counter
from pathlib import Path

import pytest

from memnets.data.treebanks import LabelledPhrase, load_sentiment, read_sentiment, read_tree
from memnets.data.treebanks.sentiment import _without_dev

TREE = "(3 (2 It) (4 (2 's) (4 lovely)))"
DEV = ["(1 (2 No) (1 fun))", "(4 (3 Great) (2 film))"]


def write(folder, train, dev=DEV, test=("(0 Bad)",)):
    folder.mkdir(exist_ok=True)
    for split, trees in (("train", train), ("dev", dev), ("test", test)):
        (folder / f"{split}.txt").write_text("".join(f"{tree}\n" for tree in trees))
    return folder


def test_every_node_is_a_phrase_and_the_sentence_comes_first():
    tree = read_tree(TREE)
    assert tree.phrases == (
        LabelledPhrase(("It", "'s", "lovely"), 3),
        LabelledPhrase(("It",), 2),
        LabelledPhrase(("'s", "lovely"), 4),
        LabelledPhrase(("'s",), 2),
        LabelledPhrase(("lovely",), 4),
    )
    assert tree.sentence == tree.phrases[0]


def test_a_tree_may_be_a_word_or_have_nodes_of_one_or_three():
    assert read_tree("(2 Yes)").sentence == LabelledPhrase(("Yes",), 2)
    assert read_tree("(2 (3 (4 a)) (1 b) (0 c))").sentence.words == ("a", "b", "c")


def test_a_star_that_is_written_as_one_is_a_star():
    assert read_tree(r"(1 (1 f\*\*k) (2 \/))").sentence.words == ("f**k", "/")


def test_what_is_written_in_signs_is_read_as_it_was():
    tree = read_tree(r"(2 (2 -LRB-) (2 (2 co-writer\/director) (2 -RRB-)))")
    assert tree.sentence.words == ("(", "co-writer/director", ")")
    assert read_tree("(2 8\xa01\\/2)").sentence.words == ("8\xa01/2",)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("(3 (2 It) (4 fun)", r"expected all brackets closed at character 18"),
        ("(3 (2 It) (4 fun)))", r"expected nothing behind the tree at character 19"),
        ("(3 It) (2 too)", r"expected nothing behind the tree at character 8"),
        ("(5 It)", r"expected a label from 0 to 4 at character 2"),
        ("(It)", r"expected a label from 0 to 4"),
        ("(", r"expected a label from 0 to 4"),
        ("(2 )", r"expected a word or a node before it at character 4"),
        (")", r"expected a word or a node before it"),
        ("It", r"expected one word in a node of its own at character 1"),
        ("(2 It works)", r"expected one word in a node of its own at character 7"),
        ("(2 (2 It) works)", r"expected one word in a node of its own"),
        ("(2 It (2 works))", r"expected no node beside a word"),
        ("(2 " * 2000, r"expected all brackets closed"),
        ("(2 " + "(2 a) " * 1001 + ")", r"expected at most 1,000 words"),
    ],
)
def test_what_is_no_tree_is_named(tmp_path, line, said):
    path = tmp_path / "train.txt"
    path.write_text(f"{TREE}\n{line}\n")
    with pytest.raises(ValueError, match=rf"train\.txt:2: came .*{said}") as caught:
        list(read_sentiment(path))
    assert len(str(caught.value)) < 500


def test_a_deep_tree_is_read():
    deep = read_tree("(2 " * 3000 + "x" + ")" * 3000)
    assert len(deep.phrases) == 3000


def test_dev_sentences_at_the_end_of_train_are_left_out(tmp_path):
    write(tmp_path / "trees", [TREE, "(0 Dull)", *DEV])
    with (
        pytest.warns(UserWarning, match=r"train\.txt: its last 2 trees are those of dev\.txt once"),
        pytest.warns(UserWarning, match="records, where"),
        pytest.warns(UserWarning, match="not the published file of sst"),
    ):
        found = load_sentiment(tmp_path)
    assert [len(found[split]) for split in ("train", "dev", "test")] == [2, 2, 1]


@pytest.mark.filterwarnings("ignore:.*published")
def test_dev_sentences_elsewhere_in_train_are_refused(tmp_path):
    for train in ([DEV[0], TREE], [TREE, *reversed(DEV)]):
        folder = write(tmp_path / "trees", train)
        with pytest.raises(
            ValueError, match=r"train\.txt: . of its sentences are sentences of dev"
        ):
            load_sentiment(folder)


def test_one_dev_sentence_in_a_hundred_may_be_in_train_too():
    dev = tuple(read_tree(f"(2 w{number})") for number in range(100))
    train = (read_tree("(2 x)"), dev[5])
    assert _without_dev(Path("train.txt"), train, dev) == train
    said = r"train\.txt: 2 of its sentences are sentences of dev\.txt, such as 'w3'\. Expected next"
    with pytest.raises(ValueError, match=said):
        _without_dev(Path("train.txt"), (*train, dev[3]), dev)
    assert _without_dev(Path("train.txt"), train, ()) == train


@pytest.mark.filterwarnings("ignore:.*published")
def test_what_is_missing_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"train\.txt: this file of sst is not there"):
        load_sentiment(tmp_path)
    with pytest.raises(ValueError, match=r"train\.txt: there is no tree in it\. Fetch it anew"):
        load_sentiment(write(tmp_path / "trees", DEV))


@pytest.mark.data
@pytest.mark.filterwarnings("ignore:.*its last 1,101 trees are those of dev")
def test_the_whole_set():
    place = Path(os.environ.get("MEMNETS_DATA") or "nowhere")
    if not any((folder / "dev.txt").exists() for folder in (place / "trees", place / "sst")):
        pytest.skip("set MEMNETS_DATA to the folder that holds the folder trees of SST")
    found = load_sentiment()  # another number of sentences would be warned of
    assert {split: len(trees) for split, trees in found.items()} == {
        **{"train": 8_544, "dev": 1_101, "test": 2_210}
    }
    labels = Counter(tree.sentence.label for tree in found["train"])
    assert [labels[label] for label in range(5)] == [1_092, 2_218, 1_624, 2_322, 1_288]
    phrases = [phrase for tree in found["train"] for phrase in tree.phrases]
    assert (len(phrases), len({one.words for one in phrases})) == (318_582, 159_274)
    assert len({one.words for one in phrases if one.label != 2}) == 77_616
    parted = [sum(tree.sentence.label != 2 for tree in trees) for trees in found.values()]
    assert parted == [6_920, 872, 1_821]
    train, dev, test = ({tree.sentence.words for tree in trees} for trees in found.values())
    assert (len(train & dev), len(train & test), len(dev & test)) == (1, 2, 0)
