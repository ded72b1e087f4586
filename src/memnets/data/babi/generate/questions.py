"""What can be asked of what was told lately.

One of these things is drawn; what it was about is asked, if that can be answered from the text,
else another is drawn. So the one who did more lately is asked about more often. Found in the
official files: no question of tasks 1 to 14 is about anything older than the last five things, and
none that can be asked is left out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from memnets.data.babi.generate.actions import Event
from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.world import Actor, Thing, World


class ProvedQuestion(NamedTuple):
    """A question, its answer, and the lines that prove it in the official order."""

    text: str
    answer: str
    supports: tuple[int, ...]


def where_is_actor(world: World, told: Sequence[Event], dice: Dice) -> ProvedQuestion:
    """Where is P? Proof: the last move of P."""
    actor = dice.pick(told).actor
    return ProvedQuestion(f"Where is {actor.name}?", actor.place, (actor.moved,))


def where_is_thing(world: World, told: Sequence[Event], dice: Dice) -> ProvedQuestion | None:
    """Where is the O? Proof: (drop, the dropper's last move) or (get, the holder's last move)."""
    known = [event.thing for event in told if event.thing and _place(event.thing)]
    if not known:
        return None
    thing = dice.pick(known)
    place, moved = _place(thing) or ("", 0)
    return ProvedQuestion(f"Where is the {thing.name}?", place, (thing.handled, moved))


def where_was_thing(world: World, told: Sequence[Event], dice: Dice) -> ProvedQuestion | None:
    """Where was the O before the L? L is a place it was carried to since it was taken up.

    The answer is the place before the last visit of L. Proof: (get or drop, move to L, move to
    the answer).
    """
    carried = [event.thing for event in told if event.thing and len(event.thing.visits) > 1]
    if not carried:
        return None
    thing = dice.pick(carried)
    last = {visit.place: index for index, visit in enumerate(thing.visits)}
    # Drawn by visits, not by places: what was visited twice is asked twice as often.
    here = last[dice.pick([visit.place for visit in thing.visits if last[visit.place] > 0])]
    there, before = thing.visits[here], thing.visits[here - 1]
    text = f"Where was the {thing.name} before the {there.place}?"
    return ProvedQuestion(text, before.place, (thing.handled, there.line, before.line))


def is_actor_in(world: World, told: Sequence[Event], dice: Dice) -> ProvedQuestion | None:
    """Is P in the L? Proof: the last move of P. Half of the answers are yes."""
    moved = [event.actor for event in told if event.thing is None]
    if not moved:
        return None
    actor = dice.pick(moved)
    place = place_to_ask(actor, world.places, dice)
    return is_in(actor, place, "yes" if place == actor.place else "no", actor.moved)


def place_to_ask(actor: Actor, places: Sequence[str], dice: Dice) -> str:
    """Where he is, or with the same chance any of the other places."""
    if dice.chance(0.5):
        return actor.place
    return dice.pick([place for place in places if place != actor.place])


def is_in(actor: Actor, place: str, answer: str, proof: int) -> ProvedQuestion:
    """Is P in the L?"""
    return ProvedQuestion(f"Is {actor.name} in the {place}?", answer, (proof,))


def _place(thing: Thing) -> tuple[str, int] | None:
    """Where it is, and the line of the move that proves it; None if that cannot be asked."""
    if thing.holder is None:
        return (thing.place, thing.brought) if thing.brought else None
    holder = thing.holder
    return (holder.place, holder.moved) if holder.moved > thing.handled else None
