"""What users call relations: added to the file of phrases, heard at once."""

import pytest

from memnets.kb.questions.phrase_files import read_phrases, taught, write_phrases
from memnets.kb.questions.phrases import ways_of_asking
from memnets.kb.questions.teaching import relation_named, teach

RELATIONS = ["Manager", "started_on", "job title", "job_title "]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "my.kb.phrases.toml"
    write_phrases(path, ways_of_asking({"Manager": ["Ada"], "started_on": ["2001-02-03"]}))
    return path


def test_a_phrase_is_added_and_all_else_stays(path):
    before = path.read_text()
    assert teach(path, "boss", "manager", RELATIONS) == "Manager"
    assert teach(path, "chief", "Manager", RELATIONS) == "Manager"
    assert teach(path, "boss", "Manager", RELATIONS) == "Manager"  # again: nothing changes
    assert taught(path, RELATIONS) == {"Manager": ("boss", "chief")}
    line = 'taught = ["boss", "chief"]\n'
    assert path.read_text().count(line) == 1
    assert path.read_text().replace(line, "") == before


def test_a_phrase_is_learnt_the_next_time(path):
    teach(path, "boss", "Manager", RELATIONS)
    teach(path, "to whom does {it} answer", "Manager", RELATIONS)
    learnt = read_phrases(path, RELATIONS)["Manager"].learn
    assert {"boss of {it}", "{it} 's boss", "to whom does {it} answer"} < {*learnt}


def test_a_relation_that_the_file_lacks_is_added_and_keeps_the_phrases_of_its_name(path):
    teach(path, "position", "job title", ["Manager", "started_on", "job title"])
    relations = ["Manager", "started_on", "job title"]
    assert taught(path, relations) == {"job title": ("position",)}
    teach(path, "subordinate", "!manager", relations)
    assert taught(path, relations)["!Manager"] == ("subordinate",)
    assert "job title" not in read_phrases(path, relations)


def test_a_list_over_several_lines_is_replaced_whole(path):
    text = path.read_text().replace('["Manager"]\n', '["Manager"]\ntaught = [\n  "boss",\n]\n')
    path.write_text(text)
    teach(path, "chief", "Manager", RELATIONS)
    assert taught(path, RELATIONS) == {"Manager": ("boss", "chief")}


@pytest.mark.parametrize(
    ("phrase", "relation", "said"),
    [
        ("boss", "mangr", r"'mangr', which the knowledge base does not have; the nearest are 'Man"),
        ("boss", "job_title", r"the nearest are 'job title', 'job_title '"),
        ("boss", "xyz", r"some of those that it has: 'Manager', 'job title'"),
        ("who is", "Manager", r"'who is', which holds no word that tells anything"),
        ("b(o", "Manager", r"the phrase 'b\(o' will not do: taught of \[Manager\] has"),
        ("{it} and {it}'s boss", "Manager", r"expected \{it\} once"),
        ("Begun", "Manager", r"'Begun' is taught for 'started_on' already"),
    ],
)
def test_what_will_not_do_is_told_and_changes_nothing(path, phrase, relation, said):
    teach(path, "begun", "started_on", RELATIONS)
    before = path.read_text()
    with pytest.raises(ValueError, match=said):
        teach(path, phrase, relation, RELATIONS)
    assert path.read_text() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_missing_file_teaches_nothing(tmp_path):
    assert taught(tmp_path / "none.toml", RELATIONS) == {}
    assert relation_named("!started on", RELATIONS) == "!started_on"


def test_each_relation_keeps_what_it_is_taught_and_a_file_may_lack_its_last_newline(path):
    teach(path, "begun", "started_on", RELATIONS)
    teach(path, "boss", "Manager", RELATIONS)
    assert taught(path, RELATIONS) == {"Manager": ("boss",), "started_on": ("begun",)}
    for text in ("[Manager]", '[started_on]\nlearn = ["{it} began"]'):
        path.write_text(text)
        teach(path, "boss", "Manager", RELATIONS)
        assert taught(path, RELATIONS) == {"Manager": ("boss",)}
