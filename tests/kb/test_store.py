"""A knowledge base: what is built is what was told, in slots that are found by every name."""

import gc
import json
import subprocess
import sys
import weakref
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets import kb
from memnets.data.facts import Triple
from memnets.kb import PAPER, BordesCandidates, Entity, Store, build, name_words
from memnets.kb.index import folders
from memnets.kb.store import facts as facts_of_files
from memnets.kb.store import store
from memnets.kb.store.layouts import triple_slots

FILMS = [
    ("Alien", "directed by", "Ridley Scott"),
    ("Blade Runner", "directed by", "Ridley Scott"),
    ("Alien", "released", "1979"),
    ("Alien Resurrection", "released", "1997"),
    ("New York, New York", "released", "1977"),
]


@pytest.fixture
def films(tmp_path):
    build(FILMS, tmp_path / "films.kb")
    return Store.open(tmp_path / "films.kb")


def test_it_is_gone_with_the_last_who_asks_it(tmp_path):
    # And its files, which are mapped, with it: no search for garbage has to come before.
    build(FILMS, tmp_path / "films.kb")
    opened = Store.open(tmp_path / "films.kb")
    assert opened.aliases["alien"]
    seen = weakref.ref(opened)
    gc.disable()
    try:
        del opened
        assert seen() is None
    finally:
        gc.enable()


def test_facts_stand_in_their_order(films):
    assert list(films.facts) == FILMS
    assert films.facts[1] == Triple("Blade Runner", "directed by", "Ridley Scott")
    assert films.entities.word(films.facts.objects[2]) == "1979"
    assert films.relations.word(films.facts.relations[2]) == "released"


def test_slots_are_those_of_the_layout(films):
    assert list(films.slots) == list(triple_slots(FILMS))


def test_an_entity_is_found_by_its_whole_name_only(films):
    assert films.names.candidates(["Alien"]).tolist() == [0, 4]
    assert films.names.candidates(["alien"]).tolist() == []
    assert films.names.candidates(["Ridley Scott", "1997"]).tolist() == [1, 3, 7]
    assert films.names.is_entity("1979")


def test_words_lead_to_every_name_that_has_them(films):
    assert films.words.candidates(["alien"]).tolist() == [0, 4, 6]
    assert films.words.candidates(name_words("Who is SCOTT?")).tolist() == [1, 3]
    assert films.words.candidates(["new"], kb.Rule(top_n=1)).tolist() == [8]
    assert films.words.frequency("alien") == 3
    assert not films.words.is_entity("alien")


def test_aliases_name_entities_by_their_links(tmp_path):
    facts = [("ET", "likes", "E.T."), ("E.T.", "is", "film"), ("e. t", "is", "film")]
    build(facts, tmp_path / "kb", names=[("film", "e t"), ("nobody", "e t"), ("ET", "...")])
    aliases = Store.open(tmp_path / "kb").aliases
    both = [Entity("E.T.", 2), Entity("film", 2)]
    assert aliases["e t"][2:] == [Entity("e. t", 1)]
    assert sorted(aliases["e t"][:2]) == both
    assert set(aliases) == {"et", "e t", "film"}
    assert len(aliases) == 3
    assert "e t" in aliases
    assert "..." not in aliases
    assert 7 not in aliases
    with pytest.raises(KeyError, match="nobody"):
        aliases["nobody"]


def test_further_names_lead_to_slots_too(tmp_path):
    build([("m.1", "r", "m.2")], tmp_path / "kb", names=[("m.1", "Blade Runner")])
    opened = Store.open(tmp_path / "kb")
    assert opened.words.candidates(["runner"]).tolist() == [0]
    assert opened.words.candidates(["m"]).tolist() == [0, 1]


def test_links_and_objects(films):
    assert films.links("Ridley Scott") == 2
    assert films.links("nobody") == 0
    assert films.objects("Alien", "released") == ["1979"]
    assert films.objects("Alien", "unknown") == []
    assert films.objects("1979", "released") == []


def test_candidates_of_bordes(films):
    chosen = BordesCandidates(films.names, films.aliases)
    assert chosen.candidates(name_words("when was blade runner released?")).tolist() == [2]


def test_a_fact_that_comes_again_is_kept_once(tmp_path):
    built = build([*FILMS, FILMS[3], FILMS[0]], tmp_path / "kb")
    assert (built.facts, built.repeated, built.entities, built.relations) == (5, 2, 8, 2)
    assert list(Store.open(tmp_path / "kb").facts) == FILMS


def test_facts_whose_numbers_do_not_fit_together_are_kept_once_too():
    rows = np.array([[7, 1, 2], [3, 1, 2], [7, 1, 2], [7, 1, 3]], np.int32)
    for entities in (8, 2**31):
        assert store._each_once(rows, entities, 2).tolist() == [[7, 1, 2], [3, 1, 2], [7, 1, 3]]


NAMES = st.sampled_from(
    ["Ada", "ada", "Ada L.", "l", "New New", "ß", "SS", "ada l", "a\0b", "x\ny"]
)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(NAMES, st.sampled_from("rst"), NAMES), min_size=1, max_size=29))
def test_everything_is_as_counted_by_hand(tmp_path_factory, facts):
    folder = tmp_path_factory.mktemp("kb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "POSTINGS", 5)
        build(facts, folder)
    opened, once = Store.open(folder), list(dict.fromkeys(facts))
    assert list(opened.facts) == once
    slots = list(triple_slots(once))
    for name in {slot.key[0] for slot in slots}:
        having = [n for n, slot in enumerate(slots) if slot.key[0] == name]
        assert opened.names.candidates([name]).tolist() == having
        assert opened.links(name) == len(having)
    for word in {word for slot in slots for word in name_words(slot.key[0])}:
        times = [Counter(name_words(slot.key[0]))[word] for slot in slots]
        row = opened.words._row("keys", word, opened.words._vocabulary.number(word))
        assert row.slots.tolist() == [n for n, count in enumerate(times) if count]
        assert row.times.tolist() == [count for count in times if count]


def test_no_facts_are_refused(tmp_path):
    with pytest.raises(ValueError, match="the triples: no facts, and 0 bad rows; expected one"):
        build([], tmp_path / "kb")
    (tmp_path / "bad.tsv").write_text("a\tb\nc\td\n")
    text = r"bad\.tsv: no facts, and 2 bad rows; .*The first bad row: .*bad\.tsv:1: came 'a\\tb'"
    with pytest.raises(ValueError, match=text):
        build(tmp_path / "bad.tsv", tmp_path / "kb")
    with pytest.raises(ValueError, match=r"kb: no knowledge base here, since index\.json is mis"):
        Store.open(tmp_path / "kb")


def test_more_facts_than_fit_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "MOST_SLOTS", 8)
    with pytest.raises(ValueError, match="more than 4 facts; expected that many at most"):
        build(FILMS, tmp_path / "kb")


def test_another_version_is_refused(films):
    manifest = films.folder / "index.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": 7}))
    text = r"index\.json: the knowledge base is of version 7; expected version 1, which this"
    with pytest.raises(ValueError, match=text):
        Store.open(films.folder)


def test_an_index_is_no_knowledge_base(films):
    with pytest.raises(ValueError, match="format is 'memnets kb'; expected 'memnets index'"):
        kb.Index.open(films.folder)


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("dear")
    with pytest.raises(ValueError, match=r"'mine\.txt' is there; expected a new folder, or one"):
        build(FILMS, tmp_path)
    with pytest.raises(ValueError, match=r"mine\.txt: 'mine\.txt' is there; expected a new folde"):
        build(FILMS, tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_what_stands_beside_a_knowledge_base_stays_when_it_is_built_anew(films):
    (films.folder / "model").mkdir()
    build(FILMS[:2], films.folder)
    assert len(Store.open(films.folder).facts) == 2
    assert (films.folder / "model").is_dir()
    assert list(films.facts) == FILMS  # a reader keeps what it opened


def test_the_same_facts_give_the_same_bytes(films, tmp_path):
    build(iter(FILMS), tmp_path / "again")
    assert contents(tmp_path / "again") == contents(films.folder)
    assert Store.open(tmp_path / "again").generation == films.generation


def contents(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder): path.read_bytes() for path in files}


KILLED = """
import os, signal, sys
from pathlib import Path
from memnets import kb
from memnets.kb.index import folders
from memnets.kb.store import store

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[2] == "writing":
    store._write_words = killed
else:
    folders.write_json = killed
kb.build([("other", "r", "thing")], Path(sys.argv[1]))
"""


@pytest.mark.parametrize("when", ["writing", "finishing"])
def test_a_build_that_is_killed_leaves_what_was_there(films, when):
    done = subprocess.run([sys.executable, "-c", KILLED, films.folder, when], capture_output=True)
    assert done.returncode == -9, done.stderr
    folders.verify(films.folder, store.FORMAT)
    assert list(Store.open(films.folder).facts) == FILMS
    build(FILMS[1:], films.folder)
    assert len([path for path in films.folder.iterdir() if path.is_dir()]) == 1


def test_many_readers_open_it(films):
    script = (
        "import sys; from pathlib import Path; from memnets.kb import Store;"
        "print(Store.open(Path(sys.argv[1])).facts[3].subject, 'torch' in sys.modules)"
    )
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", script, films.folder], stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    assert [reader.communicate()[0] for reader in readers] == ["Alien Resurrection False\n"] * 2


def test_a_word_of_a_million_slots_is_found_and_left_out_by_the_rule(tmp_path):
    lines = (f"the {number}\tr\tthe end\n" for number in range(500_000))
    (tmp_path / "common.tsv").write_text("".join(lines))
    build(tmp_path / "common.tsv", tmp_path / "kb")
    opened = Store.open(tmp_path / "kb")
    assert len(opened.words.candidates(["the"])) == 1_000_000
    assert opened.words.candidates(["the", "7"], PAPER).tolist() == [14]


def test_progress_is_told(tmp_path):
    told = []
    build(FILMS, tmp_path / "kb", tell=told.append)
    assert [(one.step, one.facts) for one in told] == [("read", 5), ("index", 5)]


def test_progress_counts_all_facts_so_far(tmp_path, monkeypatch):
    monkeypatch.setattr(facts_of_files, "BLOCK", 60)
    (tmp_path / "many.tsv").write_text("".join(f"a {n}\tr\tb {n}\n" for n in range(30)))
    told = []
    build(tmp_path / "many.tsv", tmp_path / "kb", tell=told.append)
    counts = [one.facts for one in told if one.step == "read"]
    assert len(counts) > 3
    assert counts == sorted(set(counts))
    assert counts[-1] == 30
