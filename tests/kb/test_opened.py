"""A KB that is opened to be asked: the same facts and names as one that is read whole."""

from itertools import islice

import pytest

from memnets.data.facts import Triple
from memnets.data.worlds.invented import films
from memnets.kb.linking import opened
from memnets.kb.linking.naming import Names
from memnets.kb.linking.opened import OpenedFacts, OpenedNames, further_names, names_in, open_names
from memnets.kb.linking.words import question_words
from memnets.kb.questions.questions import Facts
from memnets.kb.store.from_table import build_table
from memnets.kb.store.store import Store, build

TRIPLES = [
    *islice(films(3), 211),
    Triple("Alien (1979)", "directed_by", "Scott, Ridley"),
    Triple("Alien (book)", "written_by", "Ada"),
    Triple("Alien (book)", "written_by", "Ben"),
    Triple("Ada", "knows", "Ada"),
    Triple("Amélie", "won", "It"),
    Triple("It", "won", "?!"),
]
FURTHER = [("Amélie", "The Fabulous Destiny"), ("Alien (1979)", "Xenomorph")]
QUESTIONS = (
    "who directed ALIEN?",
    "who directed the xenomorhp",
    "what did ridley scott direct",
    "who won it",
    "who won amelie and the fabulous destiny",
    "who is ad",
    "who is scott",
    "banana",
    "?!",
    f"who directed {TRIPLES[-7].subject} and {TRIPLES[5].subject[:-1]}",
    *(f"who made {triple.subject[:3]}{triple.subject[4:]}?" for triple in TRIPLES[:97:5]),
)
ORDINARY = {"who", "directed", "won"}


@pytest.fixture
def store(tmp_path) -> Store:
    """The facts in an order of their own, on disk."""
    build(TRIPLES, tmp_path / "my.kb", names=FURTHER)
    return Store.open(tmp_path / "my.kb")


def test_the_facts_of_every_entity_are_those_in_memory(store):
    read, found = Facts(TRIPLES), OpenedFacts(store)
    for entity in [*read, "nobody", *read]:
        assert list(found.of(entity).items()) == list(read.of(entity).items())
        assert found.begins(entity) is read.begins(entity)
    assert list(found.relations) == list(read.relations)


def test_facts_asked_for_last_are_kept_in_memory(store, monkeypatch):
    monkeypatch.setattr(opened, "KEPT", 2)
    monkeypatch.setattr(opened, "FEW", 2)
    found = OpenedFacts(store)
    book = found.of("Alien (book)")
    assert found.of("Alien (book)") is book
    for entity in ("Amélie", "Alien (1979)"):
        found.of(entity)
    assert found.of("Alien (book)") is not book  # made room for others
    assert found.of("Ada") is not found.of("Ada")  # of more facts


def test_names_are_recognised_as_by_those_in_memory(store):
    in_memory = Names(Facts(TRIPLES).links(), ORDINARY, further_names(store))
    on_disk = open_names(store, ORDINARY)
    assert isinstance(on_disk, OpenedNames)
    found = [in_memory.mentions(question_words(question)) for question in QUESTIONS]
    assert [on_disk.mentions(question_words(question)) for question in QUESTIONS] == found
    assert {mention.how for mentions in found for mention in mentions} == {
        "name", "alias", "spelling", "part"
    }  # fmt: skip
    assert dict(on_disk.names) == in_memory.names
    assert dict(on_disk.aliases) == in_memory.aliases
    assert (len(on_disk.names), len(on_disk.aliases)) == (
        len(in_memory.names),
        len(in_memory.aliases),
    )
    assert list(on_disk.listed) == in_memory.listed
    assert list(on_disk.parts.listed) == list(in_memory.parts.listed)
    assert on_disk.longest == in_memory.longest


def test_what_rows_are_called_is_no_part_of_a_name_where_it_stands_alone(tmp_path):
    (tmp_path / "beers.csv").write_text("Beer,style\nOx,wheat beer\nDuck,fruit beer\n")
    build_table(tmp_path / "beers.csv", tmp_path / "kb")
    names = open_names(Store.open(tmp_path / "kb"))
    assert names.rows == {"beer", "beers"}
    assert names.mentions(["what", "is", "the", "strongest", "beer"]) == []
    for words in (["wheat", "beers"], ["the", "wheat"]):
        assert [one.entities for one in names.mentions(words)] == [("wheat beer",)]


def test_names_are_written_once(store, monkeypatch):
    open_names(store)
    monkeypatch.setattr(opened, "_write", None)
    assert isinstance(open_names(store), OpenedNames)


def test_names_that_were_not_finished_are_written_anew(store):
    open_names(store)
    (folder,) = store.folder.glob("names-*")
    (folder / "trigrams" / "index.json").unlink()
    assert isinstance(open_names(store), OpenedNames)
    (folder / "index.json").unlink()
    (mention,) = open_names(store).mentions(["xenomorph"])
    assert mention.how == "alias"


def test_a_kb_that_was_built_anew_has_new_names(store, tmp_path):
    before = open_names(store)
    assert before.mentions(["heat"]) == []
    build([*TRIPLES, ("Heat", "won", "A")], tmp_path / "my.kb")
    again = Store.open(tmp_path / "my.kb")
    assert [m.entities for m in open_names(again).mentions(["heat"])] == [("Heat",)]
    assert [path.name for path in again.folder.glob("names-*")] == [f"names-{again.generation}"]


def test_a_folder_that_may_only_be_read_is_asked_all_the_same(store, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Read-only")

    monkeypatch.setattr(opened, "_write", refuse)
    names = open_names(store)
    assert type(names) is Names
    assert [m.entities for m in names.mentions(["xenomorph"])] == [("Alien (1979)",)]


def test_names_on_disk_are_learnt_from_as_those_in_memory(store):
    links = {entity: store.links(entity) for entity in store.entities}
    read = Names(links, ORDINARY, further_names(store))
    found = names_in(store, ORDINARY, {})
    assert isinstance(found, OpenedNames)
    for words in map(question_words, QUESTIONS):
        for unknown in (None, "Amélie", TRIPLES[5].subject):
            assert found.learnt(words, unknown) == read.learnt(words, unknown)
