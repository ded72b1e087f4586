"""What is said around a question out of politeness, and asks for nothing."""

import re

_TAILS = re.compile(
    r"[\s,]+(if (it|that)('s| is|\u2019s)?( not|n['\u2019]t)? ?(too much (trouble|bother)|possible|"
    r"(all right|alright|ok|okay)( with you)?|no (trouble|bother))|"
    r"if (it isn['\u2019]t|it is not|that isn['\u2019]t) too much (trouble|bother)|"
    r"if you (don['\u2019]t mind|do not mind|please|can|could|would)|"
    r"if you (happen to )?(know|have (it|that))( (at|to) hand)?|by any chance|"
    r"i (need|want) (it|this|that|them) for [^?]*|i promised to [^?]*|"
    r"(?<=[.!] )((can|could|would|will) you( please| kindly)?|please)"
    r" (look|check|find) (it|this|that)( up| out)?( for me)?|"
    r"off the top of your head|((kind|best|warm) )?regards(,? \w+)?|"
    r"(many )?thanks( (in advance|a lot|so much))?|thank you( very much| so much)?|cheers|"
    r"(?<=,) (mate|folks|guys|everyone|friends))"
    r"(?=[\s.,!?]*$)",
    re.IGNORECASE,
)
_REASONS = re.compile(
    r"(?<=\?)\s+((it|this)('s| is|\u2019s) (for|just|only|urgent)|"
    r"i (need|want|forgot|have to|promised)|(just )?(asking|curious)|"
    r"(we|i|my|our)(?! mean| don['\u2019]?t mean)\b)[^?]*$",
    re.IGNORECASE,
)
"""Behind a question say why it is asked: "who owns Rust? It's for a friend."."""
_HEADS = re.compile(
    r"^((may|might|can|could) (i|we)( (just|please|kindly|quickly))* (ask|enquire|inquire|know)"
    r"( you)?|(i|we)( have|['\u2019]ve)? ((just|quite|always) )*"
    r"(forgot|forgotten|forget|(can['\u2019]?t|cannot|don['\u2019]?t) (remember|recall))"
    r"(?=[,:]| (the|what|which|who|whom|whose|when|where|how)\b)|"
    r"(first of all|to begin with|for a start|for the record)(?=,)|"
    r"good (morning|afternoon|evening|day)(?=[,.!])|"
    r"(i|we)\b[^?.,:]{,50} and ((i|we) )?((still|just|now|also) )?(need|want|lack)"
    r"( to know)?(?= (the|what|which|who|whom|whose|when|where|how)\b)|"
    r"(i|we)( would|['\u2019]d) be ((most|very|really|so) )?(grateful|obliged|thankful|glad)"
    r" if you (could|would|can)( please| kindly)? (look up|find( out)?|check|tell (me|us))"
    r"(?= (the|what|which|who|whom|whose|when|where|how)\b)|"
    r"(could|can|would|will) you( please| kindly| just)* (look up|find out|check)"
    r"(?= (the|what|which|who|whom|whose|when|where|how)\b)|"
    r"(could|can|would|will) you( please| kindly)* (look (this|that|it) up|check this|help me)"
    r"( for me)?( please)?[?.!:]|"
    r"(do|does|would) (you|anyone|anybody|someone|somebody)( guys| all| here)?( happen to)? know"
    r"(( this)?[?:]|(?= (what|which|who|whom|whose|when|where|how)\b)))"
    r"[,:]? +(?=\S+ \S)",
    re.IGNORECASE,
)


def without_manners(question: str) -> str:
    """Return a question without what is polite at its beginning and its end.

    "May I ask who owns Rust, if it isn't too much trouble?" is "who owns Rust?".
    """
    before = ""
    while before != question:  # "good morning, I'd be grateful if you could look up ..."
        before, question = question, _HEADS.sub("", _TAILS.sub("", _REASONS.sub("", question)))
    return question
