"""What is said around a question out of politeness, and asks for nothing."""

import re

_TAILS = re.compile(
    r"[\s,]+(if (it|that)('s| is|\u2019s)?( not|n['\u2019]t)? ?(too much (trouble|bother)|possible|"
    r"(all right|alright|ok|okay)( with you)?|no (trouble|bother))|"
    r"if (it isn['\u2019]t|it is not|that isn['\u2019]t) too much (trouble|bother)|"
    r"if you (don['\u2019]t mind|do not mind|please|can|could|would)|"
    r"i (need|want) (it|this|that|them) for [^?]*|i promised to [^?]*|"
    r"(many )?thanks( (in advance|a lot|so much))?|thank you( very much| so much)?|cheers)"
    r"(?=[\s.,!?]*$)",
    re.IGNORECASE,
)


def without_manners(question: str) -> str:
    """Return a question without a polite end: "..., if it isn't too much trouble?"."""
    return _TAILS.sub("", question)
