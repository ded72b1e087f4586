"""A string-KB substitute: facts of a knowledge base, written as Reverb extracts them from text.

Reverb's own extractions are not to be had freely. Here entities are written by their names and
relations by phrases: for frequent relations such as people use, for others their own words. It
stands in for Reverb in form only, and its figures are never those of Reverb.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memnets.data.facts import Fact
from memnets.data.qa.reverb import Extraction

PHRASES: Mapping[str, tuple[str, ...]] = {
    "people.person.place_of_birth": ("was born in", "comes from", "grew up in"),
    "people.person.nationality": ("is a citizen of", "comes from the country"),
    "people.person.gender": ("is of the gender",),
    "people.person.profession": ("works as", "earns a living as"),
    "people.deceased_person.place_of_death": ("died in", "passed away in"),
    "people.deceased_person.cause_of_death": ("died of", "was killed by"),
    "location.location.containedby": ("is located in", "lies in", "is found in"),
    "location.location.contains": ("contains", "is home to"),
    "location.location.people_born_here": ("is the birthplace of", "saw the birth of"),
    "location.location.time_zone": ("keeps the time of",),
    "film.film.genre": ("is a kind of movie called",),
    "film.film.country": ("was filmed in", "is a movie from"),
    "film.film.language": ("is spoken in", "has dialogue in"),
    "film.film.directed_by": ("was directed by",),
    "film.film.written_by": ("was written by",),
    "film.director.film": ("directed",),
    "film.actor.film": ("starred in", "acted in"),
    "film.film_genre.films_in_this_genre": ("is the genre of the movie",),
    "music.album.genre": ("is an album of", "has the musical style"),
    "music.album.artist": ("was recorded by", "is an album by"),
    "music.album.release_type": ("was released as",),
    "music.artist.genre": ("plays", "makes music of the style"),
    "music.artist.album": ("released the album", "recorded"),
    "music.artist.label": ("is signed to", "records for"),
    "music.artist.origin": ("started out in",),
    "music.recording.artist": ("was sung by", "is performed by"),
    "music.genre.artists": ("is played by",),
    "book.written_work.author": ("was written by",),
    "book.author.works_written": ("wrote", "is the author of"),
    "book.written_work.subjects": ("is about", "deals with"),
    "common.topic.notable_types": ("is a", "is known as a"),
    "cvg.computer_videogame.developer": ("was developed by",),
    "cvg.computer_videogame.cvg_genre": ("is a game of the kind",),
    "baseball.baseball_player.position_s": ("plays the position",),
    "soccer.football_player.position_s": ("plays as",),
    "language.human_language.main_country": ("is spoken in",),
    "business.business_operation.industry": ("is in the business of",),
    "organization.organization.founders": ("was founded by",),
    "tv.tv_program.genre": ("is a show of the kind",),
}
"""What people say for a relation; written here, not extracted."""


class StringFact(NamedTuple):
    """A fact in strings, and which fact it was."""

    extraction: Extraction
    fact: int


def phrases(relation: str) -> tuple[str, ...]:
    """Return phrases for a relation: ``music.album.label`` is "has the label"."""
    own = relation.rsplit(".", 1)[-1].replace("_", " ").strip()
    return PHRASES.get(relation, (f"has the {own}", f"is known for the {own}"))


def in_strings(
    facts: Mapping[int, Fact] | Sequence[Fact], names: Mapping[str, str], seed: int
) -> Iterator[StringFact]:
    """Write facts as strings, one for each object; a phrase is drawn for each fact.

    An entity without a name cannot be written, and its facts are left out.
    """
    draw = random.Random(seed)
    numbered = facts.items() if isinstance(facts, Mapping) else enumerate(facts)
    for number, fact in numbered:
        phrase = draw.choice(phrases(fact.relation))
        for entity in fact.objects:
            if fact.subject in names and entity in names:
                yield StringFact(Extraction(names[fact.subject], phrase, names[entity]), number)
