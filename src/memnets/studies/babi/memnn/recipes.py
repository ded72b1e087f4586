"""The first memory network on bAbI: of 2014, and with what was added to it in 2015.

Published in Weston et al. (2015), section 5, under strong supervision. The settings are recalled
(width about 50, margin 0.1, SGD at 0.01); where ours differ the field says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from memnets.data.babi import Story
from memnets.evidence import Answer
from memnets.experiments.configs.memnn import MemNNModel, MemNNTraining
from memnets.experiments.judging import ASKED
from memnets.experiments.run import Prepared, Run
from memnets.studies.babi.data import ALL_TASKS, BabiAnswerer, BabiData
from memnets.tasks.asking import Asked

if TYPE_CHECKING:
    from memnets.tasks.memnn import MemNNTask
    from memnets.tasks.supported import FeatureVocabulary, SupportedQuestions


@dataclass(frozen=True, kw_only=True)
class MemNNBabi(Run):
    """MemNN on bAbI, with the supports given in training."""

    kind: ClassVar[str] = "babi/memnn"

    data: BabiData = BabiData(validation=0.02)
    """No choice hangs on the validation questions, so that few are set aside."""
    model: MemNNModel = MemNNModel()
    training: MemNNTraining = MemNNTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("weston2014", "weston2015")

    def prepare(self) -> Prepared:
        import torch

        from memnets.tasks.supported import FeatureVocabulary
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        stories = self.data.load()
        vocabulary = FeatureVocabulary.of(stories.train, self.model.gram)
        model = self.model.build(vocabulary)
        model.reset_parameters(seeded(self.loop.seed))
        known = self.number(stories.train, vocabulary)
        train, valid = self.data.set_aside(known.number, self.loop.seed)
        training = self.training
        questions = {
            "train": known.take(torch.tensor(train)),
            "valid": known.take(torch.tensor(valid, dtype=torch.long)),
            "test": self.number(stories.test, vocabulary),
        }
        task = self.task(questions)
        epoch = task.updates_per_epoch
        updates = training.epochs * epoch

        rate = linear_decay(training.learning_rate, updates)
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), lr=training.learning_rate),
            phases=(Phase("ranking", updates, rate, training.evaluate_every * epoch),),
            reduction="mean",
        )
        return Prepared(experiment, {"vocabulary.json": vocabulary.to_json()}, stories.record)

    def task(self, questions: "Mapping[str, SupportedQuestions]") -> "MemNNTask":
        """Return the task of the questions of some splits."""
        from memnets.tasks.memnn import MemNNTask

        training = self.training
        return MemNNTask(
            questions,
            batch=training.batch,
            margin=training.margin,
            negatives=training.negatives,
        )

    def number(
        self, stories: Sequence[Story], vocabulary: "FeatureVocabulary"
    ) -> "SupportedQuestions":
        """Number stories, each with as many supports as the model finds."""
        from memnets.tasks.supported import number_supported, repeat_last

        numbered = number_supported(stories, vocabulary, stop=self.model.adaptive)
        if self.model.adaptive:
            return numbered
        hops = self.model.hops or vocabulary.hops
        return numbered._replace(supports=repeat_last(numbered.supports, hops))

    def restore(self, folder: Path) -> "MemNNAnswerer":
        return MemNNAnswerer(self, folder)


class MemNNAnswerer(BabiAnswerer):
    """A trained MemNN and the features it knows."""

    def read_vocabulary(self) -> "FeatureVocabulary":
        from memnets.tasks.supported import FeatureVocabulary

        return FeatureVocabulary.from_json(self.folder.read_json("vocabulary.json"))

    def answer_asked(self, asked: Asked) -> Answer:
        from memnets.tasks.memnn import ask

        return ask(self.model, self.vocabulary, *asked)

    def task_of(self, stories: Sequence[Story]) -> "MemNNTask":
        numbered = self.run.number(stories, self.vocabulary)
        return self.run.task({ASKED: numbered})

    def given(self, task: "MemNNTask") -> list[tuple[str, float]]:
        from memnets.tasks.memnn import given

        return given(self.model, self.vocabulary, task, ASKED)


def babi() -> MemNNBabi:
    """One task, with all additions of 2015 ("AM+NG+NL")."""
    return MemNNBabi()


def babi_2014() -> MemNNBabi:
    """One task, two supports, linear, bags of words, answers of one word ("MemNN")."""
    model = MemNNModel(adaptive=False, hops=2, gram=1, nonlinear=False)
    return replace(babi(), model=model)


def babi_multitask() -> MemNNBabi:
    """All 20 tasks by one model ("multitask AM+NG+NL")."""
    data = BabiData(tasks=ALL_TASKS, validate="random", validation=0.02)
    return replace(babi(), data=data, training=MemNNTraining(epochs=15))


RECIPES = {
    "memnn/babi": babi,
    "memnn/babi-2014": babi_2014,
    "memnn/babi-multitask": babi_multitask,
}
