"""bAbI: twenty tasks of short stories and questions, each answer with its evidence.

The chapters: `stories` (the records), `reader` and `writer` (the line format, both ways),
`files` (the official folders, names and checksums).
"""

from memnets.data.babi.files import FOLDERS, TASKS, fingerprint, load_task, task_file
from memnets.data.babi.reader import read_stories
from memnets.data.babi.stories import Question, Statement, Story, tokens
from memnets.data.babi.writer import write_stories

__all__ = [
    "FOLDERS",
    "TASKS",
    "Question",
    "Statement",
    "Story",
    "fingerprint",
    "load_task",
    "read_stories",
    "task_file",
    "tokens",
    "write_stories",
]
