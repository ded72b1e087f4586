"""Words that mean nearly the same, by WordNet's files and by vectors."""

import pytest

from memnets.kb.questions.relations import RelationScorer
from memnets.kb.questions.synonyms import KIND_OF, SYNONYM, read_synonyms

HEAD = "  1 This is a licence of two spaces.  \n"


@pytest.fixture
def wordnet(tmp_path):
    """Four synsets in the format of the database's files; wage and pay are of one."""
    synsets = [
        ("03", ["wage", "0", "pay", "0", "Salary", "0"], ["earnings"]),
        ("01", ["earnings", "0"], []),
        ("01", ["chief(p)", "0"], ["earnings", "wage"]),
    ]
    places: dict[str, int] = {}
    for _ in range(2):  # the second time it is known where each begins
        data = HEAD
        for count, words, above in synsets:
            places[words[0].partition("(")[0]] = len(data)
            pointers = "".join(f" @ {places.get(one, 0):08d} n 0000" for one in above)
            data += f"{places[words[0].partition('(')[0]]:08d} 21 n {count} {' '.join(words)} "
            data += f"{len(above):03d}{pointers} | a gloss | of it  \n"
    wage, earnings, chief = (f"{places[one]:08d}" for one in ("wage", "earnings", "chief"))
    index = HEAD + f"chief n 1 2 @ ~ 1 0 {chief}  \nearnings n 1 0 1 0 {earnings}  \n"
    index += f"pay n 2 1 @ 2 1 {wage} {chief}  \nwage n 1 1 @ 1 1 {wage}  \n"
    (tmp_path / "data.noun").write_text(data)
    (tmp_path / "index.noun").write_text(index)
    return tmp_path


def test_synonyms_and_what_a_word_is_a_kind_of(wordnet):
    synonyms = read_synonyms(wordnet)
    assert synonyms.near("wage", ["salary", "earnings"]) == SYNONYM
    assert synonyms.near("wage", ["earnings"]) == KIND_OF
    assert synonyms.near("pay", ["chief"]) == SYNONYM  # its second sense
    assert synonyms.near("chief", ["wage"]) == KIND_OF  # the second of two
    assert synonyms.near("earnings", ["wage"]) == 0
    assert synonyms.near("age", ["salary"]) == 0


def test_words_of_a_synset_are_counted_in_sixteens(tmp_path):
    words = [f"word{n}" for n in range(18)]
    data = f"00000000 21 n 12 {' '.join(f'{word} 0' for word in words)} 000 | a gloss  \n"
    (tmp_path / "data.noun").write_text(data)
    (tmp_path / "index.noun").write_text("word0 n 1 0 1 0 00000000  \n")
    assert read_synonyms(tmp_path).near("word0", ["word17"]) == SYNONYM


def test_a_synonym_asks_for_a_relation(wordnet):
    scorer = RelationScorer(["salary", "town"], synonyms=read_synonyms(wordnet))
    assert scorer.scores(["the", "wages", "of", ""]) == {"salary": {1: SYNONYM}}
    assert RelationScorer(["salary"]).scores(["wages"]) == {}


def test_vectors_of_nearly_one_direction(tmp_path):
    path = tmp_path / "glove.txt"
    path.write_text("wage 3 4 \nsalary 4 3\ntown -4 3\nbad 1\nodd x 2\n\u0142 0 0\nside 5 -2\n")
    synonyms = read_synonyms(path)
    assert synonyms.near("wage", ["salary", "town"]) == SYNONYM  # 0.96, and no more
    assert synonyms.near("wage", ["town"]) == 0
    assert synonyms.near("wage", ["side"]) == 0  # 0.26 is not near enough
    assert synonyms.near("wage", ["nothing"]) == synonyms.near("nothing", ["wage"]) == 0
    assert synonyms.vector("wage").tolist() == pytest.approx([0.6, 0.8])
    assert synonyms.vector("\u0142").tolist() == [0, 0]
    assert synonyms.vector("side").tolist() == pytest.approx([5 / 29**0.5, -2 / 29**0.5])
    for word, line in (("bad", 4), ("odd", 5)):
        with pytest.raises(ValueError, match=rf"glove.txt:{line}: came .* expected 2 numbers"):
            synonyms.near(word, ["wage"])


def test_what_is_missing_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="WordNet's files are not here; expected index"):
        read_synonyms(tmp_path)
    (tmp_path / "index.noun").touch()
    with pytest.raises(FileNotFoundError, match="WordNet's files are not here; expected index"):
        read_synonyms(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"glove\.txt: no such file. Name a file of word"):
        read_synonyms(tmp_path / "glove.txt")
    empty = tmp_path / "glove.txt"
    empty.touch()
    with pytest.raises(ValueError, match=r"glove\.txt: is empty; expected a word and its numbers"):
        read_synonyms(empty)


def test_what_holds_no_vectors_is_told_before_a_word_is_asked_for(tmp_path):
    path = tmp_path / "glove.txt"
    path.write_text("wage salary\ntown 1 2\n")
    with pytest.raises(ValueError, match=r"glove\.txt:1: came b'salary'; expected 1 numbers"):
        read_synonyms(path)
