"""Is a folder of bAbI-format files official in distribution?

The chapters: `forms` (sentences without their names), `common`, `handling` and `reasoning` (what
is counted in a story) with `table` (the list), `rules` (what is always so), `seen` (a look at the
stories), `moments` and `chance` (the test), `reference` (what is compared with), `folders` (which
files), `checking` (all together), `verdict` (what came out).
"""

from tools.babi_check.checking import check_folder, statistics_of
from tools.babi_check.reference import official_statistics, write_reference
from tools.babi_check.verdict import TaskVerdict, Verdict

__all__ = [
    "TaskVerdict",
    "Verdict",
    "check_folder",
    "official_statistics",
    "statistics_of",
    "write_reference",
]
