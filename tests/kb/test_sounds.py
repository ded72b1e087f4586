"""Keys of what sounds the same."""

import pytest

from memnets.kb.linking.sounds import SHORTEST, consonants, nearly_alike, sound, sound_alike

ALIKE = """speek/speak fone/phone zefyr/zephyr warf/wharf deap/deep leeding/leading rote/wrote
crain/crane tipe/type traned/trained oshen/ocean parott/parrot coldharber/coldharbour nite/night
flier/flyer adress/address kristina/christina center/centre beatris/beatriz tomas/thomas
shmidt/schmidt rume/room rosy/rosie fux/fuchs zigmunt/zygmund marks/marx sushy/sushi nock/knock
salm/psalm nome/gnome ate/eight though/thow brij/bridge conker/conquer zenon/xenon nown/known
lam/lamb wen/when ritten/written"""
VOWELS = "renay/renee edmond/edmund gray/grey swop/swap meny/many mayer/meyer hale/hall tim/time"
APART = "quintao/quintano bring/brink side/site made/mat ada/ida wanda/vanda then/den"


@pytest.mark.parametrize("pair", ALIKE.split())
def test_words_that_sound_the_same_share_their_key(pair):
    one, other = pair.split("/")
    assert sound(one) == sound(other)
    assert sound_alike(one, other)
    assert nearly_alike(one, other)


@pytest.mark.parametrize("pair", VOWELS.split())
def test_words_whose_vowels_differ_sound_nearly_alike(pair):
    one, other = pair.split("/")
    assert not sound_alike(one, other)
    assert nearly_alike(one, other)


@pytest.mark.parametrize("pair", APART.split())
def test_other_words_do_not(pair):
    assert not nearly_alike(*pair.split("/"))


def test_short_words_and_none_sound_like_nothing():
    assert not sound_alike("no", "no")
    assert not nearly_alike("to", "too")
    assert not nearly_alike("", "oo")
    assert sound_alike("own", "own")
    assert len("own") == SHORTEST
    assert sound("") == consonants("") == ""
    assert consonants("ocean") == "OSn"  # what it begins with is kept
    assert sound("żółć") == "żółć"
