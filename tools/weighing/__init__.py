"""How answers to questions are weighed: what is heard of them, what is learnt, what it is worth."""
