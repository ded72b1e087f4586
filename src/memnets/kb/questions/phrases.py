"""How the relations of a KB may be asked after: templates filled in.

A phrase is a question with `{it}` where the entity goes: "(who|what) directed {it}". A bar parts
what may stand in its place, and `{kind}` is a general noun such as "film" or "person".
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from memnets.kb.questions import english
from memnets.kb.store.layouts import REVERSED

IT = "{it}"
"""Stands for the entity that a question names."""
SIDES = ("learn", "tune", "test")
"""What phrases are for: to be learnt, to set when to decline, to be tested with."""
HELD_OUT = 5
"""Of so many templates one is for tuning and one for testing."""
EITHER = re.compile(r"\(([^()]*)\)")
"""What may stand in its place, parted by bars; the innermost of several."""

_TIME = re.compile(r"\d{3,4}|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|.*\b[12]\d{3}|\d+ ?(bc|ad)", re.I)
_NUMBER = re.compile(r"[-+]?[\d.,]+( ?\S{1,4})?")


class Phrases(NamedTuple):
    """The ways of asking after one relation in one direction, by what they are for."""

    learn: tuple[str, ...] = ()
    tune: tuple[str, ...] = ()
    test: tuple[str, ...] = ()

    def all_learnt(self) -> "Phrases":
        """Return the same with nothing held out: those that are not for learning are learnt too."""
        others = (*self.tune, *self.test)
        return Phrases(tuple(dict.fromkeys((*self.learn, *others))), others)


class RelationForm(NamedTuple):
    """What the name of a relation may mean: the form of its name, and its words to fill in."""

    form: str
    words: Mapping[str, str]
    swapped: bool = False
    """Whether the subject is to the object what the form says of the object."""


@cache
def templates() -> dict[str, Any]:
    """Return the templates that come with the package."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("templates.toml").read_text("utf-8"))


def ways_of_asking(relations: Mapping[str, Sequence[str]], seed: int = 0) -> dict[str, Phrases]:
    """Return phrases for each relation, forwards and, with a "!" before its name, backwards.

    A template is for the same side in every relation, so that what is tested was never learnt with
    another relation either.

    Args:
        relations: for each, some of its objects: years are asked for by "when".
        seed: decides which templates are held out.
    """
    held_out = _deal(seed)
    found = {}
    for relation, objects in relations.items():
        for name, side in ((relation, "object"), (REVERSED + relation, "subject")):
            found[name] = _filled(relation, side, objects, held_out)
    return found


def _deal(seed: int) -> dict[str, str]:
    """Return the side of every template."""
    sides = {}
    for form, asked in templates()["forms"].items():
        for asks_for, phrases in asked.items():
            order = list(phrases)
            random.Random(f"{seed} {form} {asks_for}").shuffle(order)
            each = max(1, len(order) // HELD_OUT)
            for place, template in enumerate(order):
                sides[template] = SIDES[1 + place // each] if place < 2 * each else "learn"
    return sides


def _filled(
    relation: str, asks_for: str, objects: Sequence[str], held_out: Mapping[str, str]
) -> Phrases:
    kind = kind_of(objects)
    asks = templates()["asks"][kind]
    sides: dict[str, dict[str, None]] = {side: {} for side in SIDES}
    for reading in readings(relation, kind):
        opposite = {"object": "subject", "subject": "object"}
        wanted = opposite[asks_for] if reading.swapped else asks_for
        for template in templates()["forms"][reading.form][wanted]:
            phrase = _fill(template, {**asks, **reading.words})
            sides[held_out[template]][phrase] = None
    learnt = sides["learn"]
    return Phrases(*(tuple(p for p in sides[s] if s == "learn" or p not in learnt) for s in SIDES))


def _fill(template: str, words: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), template)


def kind_of(objects: Sequence[str]) -> str:
    """Return "time", "number" or "name": what most of some objects are."""
    for kind, pattern in (("time", _TIME), ("number", _NUMBER)):
        if sum(pattern.fullmatch(item.strip()) is not None for item in objects) > len(objects) / 2:
            return kind
    return "name"


def readings(relation: str, kind: str) -> list[RelationForm]:
    """Return what the name of a relation may mean; several things, where its form leaves it open.

    Args:
        relation: its name.
        kind: what its objects are.
    """
    words = english.relation_words(relation)
    owned = words[:1] == ["has"]
    while len(words) > 1 and words[0] in english.AUXILIARIES:
        words = words[1:]
    if len(words) > 1 and words[0] in english.PREPOSITIONS:
        words = words[1:]
    if not words:
        return []
    if len(words) > 1 and words[-1] in english.PREPOSITIONS:
        return _with_preposition(words[:-1], words[-1])
    first, *rest = words
    did_so = _participle(first)
    if did_so and not rest:
        return [RelationForm("active", _verb(did_so))]
    found = [RelationForm("noun", {"noun": _nouns(words)})]
    if done := _done_by(words[-1]):
        found.append(RelationForm("agent", done))
    elif not rest and not owned and re.search(r"[^s]s$", first):
        found.append(RelationForm("active", _of_base(english.base_of_third(first))))
    if did_so and rest:
        noun = {"noun": _nouns(rest)}
        found += [RelationForm("noun", noun), RelationForm("cast", {**_verb(did_so), **noun})]
    events = templates()["events"]
    happened = next((events[word] for word in words if word in events), None)
    if happened and kind == "time":
        found.append(RelationForm("event", _verb(happened)))
    return found


def _with_preposition(words: list[str], preposition: str) -> list[RelationForm]:
    done = _participle(words[0])
    if done and preposition == "by":
        return [RelationForm("passive", _verb(" ".join([done, *words[1:]])))]
    if done:
        verb = {**_verb(" ".join([done, *words[1:]])), "prep": preposition}
        noun = templates()["nouns"].get(f"{done} {preposition}")
        named = [RelationForm("noun", {"noun": noun})] if noun else []
        return [RelationForm("participle", verb), *named]
    if preposition == "of":
        return [RelationForm("noun", {"noun": _nouns(words)}, swapped=True)]
    if re.search(r"[^s]s$", words[0]):
        base = " ".join([english.base_of_third(words[0]), *words[1:]])
        return [RelationForm("verb", {**_of_base(base), "prep": preposition})]
    return [RelationForm("noun", {"noun": _nouns(words)})]


def _done_by(noun: str) -> dict[str, str] | None:
    """Return the forms of what a "manager" or "owners" do; None of a noun that is no such one."""
    agents = templates()["agents"]
    base = next((agents[one] for one in english.numbers(noun) if one in agents), None)
    if base is None:
        return None
    irregular = templates()["irregular"]
    done = (participle for participle, (of_one, _, _) in irregular.items() if of_one == base)
    participle = next(done, None)
    return _verb(participle) if participle else _of_base(base)


def _participle(word: str) -> str | None:
    """Return the participle of a word that is one, or a past tense."""
    irregular = templates()["irregular"]
    of_past = {did: participle for participle, (_, did, _) in irregular.items()}
    participle = word if word in irregular else of_past.get(word, word)
    return participle if english.verb(participle, irregular) else None


def _verb(participle: str) -> dict[str, str]:
    """Return the forms of a participle's verb, each beside those of the verbs used for it."""
    first, _, rest = participle.partition(" ")
    others = templates()["synonym_verbs"].get(participle, [])
    verbs = [english.verb(one, templates()["irregular"]) for one in (first, *others)]
    forms = [verb for verb in verbs if verb]
    found = {
        name: _either(f"{getattr(form, name)} {rest}".strip() for form in forms)
        for name in english.Verb._fields
    }
    agent = forms[0].agent
    return {**found, "agent": _either([agent, *english.SYNONYMS.get(agent, ())])}


def _of_base(base: str) -> dict[str, str]:
    first, _, rest = base.partition(" ")
    forms = english.of_base(first)
    return {name: f"{form} {rest}".strip() for name, form in forms._asdict().items()}


def _nouns(words: Sequence[str]) -> str:
    """Return a noun in both numbers, or with its synonyms."""
    *before, noun = words
    both = [" ".join([*before, one]) for one in english.numbers(noun)]
    others = [other for one in english.numbers(noun) for other in english.SYNONYMS.get(one, ())]
    return _either([*both, *others])


def _either(words: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(words))
    return f"({'|'.join(distinct)})" if len(distinct) > 1 else distinct[0]


def realise(phrase: str, dice: random.Random) -> str:
    """Choose among what may stand in a phrase; `{it}` is left."""
    while found := EITHER.search(phrase):
        phrase = phrase[: found.start()] + dice.choice(found[1].split("|")) + phrase[found.end() :]
    while "{kind}" in phrase:
        phrase = phrase.replace("{kind}", dice.choice(english.KINDS), 1)
    return " ".join(phrase.split())
