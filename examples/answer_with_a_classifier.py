"""A memory network whose R is a decision tree, or any classifier of scikit-learn.

The components of a memory network (Weston et al. 2014, section 2) may be anything: here I splits
words, G is a memory that empties what a new sentence supersedes, O takes the newest slot about who
is asked for, and R is a tree over a bag of the words that it is given. Nothing is a neural network.

    pip install scikit-learn
    python examples/answer_with_a_classifier.py
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from memnets.data.babi import Story, tokens
from memnets.data.babi.generate import make_stories
from memnets.memories.network import MemoryNetwork, Supersede

Words = tuple[str, ...]


def encode(text: str) -> Words:
    """I: the words of a text."""
    return tokens(text)


def who(words: Words) -> str | None:
    """Return whom a sentence of task 1 speaks of: its first word; of nothing, nobody."""
    return words[0] if words else None


def newest_about_the_last_word(asked: Words, memory: tuple[Words, ...]) -> Sequence[int]:
    """O: one support, if there is any."""
    return [slot for slot, words in enumerate(memory) if who(words) == asked[-1]][-1:]


def bag(asked: Words, supports: tuple[Words, ...]) -> dict[str, int]:
    """Return what R sees: the words of the question and of the supports, told apart."""
    of_question = (f"asked {word}" for word in asked)
    of_supports = (f"found {word}" for words in supports for word in words)
    return dict(Counter([*of_question, *of_supports]))


def learn(classifier: Any, stories: Sequence[Story]) -> Any:
    """Return R, fitted to the true supports of training stories."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.pipeline import make_pipeline

    bags, answers = [], []
    for story in stories:
        for told, question in story.asked():
            true = tuple(encode(line.text) for line in told if line.line in question.supports)
            bags.append(bag(encode(question.text), true))
            answers.append(question.answer)
    return make_pipeline(DictVectorizer(), classifier).fit(bags, answers)


def network(fitted: Any) -> MemoryNetwork[Words, str]:
    """Put the four components together."""

    def respond(asked: Words, supports: tuple[Words, ...]) -> str:
        return str(fitted.predict([bag(asked, supports)])[0])

    return MemoryNetwork(encode, newest_about_the_last_word, respond, Supersede(who, ()))


def accuracy(answerer: MemoryNetwork[Words, str], stories: Sequence[Story]) -> float:
    """Return the share of questions answered rightly; the memory is written while asking."""
    right = []
    for story in stories:
        memory: tuple[Words, ...] = ()
        told_before = 0
        for told, question in story.asked():
            memory = answerer.tell(memory, *(line.text for line in told[told_before:]))
            told_before = len(told)
            right.append(answerer.ask(memory, question.text).response == question.answer)
    return sum(right) / len(right)


def main(questions: int = 1000) -> float:
    """Train on generated stories of task 1, answer others, and show one answer."""
    from sklearn.tree import DecisionTreeClassifier

    train, test = (list(make_stories(1, questions, 0, split)) for split in ("train", "test"))
    answerer = network(learn(DecisionTreeClassifier(random_state=0), train))
    share = accuracy(answerer, test)
    print(f"{share:.1%} of {questions} questions answered by a decision tree")
    memory = answerer.tell((), "Mary went to the hallway.", "John went to the garden.")
    memory = answerer.tell(memory, "Mary went to the office.")
    for slot, words in enumerate(memory):
        print(f"  slot {slot}: {' '.join(words) or '(superseded)'}")
    found = answerer.ask(memory, "Where is Mary?")
    print(f"  Where is Mary? {found.response}, from slot {found.slots[0]}")
    return share


if __name__ == "__main__":
    main()
