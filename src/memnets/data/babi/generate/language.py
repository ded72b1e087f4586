"""Stories in other languages, each by one table of sentences and words, e.g. de.toml.

The story is told in English first; then every sentence is looked up, with its words as slots:
"Mary went to the garden." is "{person} {moved} the {place}.".
"""

import re
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from importlib import resources

from memnets.data.babi.stories import Question, Statement

ENGLISH = "en"
TABLES = resources.files("memnets.data.babi.generate")
LANGUAGES = (
    ENGLISH,
    *sorted(file.name[:-5] for file in TABLES.iterdir() if file.name.endswith(".toml")),
)


class Word(str):
    """A word in its first form; the others are attributes, e.g. ``garden.to``, "in den Garten"."""


class Language:
    """What English stories say in another language.

    Args:
        table: sentences and words; de.toml explains its form.
    """

    def __init__(self, table: dict[str, dict[str, str | list[str]]]) -> None:
        self._sentences = table.pop("sentences")
        self._answers = table.pop("answers")
        self._words: dict[str, tuple[str, Word]] = {}
        for kind, (forms, *words) in ((kind, list(rows.items())) for kind, rows in table.items()):
            for english, said in words:
                word = Word(said[0])
                word.__dict__.update(zip(forms[1], said, strict=True))
                self._answers[english] = word
                # A sentence starts with a capital letter; some questions have names in small ones.
                for written in (english, english.lower(), english[0].upper() + english[1:]):
                    self._words[written] = kind, word
        # What begins with another, as "picked up" with "picked", comes before it.
        self._word = re.compile(rf"\b(?:{'|'.join(sorted(self._words, reverse=True))})\b")
        self._said: dict[str, str] = {}

    def tell(self, item: Statement | Question) -> Statement | Question:
        """The statement or the question, with its answer, in this language."""
        if isinstance(item, Statement):
            return replace(item, text=self.say(item.text))
        answer = ",".join(str(self._answers[word]) for word in item.answer.split(","))
        return replace(item, text=self.say(item.text), answer=answer)

    def say(self, text: str) -> str:
        """The sentence in this language."""
        if text not in self._said:
            self._said[text] = self._look_up(text)
        return self._said[text]

    def _look_up(self, text: str) -> str:
        words: dict[str, Word] = {}
        counts: Counter[str] = Counter()

        def slot(found: re.Match[str]) -> str:
            kind, word = self._words[found[0]]
            counts[kind] += 1
            name = kind if counts[kind] == 1 else f"{kind}{counts[kind]}"
            words[name] = word
            return f"{{{name}}}"

        said = str(self._sentences[self._word.sub(slot, text)]).format(**words)
        return said[0].upper() + said[1:]


@cache
def language(name: str) -> Language:
    """The language of a table, e.g. "de"."""
    return Language(tomllib.loads(TABLES.joinpath(f"{name}.toml").read_text("utf-8")))
