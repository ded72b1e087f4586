"""Every statistic that is compared, fixed beforehand: its name, its function, its tasks."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from memnets.data.babi.stories import Story
from tools.babi_check import common, handling, reasoning
from tools.babi_check.moments import Cell

ALL = tuple(range(1, 21))
TOLD_IN_PAIRS = (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)


class Statistic(NamedTuple):
    """A histogram over stories.

    Args:
        name: in tables.
        cells: what a story gives, a cell for each observation.
        tasks: where it says something.
    """

    name: str
    cells: Callable[[Story], Iterable[Cell]]
    tasks: tuple[int, ...] = ALL


STATISTICS = (
    Statistic("statement forms", common.statement_form),
    Statistic("question forms", common.question_form),
    Statistic("names told", common.names_told),
    Statistic("names asked", common.names_asked),
    Statistic("answers", common.answer),
    Statistic("opening", common.opening),
    Statistic("what after what", common.sequence),
    Statistic("same actor", common.same_actor),
    Statistic("first gap", common.first_gap),
    Statistic("gap", common.gap),
    Statistic("memory size", common.memory_size),
    Statistic("distance of support", common.distance),
    Statistic("span of supports", common.span),
    Statistic("number of supports", common.support_count),
    Statistic("order of supports", common.support_order),
    Statistic("what supports tell", common.support_kinds),
    Statistic("answer by support", common.answer_by_support),
    Statistic("asked again", common.asked_again),
    Statistic("same asked", common.same_asked),
    Statistic("distinct questions", common.distinct_questions),
    Statistic("questions a story", common.question_count),
    Statistic("statements a story", common.statement_count),
    Statistic("person asked, ago", handling.person_asked, TOLD_IN_PAIRS),
    Statistic("person asked, lately", handling.person_asked_share, TOLD_IN_PAIRS),
    Statistic("object asked", handling.thing_asked, (2, 3, 5)),
    Statistic("objects held", handling.holding, (2, 3, 5, 6, 7, 8)),
    Statistic("moves since", handling.moves_since, (3,)),
    Statistic("places carried to", handling.places_carried, (3,)),
    Statistic("gifts since", handling.gifts_since, (5,)),
    Statistic("gift after gift", handling.gift_after_gift, (5, 7)),
    Statistic("who gives to whom", handling.receivers, (5, 7)),
    Statistic("carried, by supports", handling.carried_by_supports, (7, 8)),
    Statistic("place after negation", handling.place_of_untold, (9,)),
    Statistic("either, known place", handling.either_places, (10,)),
    Statistic("either, place asked", handling.either_asked, (10,)),
    Statistic("who goes with whom", handling.pairs_of_people, (12, 13)),
    Statistic("people in common", handling.people_in_common, (11, 12, 13)),
    Statistic("times told", handling.time_told, (14,)),
    Statistic("time after time", handling.time_after_time, (14,)),
    Statistic("times asked", handling.times_asked, (14,)),
    Statistic("visits of place asked", handling.visits_of_place_asked, (14,)),
    Statistic("shared thing", reasoning.middle_thing, (4, 17)),
    Statistic("two directions", reasoning.two_ways, (4, 17)),
    Statistic("direction asked", reasoning.way_asked, (4,)),
    Statistic("first support", reasoning.first_support, (4, 15, 16, 17, 18, 19)),
    Statistic("supports", reasoning.support_places, (15, 17, 18, 19)),
    Statistic("second support", reasoning.lines_to_second_support, (15, 16, 17, 18, 19)),
    Statistic("species of people", reasoning.species_of_people, (15, 16)),
    Statistic("what is told when", reasoning.kinds_in_order, (15, 16)),
    Statistic("fears", reasoning.fears, (15,)),
    Statistic("who fears whom", reasoning.fear_and_feared, (15,)),
    Statistic("species asked", reasoning.species_asked, (16,)),
    Statistic("colours agree", reasoning.colours_agree, (16,)),
    Statistic("colour after species", reasoning.colour_after_species, (16,)),
    Statistic("answer among colours", reasoning.answer_among_colours, (16,)),
    Statistic("question after question", reasoning.question_after_question, (17,)),
    Statistic("relation asked", reasoning.relation_asked, (17,)),
    Statistic("sizes told", reasoning.sizes_told, (18,)),
    Statistic("sizes asked", reasoning.sizes_asked, (18,)),
    Statistic("facts told again", reasoning.facts_told_again, (18,)),
    Statistic("blocks", reasoning.blocks, (18,)),
    Statistic("answer by order", reasoning.order_by_answer, (18,)),
    Statistic("trees", reasoning.trees, (19,)),
    Statistic("rooms in a fact", reasoning.rooms_in_fact, (19,)),
    Statistic("rooms of the way", reasoning.rooms_of_way, (19,)),
    Statistic("turn of the way", reasoning.turn, (19,)),
    Statistic("spots", reasoning.spots, (19,)),
    Statistic("motives shared", reasoning.motives_shared, (20,)),
    Statistic("steps of a person", reasoning.steps, (20,)),
)
"""Chosen before anything was compared. Where the reference knows one cell only, that is a rule."""
