"""Generated bAbI stories: the official format and statistics, from rules of our own.

`dice` is the random stream, `world` keeps who is where, who holds what, and which line proves it,
`telling` tells a story, and `tasks` lists the chapters, one entry a task. `variants` makes worlds
beyond the official ones: more words (`words`), equally frequent answers (`balance`), and other
languages (`language`).
"""

from memnets.data.babi.generate.tasks import CHAPTERS, make_stories, story_fingerprint
from memnets.data.babi.generate.variants import Variant

__all__ = ["CHAPTERS", "Variant", "make_stories", "story_fingerprint"]
