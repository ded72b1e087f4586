"""Which of the relations are said that the words of a question may say, beside what is named."""

from collections.abc import Collection, Iterator
from itertools import combinations

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked, RelationFinder
from memnets.kb.programs.forms import same_stem, singulars
from memnets.kb.programs.idle import POSTURES
from memnets.kb.programs.kinds import Kinds
from memnets.kb.programs.lexicon import DEGREES, GENERIC, QUALIFIED, SAID, is_done_to
from memnets.kb.programs.saying import Options, Sayings
from memnets.kb.programs.wordings import LITTLE, says
from memnets.kb.questions.english import PREPOSITIONS
from memnets.kb.values.columns import Columns
from memnets.kb.values.typed import Kind

_EARLIER = frozenset({"previous", "former", "past", "earlier", "old"})
FORMERLY = _EARLIER - {"old"} | {"formerly", "previously"}
"""They ask for what was so before."""
_BOTH = frozenset({"both", "either", "neither"})


class RelationsSaid:
    """Leaves out what words only seem to say.

    Args:
        finder: of what they may say.
        sayings: what words say of the relations.
        kinds: of the rows.
        columns: the typed relations.
        plain: words that say nothing alone.
    """

    def __init__(
        self,
        finder: RelationFinder,
        sayings: Sayings,
        kinds: Kinds,
        columns: Columns,
        plain: Collection[str],
    ) -> None:
        self._finder, self._sayings, self._kinds = finder, sayings, kinds
        self._columns, self._plain = columns, plain
        self._relations = sayings.relations

    def found(
        self,
        words: list[str],
        linked: list[Argument],
        said: frozenset[int],
        heads: frozenset[int],
    ) -> list[Asked]:
        """Return where relations are said, beside what is named."""
        known = frozenset[str]().union(*(one.into | one.out_of for one in linked))
        named = {n for a in linked if a.names and not a.value for n in range(a.begin, a.end)}
        found = self._finder.found(words, said, named)
        alone = not any(one.out_of for one in linked)
        found = [
            one
            for one in found
            if not (
                self._only_counts(one, found, words, known)
                or (alone and self._counts_kind(one, words))
                or self._is_modified(one, words)
            )
        ]
        asked = [one._replace(options=one.options.preferring(known)) for one in found]
        if not FORMERLY.isdisjoint(words):
            asked = [one._replace(options=self._formerly(one.options)) for one in asked]
        nouns = heads.union(one.begin for one in linked if one.plural)
        ends = {one.end for one in linked if one.out_of and min(nouns, default=one.end) < one.begin}
        asked = [one for each in asked for one in self._no_verb(each, words, heads, ends)]
        named_ = [one for one in linked if not one.value]
        does = {"do", "does", "did"}.isdisjoint(words)
        beside = {place for one in named_ for place in (one.begin - 1, one.end) if does} | heads
        beside -= {one.end for one in linked if one.value}  # "more than two clubs"
        return [one for each in asked for one in self._no_part(each, words, beside)]

    def _only_counts(
        self, one: Asked, found: list[Asked], words: list[str], known: Collection[str]
    ) -> bool:
        """Whether people are counted of whom a relation is said: "how many people live in Rome".

        No `population` is asked for where a relation leads to what is named.
        """
        if words[one.begin : one.end] not in (["how", "many", "people"], ["how", "many", "folk"]):
            return False
        links = (a.options[0] for a in found if a is not one and not a.hints)
        return any(n in known and w == 1 and self._kind(n) == "link" for n, w in links)

    def _counts_kind(self, one: Asked, words: list[str]) -> bool:
        """Whether things of a kind are counted: "in how many matches did it snow"."""
        counts = words[one.begin : one.begin + 2] == ["how", "many"] and one.end == one.begin + 3
        return counts and one.options[0][1] < 1 and self._kinds.of(words[one.end - 1]) is not None

    def _is_modified(self, one: Asked, words: list[str]) -> bool:
        """Whether a word before a general noun says what no relation tells: "phone number"."""
        if one.end > one.begin + 1 or words[one.begin] not in GENERIC or not one.begin:
            return False
        before = words[one.begin - 1]
        told = self._sayings.of_word(before)
        if told and told[0][1] == 1:  # "phone number" is no membership number where there are both
            return told.weights.keys().isdisjoint(one.options.weights)
        return not told and before not in self._plain and says(before)

    def _formerly(self, options: Options) -> Options:
        """Return what is said of earlier times: `former_use` before `use`, where there is one."""
        first = {name: weight for name, weight in options if self._relations[name][0] in _EARLIER}
        if not first:
            return options
        best = options[0][1]
        rest = ((name, QUALIFIED * weight) for name, weight in options if name not in first)
        return Options((*((name, best) for name in first), *rest))

    def _no_verb(
        self, asked: Asked, words: list[str], heads: Collection[int], ends: Collection[int]
    ) -> Iterator[Asked]:
        """Yield what a noun says: "which films" says nothing of `filmed_in`.

        But behind a name, and where another noun is asked for, it is a verb: "events Ada leads".
        """
        options = asked.options
        if (
            asked.begin not in ends
            and asked.end - 1 in heads
            and {"do", "does", "did"}.isdisjoint(words[: asked.begin])
        ):
            word = words[asked.end - 1]
            options = Options(o for o in options if not is_done_to(word, self._relations[o[0]]))
            forms = {word, *singulars(word)}
            acts = word.removesuffix("s").endswith(("er", "or"))  # "players" of `plays_for`
            if not acts and self._kinds.relation(word) and options[:1] and options[0][1] == 1:
                # "Which trains" says nothing of `trained_by`.
                options = Options(o for o in options if forms.intersection(self._relations[o[0]]))
        if options:
            yield asked._replace(options=options)

    def _no_part(self, asked: Asked, words: list[str], nouns: Collection[int]) -> Iterator[Asked]:
        """Yield what is no kind of things: "which stations" says nothing of `station_master`."""
        options = asked.options
        if asked.begin + 1 == asked.end and asked.begin in nouns:
            about = self._sayings.about(words[asked.begin])
            options = Options(one for one in options if one[0] not in about)
        if options:
            yield asked._replace(options=options)

    def settled(self, asked: list[Asked], linked: list[Argument], words: list[str]) -> list[Asked]:
        """Return what is said, where other words, or what is named behind it, leave no choice."""
        return [self._leading_to(one, linked, words) for one in self._agreeing(asked, words)]

    def _agreeing(self, asked: list[Asked], words: list[str]) -> list[Asked]:
        """Return what is said, where two words that are parts of one name say that alone."""
        found = [*asked]
        for n, m in combinations(range(len(asked)), 2):
            one, other = asked[n], asked[m]
            if one.hints or other.hints:
                continue
            surely = one.options.surely.weights.keys() & other.options.surely.weights.keys()
            for relation in sorted(surely):
                name = [part for part in self._relations[relation] if part not in LITTLE]
                parts = (
                    {part for part in name for word in said if same_stem(word, part)}
                    for said in (words[a.begin : a.end] for a in (one, other))
                )
                if all(sets := [*parts]) and sets[0].isdisjoint(sets[1]):
                    alone = Options([(relation, 1.0)])
                    found[n] = one._replace(options=alone, parted=True)
                    found[m] = other._replace(options=alone, parted=True)
        return found

    def _leading_to(self, asked: Asked, linked: list[Argument], words: list[str]) -> Asked:
        """Return what a word says of the name behind it, by a relation that leads there.

        "Taught in Latin" is of `language_of_teaching` and not of `taught_by`; "live in Old Shed" is
        of `shed`, where nobody lives in one.
        """
        for one in linked:
            between = words[asked.end : one.begin] if asked.end <= one.begin else ["?"]
            if asked.hints or not one.into or not {*between} <= PREPOSITIONS | {"the"} | _BOTH:
                continue
            said = words[asked.begin : asked.end]
            if not (one.into | one.out_of).isdisjoint(asked.options.weights):
                continue
            if said[0] in POSTURES and {*said[1:], *between} & PREPOSITIONS:
                return asked._replace(options=Options((name, SAID) for name in sorted(one.into)))
            told = not one.out_of and not one.value and not {*between} - _BOTH
            told = told and said[-1] not in PREPOSITIONS
            if told and asked.begin and all(map(self._is_of_place, asked.options.surely.weights)):
                meant = one.into & self._sayings.of_phrase(tuple(said)).weights.keys()
                names = sorted(meant or one.into)
                return asked._replace(options=Options((name, SAID) for name in names))
            alike = [
                name
                for name in sorted(one.into)
                if any(same_stem(said[0], part) for part in self._relations[name])
            ]
            if alike and between and not one.out_of:
                return asked._replace(options=Options((name, 1.0) for name in alike))
        return asked

    def told(self, asked: list[Asked], words: list[str], dated: bool) -> Iterator[Asked]:
        """Yield what is said, but for prepositions that belong to what is said already."""
        if not (dated or any(one.hints for one in asked)):  # nothing says what the answer is like
            asked = [
                one
                if self._finder.is_no_one(one.options, words[: one.begin])
                else one._replace(options=self._surely(one.options, words))
                for one in asked
            ]
        surely = [one for one in asked if one.options[0][1] == 1]
        for one in asked:
            little = {*words[one.begin : one.end]}
            if little <= LITTLE:
                said = self._sayings.having(little)
                if any(name in other.options.weights for other in surely for name in said):
                    continue
            yield one

    def _surely(self, options: Options, words: list[str]) -> Options:
        """Return what is said for certain; and dates, where the first or the last is asked for."""
        if not any("date" in DEGREES[word].hints.split() for word in words if word in DEGREES):
            return options.surely
        sure = options.surely.weights
        return Options(one for one in options if one[0] in sure or self._kind(one[0]) == "date")

    def _is_of_place(self, relation: str) -> bool:
        """Whether a relation is a verb and a preposition: `teaches_in` is not what one teaches."""
        parts = self._relations[relation]
        verb = parts[0].endswith("s") and not parts[0].endswith("ss")
        return len(parts) == 2 and verb and parts[1] in PREPOSITIONS

    def _kind(self, relation: str) -> Kind:
        """Return what the objects of a relation are."""
        return self._columns.of(relation).kind
