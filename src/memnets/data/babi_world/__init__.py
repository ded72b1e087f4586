"""Generated bAbI stories: the official format and statistics, from rules of our own.

The chapters: `dice` (the random stream), `world` (who is where, who holds what, and which line
proves it), `actions` (what can happen), `questions` (what can be asked), `telling` (how a story
is told), `tasks` (one entry a task).
"""

from memnets.data.babi_world.tasks import CHAPTERS, make_stories, story_fingerprint

__all__ = ["CHAPTERS", "make_stories", "story_fingerprint"]
