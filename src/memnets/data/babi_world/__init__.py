"""Generated bAbI stories: the official format and statistics, from rules of our own.

`dice` is the random stream, `world` keeps who is where, who holds what, and which line proves it,
`telling` tells a story, and `tasks` lists the chapters, one entry a task.
"""

from memnets.data.babi_world.tasks import CHAPTERS, make_stories, story_fingerprint

__all__ = ["CHAPTERS", "make_stories", "story_fingerprint"]
