"""Where the words of a question say relations: by names, by other words, by phrases.

What is found here `reading` sifts: by what is named beside it, and by what other words say.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.programs.associations import is_told
from memnets.kb.programs.forms import singulars, word_set
from memnets.kb.programs.heads import FOLLOWED_BY_PLURALS
from memnets.kb.programs.kinds import Kinds
from memnets.kb.programs.lexicon import ASKED, DEGREES, FILLING, NOT, SAID, SHORT
from memnets.kb.programs.operators import Having
from memnets.kb.programs.saying import HINTS, NO_OPTIONS, SPELT, Options, Sayings
from memnets.kb.programs.wordings import rules, with_a_letter
from memnets.kb.questions.english import PREPOSITIONS
from memnets.kb.values.columns import Columns
from memnets.kb.values.typed import Kind

DAYS = frozenset({"year", "day", "date"})
BEFORE_DAYS = frozenset({"in", "on", "at", "by", "since", "from", "until", "which", "what"})
"""What ends a phrase that asks for a time, such as "in which year", and what begins it."""
OF_AMOUNTS = (["most"], ["fewest"], ["least"], ["more"], ["fewer"], ["less"])
"""Behind them a unit says what is compared: "the most kilometres"."""
LONGEST_PHRASE = 5
"""Words of the longest phrase that asks for a relation."""
JOINING = frozenset({"its", "their", "his", "her", "hand", "to the"})
"""Between words that say one relation together: "took its stones from"."""
HOW_MANY = frozenset({"many", "of", "most", "more", "fewest", "fewer", "least"})
"""Before "people" they ask for their number."""
NAMED_BY = frozenset({"who", "whom", "where", "which", "did", "does"})
"""After them a relation is rather one to names: "did Ada win Stage 2" asks for no number."""
DONE = frozenset({"has", "have", "had", "do"})
TEACHING = word_set(
    "teach teaches taught train trains trained tell told tells help helped ask asked"
)
"""Behind them "to ride" is what for, and no relation."""
BEING = frozenset({"is", "are", "was", "were", "isn", "aren", "wasn"})
BEFORE_VERBS = frozenset({"that", "who", "whom", "did", "does", "will", "can", "could", "to"})
"""Before a noun they show that it is a verb: "the firm that sponsors it"."""
BUILDINGS = frozenset({"building", "buildings"})
BEFORE_NOUNS = frozenset({"which", "what", "whose", "the", "a", "any", "each", "every", "this"})
"""Before "building" they show that no verb is meant."""
_IS_NOT = BEING | NOT | {"t"}
_OF_WHICH = (["of"], ["that"], ["which"], ["where"], ["in"])
"""Behind a noun that is said of what is named: "the room where the Star Chart is"."""


class Asked(NamedTuple):
    """Where a question says a relation."""

    begin: int
    end: int
    options: Options
    """Relations that it may say, and how surely; the surest first."""
    hints: bool = False
    """Whether it is "where" or "when", and only says what the answer is like."""
    inverse: bool = False
    """Whether it names those that have the relation: "children" of `mother`."""
    sort: Having | None = None
    """The sort of rows that it names, which belong to what is named: "Ada's stall"."""
    own: frozenset[tuple[str, ...]] = frozenset()
    """The names of the relations that are the sort's own, as words: they are read backwards."""
    parted: bool = False
    """Whether other words say another part of its name: "where were its stones taken from"."""
    guessed: tuple[float, float] | None = None
    """How strongly the question brings the first to mind, and how much more than the second."""


class RelationFinder:
    """Finds where questions say relations of a knowledge base.

    Args:
        columns: its typed relations.
        sayings: what words say of them.
        kinds: what nouns say of kinds.
        plain: words that say no relation alone.
    """

    def __init__(
        self, columns: Columns, sayings: Sayings, kinds: Kinds, plain: Collection[str]
    ) -> None:
        self._columns, self._sayings, self.kinds, self._plain = columns, sayings, kinds, plain
        self.relations = sayings.relations

    def found(self, words: list[str], said: frozenset[int], named: Collection[int]) -> list[Asked]:
        """Return where relations are said, or where one may be that lost a letter.

        Args:
            words: of a question.
            said: places of names and values.
            named: those of names.
        """
        return [*self._asked(words, said, named)] or [*self._letter_lost(words, said)]

    def kind(self, relation: str) -> Kind:
        """Return what the objects of a relation are."""
        return self._columns.of(relation).kind

    def _asked(
        self, words: list[str], said: frozenset[int], named: Collection[int]
    ) -> Iterator[Asked]:
        """Yield where relations are said; words of one that stand together say it once."""
        last: Asked | None = None
        for one in self._phrases(words, said, named):
            between = words[last.end : one.begin] if last else []
            near = " ".join(between) in JOINING
            joined = last and (not between or between in (["of"], ["of", "the"]) or near)
            joined = joined and words[one.begin] not in DEGREES  # "height of the tallest"
            joined = joined and not (last and (last.sort or one.sort))
            apart = last and words[last.begin : last.end] != words[one.begin : one.end]
            if last and self._is_flag(last, one, between):  # "pets are not allowed"
                last = last._replace(end=one.end, options=_both(last.options, one.options))
                continue
            if last and joined and apart and not (last.hints or one.hints):
                both = _both(last.options, one.options)
                # "Date of birth" is said once, "manager of the mentor" is not.
                if both and (last.end == one.begin or both[0][1] == 1 or near):
                    last = last._replace(end=one.end, options=both)
                    continue
            if last:
                yield last
            last = one
        if last:
            yield last

    def _is_flag(self, one: Asked, other: Asked, between: list[str]) -> bool:
        """Whether a word says of what another names that it is so or not, by one relation."""
        both = _both(one.options, other.options)
        says = bool(both) and both[0][1] == 1 and self.kind(both[0][0]) == "yes or no"
        return says and between[:1] != [] and between[0] in BEING and _IS_NOT.issuperset(between)

    def _letter_lost(self, words: list[str], said: Collection[int]) -> Iterator[Asked]:
        """Yield what short words say that lost a letter, where nothing else does: "who mad it"."""
        for at, word in enumerate(words):
            if len(word) != SHORT - 1 or at in said or word in self._plain or is_told(word):
                continue
            for longer in with_a_letter(word):
                if options := self._sayings.of_word(longer):
                    yield Asked(at, at + 1, Options((n, SPELT * w) for n, w in options))
                    break

    def _phrases(
        self, words: list[str], said: frozenset[int], named: Collection[int]
    ) -> Iterator[Asked]:
        """Yield the words and the phrases that say a relation, none of which overlap."""
        at = 0
        while at < len(words):
            found = self._at(words, at, said, named)
            if found:
                yield found
            at = found.end if found else at + 1

    def _at(
        self, words: list[str], at: int, said: frozenset[int], named: Collection[int]
    ) -> Asked | None:
        if at in said or _commands(words, at) or _fills(words, at, said) or _adds(words, at, said):
            return None
        if self._is_building(words, at):
            return None
        if words[at - 1 : at] == ["to"] and at - 2 in named and not TEACHING.isdisjoint(words[:at]):
            return None  # "who taught Ada to ride"
        asks = 2 if words[at : at + 2] == ["how", "many"] else 0
        if asks or words[at - 1 : at] in OF_AMOUNTS:  # "how many square metres", "most metres"
            for end in range(min(at + asks + 2, len(words)), at + asks, -1):
                of_unit = self._sayings.of_unit(words[at + asks : end])
                if of_unit and said.isdisjoint(range(at + asks, end)):
                    return Asked(at, end, of_unit)
        for end in range(min(len(words), at + LONGEST_PHRASE), at, -1):
            if not said.isdisjoint(range(at, end)):
                continue
            phrase = tuple(words[at:end])
            if whole := self._sayings.of_name(phrase):
                return Asked(at, end, whole)
            sort = self.kinds.sorts.of(phrase[0]) if end == at + 1 else None
            sort = None if sort and self._is_measured(words, at) else sort
            if sort and word_before(words, at) not in BEFORE_VERBS:
                return self._of_sort(at, sort, words)
            options = self._surer(phrase, self._sayings.of_phrase(phrase))
            if phrase[-1] == "at" and words[end : end + 1] in (["least"], ["most"]):
                continue  # "speaks at least two languages"
            if phrase == ("under",) and end not in named:
                continue  # "what stands under salary for Ada"
            counted = word_before(words, at).isdigit() or self._sayings.of_word("places").surely
            if phrase == ("places",) and not counted:
                continue  # "how many places are in Lund" asks for no seats
            if len(phrase) == 2 and phrase[1] in PREPOSITIONS:  # "sell at" of `sells` is no price
                called = self._sayings.of_word(phrase[0])
                if called and called[0][1] == 1 and not {*called.weights} & {*options.weights}:
                    continue
            if options and self._holds_name(words, at, end):
                continue
            inverse = bool(options) and any(rule.inverse for rule in rules(phrase))
            owned = words[end : end + 1] in (["of"], ["by"]) or words[at - 1 : at] == ["'s"]
            owned = owned or (
                words[end : end + 1] in (["has"], ["have"], ["had"]) and end + 1 in named
            )
            owned = owned or ("have" in words[end:] and not {"does", "did"}.isdisjoint(words[end:]))
            if inverse and not owned:  # "children of", but "which books"
                options, inverse = NO_OPTIONS, False
            if end == at + 1:
                by_word = self._sayings.of_word(phrase[0])
                surely = by_word and by_word[0][1] == 1
                hop = words[end : end + 1] in _OF_WHICH or words[at - 1 : at] == ["'s"]
                hop = hop or (
                    words[at - 1 : at] in (["which"], ["what"]) and not singulars(phrase[0])
                )
                if hop and not surely:
                    by_word = _either(by_word, self._leading(phrase[0]))
                inverse = inverse and not by_word
                if not surely or (options and self.is_no_one(by_word, words[:at])):
                    options = _either(by_word, options)
                else:
                    options = by_word
            if words[at - 1 : end] in (["which", "day"], ["what", "day"]):  # is no number of days
                options = Options(one for one in options if self.kind(one[0]) != "number")
                if not options:
                    return Asked(at, end, self._sayings.of_phrase(("when",)), hints=True)
            if end == at + 1 and phrase[0] in self.kinds.rows:
                options = Options(one for one in options if self._is_of_row(phrase[0], one))
            if options:
                hints = phrase in HINTS or (phrase[-1] in DAYS and phrase[0] in BEFORE_DAYS)
                return Asked(at, end, options, hints, inverse)
        return None

    def _surer(self, phrase: tuple[str, ...], options: Options) -> Options:
        """Return those that the verb of a phrase names for certain: "is held" says `held_in`.

        None of "which shelf", where there is a `shelf`: the noun says that.
        """
        called = ((phrase[-1],), singulars(phrase[-1])[:1])
        asked = len(phrase) > 1 and phrase[-2] in INTERROGATIVES
        if asked and any(self.relations[name] in called for name, _ in options):
            return NO_OPTIONS
        noun = self._sayings.of_word(phrase[-1]) if asked and options else NO_OPTIONS
        if noun and options[0][1] < ASKED:  # "which university" is hardly `former_employer`
            return NO_OPTIONS
        if len(phrase) != 2 or phrase[0] not in BEING:
            return options
        named = self._sayings.of_word(phrase[1]).surely.weights
        surely = Options((name, 1.0) for name, _ in options if named.get(name) == 1)
        return surely or options

    def _of_sort(self, at: int, sort: Having, words: list[str]) -> Asked | None:
        """Return the relations by which a sort may belong to what is named; none where none may."""
        word = words[at]
        called = self._sayings.of_word(word).surely.weights
        whole = [name for name in called if self.relations[name] in ((word,), singulars(word)[:1])]
        if whole:
            return Asked(at, at + 1, Options((name, 1.0) for name in whole))
        led_to, own = self.kinds.sorts.roles(sort)
        found = {name: 1.0 if name in called and name in led_to else SAID for name in led_to | own}
        options = Options(sorted(found.items(), key=lambda one: (-one[1], one[0])))
        words_of = frozenset(self.relations[name] for name in own)
        return Asked(at, at + 1, options, sort=sort, own=words_of) if options else None

    def _is_building(self, words: list[str], at: int) -> bool:
        """Whether a building is meant, and nothing that is called so, or was built."""
        noun = words[at] == "buildings" or word_before(words, at) in BEFORE_NOUNS
        called = any(map(BUILDINGS.intersection, self.relations.values()))
        return words[at] in BUILDINGS and noun and not called

    def _is_measured(self, words: list[str], at: int) -> bool:
        """Whether it is the height, or the like, of what a word says: "has the highest tower"."""
        hints, forms = hints_beside(words, at, at + 1), {words[at], *singulars(words[at])}
        parts = (frozenset(parts) for parts in self.relations.values())
        return any(one & forms and one & hints for one in parts)

    def _is_of_row(self, noun: str, option: tuple[str, float]) -> bool:
        """Whether a noun for what rows are says a relation too: by its whole name alone."""
        relation, weight = self.relations[option[0]], option[1]
        return weight == 1 and relation in ((noun,), singulars(noun)[:1])

    def _holds_name(self, words: list[str], begin: int, end: int) -> bool:
        """Whether a relation's whole name begins within a phrase: "is on call for"."""
        spans = ((at, at + n) for at in range(begin, end) for n in (2, 3, 4))
        return any(
            self._sayings.of_name(tuple(words[low:high])) for low, high in spans if high > begin + 1
        )

    def is_no_one(self, options: Options, before: list[str]) -> bool:
        """Whether names are asked for, and a relation gives numbers or dates: "who launched it"."""
        helped = before == ["what"] or (before[:1] == ["what"] and before[1] in DONE)
        asked = helped or not NAMED_BY.isdisjoint(before)
        asked = asked and DEGREES.keys().isdisjoint(before)
        return asked and all(self.kind(name) in ("number", "date") for name, _ in options.surely)

    def _leading(self, word: str) -> Options:
        """Return the relations that lead to what a noun names: "the country of Rome"."""
        if word in self._plain:
            return NO_OPTIONS
        return Options((name, SAID) for name in self.kinds.leading(word))


def hints_beside(words: Sequence[str], begin: int, end: int) -> frozenset[str]:
    """Return what the words around some may compare: "highest" and "higher" heights."""
    beside = (*words[max(0, begin - 1) : begin], *words[end : end + 1])
    hints = (DEGREES[word].hints.split() for word in beside if word in DEGREES)
    return frozenset(chain.from_iterable(hints))


def word_before(words: list[str], at: int) -> str:
    """Return the word before a place; none at the beginning."""
    return words[at - 1] if at else ""


def _fills(words: list[str], at: int, said: Collection[int]) -> bool:
    """Whether "people" are whoever does something, and no number of them is asked for."""
    counted = words[at - 1 : at] and words[at - 1] in HOW_MANY
    return words[at] == "people" and not (counted or at - 1 in said)


def _adds(words: list[str], at: int, said: Collection[int]) -> bool:
    """Whether a word only stands beside another: "the nurse called Ada", "its own street"."""
    if words[at] == "own":
        return at > 0 and words[at - 1] in ("its", "his", "her", "their", "'s")
    return words[at] == "called" and at + 1 in said


def _commands(words: list[str], at: int) -> bool:
    """Whether a word only tells what to do: "please name the keeper" is not `named_after`."""
    told = words[at] in FOLLOWED_BY_PLURALS and words[at + 1 : at + 2] not in (["of"], ["is"])
    if words[at : at + 2] == ["look", "up"] or words[: at + 2] in (["list", "of"], ["count", "of"]):
        return True
    return told and (STOP_WORDS | FILLING).issuperset(words[:at])


def _both(one: Options, other: Options) -> Options:
    """Return the relations that two words say both, each as surely as by the surer word."""
    more = other.weights
    return Options((name, max(weight, more[name])) for name, weight in one if name in more)


def _either(one: Options, other: Options) -> Options:
    """Return the relations that one of two ways of asking says, the surest first."""
    if not other:
        return one
    found = other.weights | one.weights
    return Options(sorted(found.items(), key=lambda option: -option[1]))
