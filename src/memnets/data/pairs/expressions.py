"""Expressions from prefix to infix: the tree transduction of Kim et al. (2017), made anew.

>>> expressions(1, depth=2, dice=random.Random(0))
[SentencePair(source='( + ( * 19 17 ) 16 9 )', target='( ( 19 * 17 ) + 16 + 9 )')]
"""

import random

from memnets.data.pairs.files import SentencePair

OPERATORS, NUMBERS = "+*", 20
"""What stands at a node, and how many numbers there are for leaves."""
CHILDREN = (2, 3)
"""Of a node, at least and at most."""

Tree = str | tuple[str, list["Tree"]]


def expressions(number: int, depth: int, dice: random.Random) -> list[SentencePair]:
    """Draw expressions of just this depth, no two alike.

    Every operator has a bracket of its own, so that a target follows from its source alone.

    Args:
        number: how many.
        depth: of the deepest leaf, 1 at least.
        dice: what they are drawn with.
    """
    found: dict[SentencePair, None] = {}
    while len(found) < number:
        tree = _tree(depth, dice)
        found[SentencePair(" ".join(_prefix(tree)), " ".join(_infix(tree)))] = None
    return list(found)


def _tree(depth: int, dice: random.Random) -> Tree:
    if not depth:
        return str(dice.randrange(NUMBERS))
    children = [_tree(dice.randrange(depth), dice) for _ in range(dice.randint(*CHILDREN))]
    children[dice.randrange(len(children))] = _tree(depth - 1, dice)  # one is as deep as it goes
    return dice.choice(OPERATORS), children


def _prefix(tree: Tree) -> list[str]:
    if isinstance(tree, str):
        return [tree]
    operator, children = tree
    return ["(", operator, *(word for child in children for word in _prefix(child)), ")"]


def _infix(tree: Tree) -> list[str]:
    if isinstance(tree, str):
        return [tree]
    operator, children = tree
    words = [word for child in children for word in (*_infix(child), operator)]
    return ["(", *words[:-1], ")"]
