"""WikiMovies: questions about movies, and the knowledge that answers them.

>>> entities = load_entities("my/wikimovies")
>>> questions = load_questions("dev", entities, "my/wikimovies")
>>> split = split_by_template_and_entity(questions, entities)
"""

from memnets.data.qa.wikimovies.entities import Entities, EntitySpan, read_entities
from memnets.data.qa.wikimovies.knowledge import (
    PLOT,
    RELATIONS,
    AnswerSlot,
    Document,
    load_triples,
    read_blocks,
    read_documents,
    read_slots,
    read_triples,
)
from memnets.data.qa.wikimovies.plots import (
    Plot,
    PlotCoverage,
    PlotTexts,
    coverage,
    folded,
    load_plots,
    read_plots,
)
from memnets.data.qa.wikimovies.questions import (
    CLASSES,
    COUNTS,
    SLOT,
    EntityQuestion,
    MovieQuestion,
    analyse,
    class_file,
    class_of,
    load_class,
    load_entities,
    load_questions,
    read_questions,
    template,
)
from memnets.data.qa.wikimovies.split import (
    Split,
    read_split,
    split_by_template_and_entity,
    write_split,
)

__all__ = [
    "CLASSES",
    "COUNTS",
    "PLOT",
    "RELATIONS",
    "SLOT",
    "AnswerSlot",
    "Document",
    "Entities",
    "EntityQuestion",
    "EntitySpan",
    "MovieQuestion",
    "Plot",
    "PlotCoverage",
    "PlotTexts",
    "Split",
    "analyse",
    "class_file",
    "class_of",
    "coverage",
    "folded",
    "load_class",
    "load_entities",
    "load_plots",
    "load_questions",
    "load_triples",
    "read_blocks",
    "read_documents",
    "read_entities",
    "read_plots",
    "read_questions",
    "read_slots",
    "read_split",
    "read_triples",
    "split_by_template_and_entity",
    "template",
    "write_split",
]
