"""What else a denial may mean: also those of whom the relation is not known."""

from memnets.kb.programs.operators import And, Count, Having, Not, OtherThan, Path, Program, Set


def with_unknown(program: Program) -> Count | Set | None:
    """Return a program that also gives those of whom a denied relation is not known.

    "Which shetlands have no fear of geese": also those of which no fear is told. None where nothing
    is denied, or nothing else is said: all of whom a relation is not known are hardly meant.
    """
    match program:
        case Count(of):
            found = _set_with_unknown(of)
            return Count(found) if found else None
        case Path() | And():
            return _set_with_unknown(program)
    return None


def _set_with_unknown(some: Set) -> Set | None:
    match some:
        case Path(start, relations):
            found = _set_with_unknown(start)
            return Path(found, relations) if found else None
        case And(parts):
            denied = [part for part in parts if isinstance(part, Not)]
            others = tuple(part for part in parts if not isinstance(part, Not))
            if not denied or not others:
                return None
            of: Set = And(others) if len(others) > 1 else others[0]
            for part in denied:
                of = OtherThan(of, Having(part.relation, part.value))
            return of
    return None
