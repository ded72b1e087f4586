"""Which relations a word or a phrase of a question says.

A knowledge base may have thousands, and questions are put in few words: what each says is kept.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from operator import itemgetter

from memnets.kb.index.keeping import make_room
from memnets.kb.programs.forms import BASES, same_stem, singulars
from memnets.kb.programs.lexicon import ASKED, QUALIFIED, QUALIFYING, SAID
from memnets.kb.programs.wordings import Rule, is_about, likeness, meant, misspelt, rules, spelt
from memnets.kb.questions.english import PREPOSITIONS, WEEKDAY, numbers, relation_words
from memnets.kb.values.columns import Columns
from memnets.kb.values.typed import unit_of

HINTS = (
    *(("where",), ("when",)),
    *((word, "place") for word in ("which", "what")),
    *(("in", word, "place") for word in ("which", "what")),
)
"""Phrases that only say what the answer is like."""
SPELT = 0.7
"""How surely a word is another one of nearly its spelling."""
ASKS = 0.55
"""How surely "how long" says a relation: less than "battery" does."""


class Options(tuple[tuple[str, float], ...]):
    """Relations that something may say, and how surely; the surest first.

    A word may say a thousand, of which few matter to a question: no question goes over all.
    """

    @cached_property
    def weights(self) -> dict[str, float]:
        """How surely, by relation."""
        return dict(self)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.weights)}

    @cached_property
    def _even(self) -> bool:
        return len({*self.weights.values()}) < 2

    @property
    def best(self) -> int:
        """How many are said as surely as the first."""
        return len(self) if self._even else sum(weight == self[0][1] for _, weight in self)

    @property
    def surely(self) -> "Options":
        """Those that are said for certain; all where none is."""
        if self._even or self[0][1] < 1:
            return self
        return Options(one for one in self if one[1] == 1)

    def preferring(self, names: Iterable[str]) -> "Options":
        """Return the same, some of them before others that are said as surely."""
        first = sorted(place for name in names if (place := self._places.get(name)) is not None)
        between = (self[one + 1 : other] for one, other in pairwise([-1, *first, len(self)]))
        found = Options(chain((self[place] for place in first), *between))
        if not self._even:
            found = Options(sorted(found, key=itemgetter(1), reverse=True))
        found.weights, found._even = self.weights, self._even
        return found


NO_OPTIONS = Options()


class Sayings:
    """What words and phrases say of the relations of a knowledge base.

    Args:
        columns: its typed relations.
        plain: words that are never a misspelling of a relation's.
    """

    def __init__(self, columns: Columns, plain: Collection[str]) -> None:
        self.relations: Mapping[str, tuple[str, ...]] = {
            name: tuple(relation_words(name)) for name in columns.relations
        }
        self._columns, self._plain = columns, plain
        self._words: dict[str, Options] = {}
        self._phrases: dict[tuple[str, ...], Options] = {}
        self._about: dict[str, frozenset[str]] = {}
        self._beginning: dict[str, set[str]] = {}
        self._having: dict[str, set[str]] = {}
        self._whole: dict[tuple[str, ...], Options] = {}
        for name, parts in self.relations.items():
            # "Split up" is the whole of "split up in".
            whole = parts[:-1] if parts[-1] in PREPOSITIONS else parts
            if len(whole) > 1:
                self._whole[whole] = Options((*self._whole.get(whole, ()), (name, 1.0)))
            for part in parts:
                self._having.setdefault(part, set()).add(name)
            for part in (*parts, "".join(parts)):
                self._beginning.setdefault(BASES.get(part, part)[:2], set()).add(part)

    def calls(self, word: str) -> bool:
        """Whether a relation is called by a word."""
        start = BASES.get(word, word)[:2]
        alike = any(same_stem(word, part) for part in self._beginning.get(start, ()))
        return alike and any(weight == 1 for _, weight in self.of_word(word)[:1])

    def names(self, word: str) -> bool:
        """Whether a word is one of a relation's name, or its plural or singular; or who acts."""
        if word.endswith(("ers", "ors")) and self.calls(word):
            return True
        return any(form in self._having for form in (word, *singulars(word)))

    def numbers(self, word: str) -> bool:
        """Whether a word is the whole name of a relation of bare numbers: "floor"."""
        called = (name for name, parts in self.relations.items() if parts == (word,))
        columns = map(self._columns.of, called)
        return any(one.kind == "number" and not one.unit for one in columns)

    def having(self, words: Iterable[str]) -> set[str]:
        """Return the relations whose names have all of some words."""
        return set.intersection(*(self._having.get(word, set()) for word in words))

    def about(self, word: str) -> frozenset[str]:
        """Return the relations, called by a compound, of which a word is only what it is about."""
        if word not in self._about:
            make_room(self._about)
            names = (name for name, parts in self.relations.items() if is_about(word, parts))
            self._about[word] = frozenset(names)
        return self._about[word]

    def of_word(self, word: str) -> Options:
        """Return the relations that a word says, or is a misspelling of."""
        if word not in self._words:
            make_room(self._words)
            self._words[word] = self._of_word(word)
        return self._words[word]

    def of_name(self, words: tuple[str, ...]) -> Options:
        """Return the relations whose whole names are several words: "goals this season"."""
        forms = ((*words[:-1], one) for one in (words[-1], *singulars(words[-1])))
        found = next((self._whole[form] for form in forms if form in self._whole), NO_OPTIONS)
        return found or self._nearly_named(words)

    def _nearly_named(self, words: tuple[str, ...]) -> Options:
        """Return the relations of which one word is said, and the others misspelt: "unit prce"."""
        if len(words) < 2 or all(word in self._plain for word in words):
            return NO_OPTIONS
        same = self._of_length.get(len(words), ())
        found = [name for name, parts in same if _is_nearly(words, parts, self._plain)]
        return Options((name, 1.0) for name in found) if len(found) == 1 else NO_OPTIONS

    @cached_property
    def _of_length(self) -> dict[int, list[tuple[str, tuple[str, ...]]]]:
        """The whole names of relations by how many words they have."""
        found: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
        for parts, options in self._whole.items():
            found.setdefault(len(parts), []).append((options[0][0], parts))
        return found

    def _of_word(self, word: str) -> Options:
        found = [(name, likeness(word, parts)) for name, parts in self.relations.items()]
        found = [one for one in found if one[1]]
        if any(self.relations[name] == (word,) for name, _ in found):
            # "Position" is a relation of its own, and a "league position" another one.
            others = {n for n, w in found if self._is_compound(n)}
            found = [(n, min(w, SAID) if n in others else w) for n, w in found]
        if not found and len(word) > 1 and word not in self._plain:  # "OS" of `operating_system`
            names = self.relations.items()
            found = [(n, 1.0) for n, parts in names if word == "".join(part[0] for part in parts)]
        if not found and word not in self._plain:
            found = [(name, misspelt(word, parts)) for name, parts in self.relations.items()]
            found = [one for one in found if one[1]]
            if not found and (right := spelt(word)):
                return Options((name, SPELT * weight) for name, weight in self.of_word(right))
        best = max((weight for _, weight in found), default=0.0)
        kinds = {self._sort(name) for name, weight in found if weight == best}
        # "Born" is in the name of `born_in`, and asks for a date of birth too.
        less = [n for n, weight in found if weight < best and {self._sort(n)} != kinds]
        kept = [one for one in found if one[1] == best or (best == 1 and one[0] in less)]
        return Options(sorted(kept, key=lambda one: -one[1]))

    def _is_compound(self, relation: str) -> bool:
        parts = self.relations[relation]
        return len(parts) > 1 and PREPOSITIONS.isdisjoint(parts)

    def of_phrase(self, phrase: tuple[str, ...]) -> Options:
        """Return the relations that a phrase of general English asks for."""
        if not rules(phrase):
            return NO_OPTIONS
        if phrase not in self._phrases:
            make_room(self._phrases)
            self._phrases[phrase] = self._called(phrase) or self._by_rule(phrase)
        return self._phrases[phrase]

    @cached_property
    def counted(self) -> frozenset[str]:
        """The nouns of relations to numbers that have no unit: "stars"."""
        counts = (one for one in self._columns if one.kind == "number" and not one.unit)
        last = (self.relations[one.relation][-1] for one in counts)
        return frozenset(chain.from_iterable(map(numbers, last)))

    def of_unit(self, words: Sequence[str]) -> Options:
        """Return the relations of a unit: of "kilos" or "square metres"."""
        unit = unit_of(" ".join(words))
        return Options((one.relation, SAID) for one in self._columns if unit and one.unit == unit)

    def _called(self, phrase: tuple[str, ...]) -> Options:
        """Return the relations of several words that are called so: "come from" of `came_from`.

        Two words may stand the other way round: "allow pets" of `pets_allowed`.
        """
        return Options(
            (name, 1.0)
            for name, parts in self.relations.items()
            if len(parts) == len(phrase) > 1 and _are_called(phrase, parts)
        )

    def _by_rule(self, phrase: tuple[str, ...]) -> Options:
        surely = ASKED if phrase in HINTS else ASKS if phrase[0] == "how" else SAID
        found = dict.fromkeys(name for rule in rules(phrase) for name in self._asked_by(rule))
        qualifying = frozenset[str]().union(*(rule.of for rule in rules(phrase))) & QUALIFYING
        if phrase[-1] in ("days", "weekdays"):  # not whom it is run by
            found = {name: None for name in found if self.relations[name][-1] != "by"}
            found = dict.fromkeys(self._of_weekdays) or found
        weights = (
            (name, surely * self._by_noun(name, qualifying))
            for name in self.relations
            if name in found
        )
        return Options(sorted(weights, key=lambda one: -one[1]))

    @cached_property
    def _of_weekdays(self) -> list[str]:
        """The relations whose objects are days of the week, whatever they are called."""
        texts = {n: self._columns.texts(n) for n in self.relations if self._sort(n) == "name"}
        return [n for n, some in texts.items() if some and all(map(WEEKDAY.match, some))]

    def _by_noun(self, name: str, qualifying: Collection[str]) -> float:
        """Return how surely a phrase says a relation by its noun alone: `previous_tenants`."""
        parts = self.relations[name]
        qualified = len(parts) > 1 and parts[0] in QUALIFYING and parts[0] not in qualifying
        return QUALIFIED if qualified else 1.0

    def _asked_by(self, rule: Rule) -> list[str]:
        fit = {name: parts for name, parts in self.relations.items() if self._fits(rule.kind, name)}
        asked = [name for name, parts in fit.items() if meant(rule.of, parts)]
        if all(self.relations[name][0] in QUALIFYING for name in asked):
            asked += [name for name, parts in fit.items() if meant(rule.otherwise, parts)]
        return asked

    def _fits(self, kind: str, relation: str) -> bool:
        """Whether the objects of a relation are of a kind: a name is no number and no date."""
        of = self._columns.of(relation).kind
        return not kind or of == kind or (kind == "name" and of in ("link", "text"))

    def _sort(self, relation: str) -> str:
        """Return whether a relation gives dates, numbers or names."""
        kind = self._columns.of(relation).kind
        return kind if kind in ("date", "number") else "name"


def _is_nearly(words: Sequence[str], parts: Sequence[str], plain: Collection[str]) -> bool:
    """Whether words are a name of as many, at least one of them as it is spelt."""
    pairs = list(zip(words, parts, strict=True))
    spelt = sum(one == other for one, other in pairs)
    return 0 < spelt < len(pairs) and all(
        one == other or (one not in plain and misspelt(one, (other,)) > 0) for one, other in pairs
    )


def _are_called(phrase: Sequence[str], parts: Sequence[str]) -> bool:
    turned = phrase[::-1] if len(phrase) == 2 and PREPOSITIONS.isdisjoint(phrase) else phrase
    return any(all(map(same_stem, said, parts)) for said in (phrase, turned))
