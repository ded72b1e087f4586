"""Numbers, dates, and yes or no, read from the text of a cell and compared exactly.

A value is an interval: a number from itself to itself, a year from its first day to its last. No
float is made on the way, so 0.1 is a tenth and a number of forty digits is not rounded.
"""

import re
from decimal import Decimal
from typing import Literal, NamedTuple

Kind = Literal["link", "text", "number", "date", "yes or no"]
"""What the objects of a relation are; a link leads to an entity that has facts of its own."""
LONGEST = 60
"""A cell of more letters is a text."""

_MONTHS = "january february march april may june july august september october november december"
MONTHS = {name[:cut]: at for at, name in enumerate(_MONTHS.split(), 1) for cut in (3, len(name))}
"""The number of a month by its name, or by three letters of it."""
MONTHS["sept"] = 9
_MONTH = rf"({'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_DAY, _YEAR = r"(\d{1,2})(?:st|nd|rd|th)?\.?", r"(\d{3,4})"
_YES = {"yes": True, "true": True, "y": True, "no": False, "false": False, "n": False}
_TIMES = {
    **{"k": 3, "thousand": 3, "mio": 6, "million": 6, "millions": 6},
    **{"bn": 9, "billion": 9, "billions": 9, "trillion": 12},
}
"""Noughts that a word behind a number stands for; "m" is metres and no million."""
_SYMBOLS = "€$£¥%"
_UNITS = {
    **dict.fromkeys(("€", "euro", "euros"), "eur"),
    **dict.fromkeys(("$", "dollar", "dollars"), "usd"),
    **{"£": "gbp", "¥": "jpy", "percent": "%", "per cent": "%"},
    **dict.fromkeys(("kilometre", "kilometres", "kilometer", "kilometers", "kms"), "km"),
    **dict.fromkeys(("metre", "metres", "meter", "meters"), "m"),
    **dict.fromkeys(("centimetre", "centimetres", "centimeter", "centimeters"), "cm"),
    **dict.fromkeys(("kilogram", "kilograms", "kilo", "kilos", "kgs"), "kg"),
    **dict.fromkeys(("gram", "grams"), "g"),
    **dict.fromkeys(("foot", "feet"), "ft"),
    **dict.fromkeys(("minute", "minutes", "mins"), "min"),
    **dict.fromkeys(("tonne", "tonnes", "ton", "tons"), "t"),
    **dict.fromkeys(("litre", "litres", "liter", "liters"), "l"),
    **dict.fromkeys(("mile", "miles"), "mi"),
    **dict.fromkeys(("millimetre", "millimetres", "millimeter", "millimeters"), "mm"),
    **dict.fromkeys(("pound", "pounds", "lbs"), "lb"),
    **dict.fromkeys(("inch", "inches"), "in"),
    **dict.fromkeys(("second", "seconds", "sec", "secs"), "s"),
    **dict.fromkeys(("hour", "hours", "hr", "hrs"), "h"),
    **dict.fromkeys(("day",), "days"),
    **dict.fromkeys(("week",), "weeks"),
    **dict.fromkeys(("kilowatt", "kilowatts"), "kw"),
    **dict.fromkeys(("watt", "watts"), "w"),
    **dict.fromkeys(("hectare", "hectares"), "ha"),
    **dict.fromkeys(("acre", "acres"), "acre"),
    **dict.fromkeys(("horsepower", "bhp"), "hp"),
    **dict.fromkeys(("volt", "volts"), "v"),
    **dict.fromkeys(("mile/h", "miles/h", "miles per hour", "mi/h"), "mph"),
    **dict.fromkeys(("kmh", "kph", "kilometres per hour", "kilometers per hour"), "km/h"),
    **dict.fromkeys(("kilocalorie", "kilocalories", "calorie", "calories"), "kcal"),
    **dict.fromkeys(("light year", "light years", "light-year", "light-years"), "ly"),
    **dict.fromkeys(("degree celsius", "degrees celsius", "celsius"), "°c"),
    **dict.fromkeys(("month",), "months"),
    **dict.fromkeys(("year",), "years"),
    **dict.fromkeys(("kilobyte", "kilobytes"), "kb"),
    **dict.fromkeys(("megabyte", "megabytes"), "mb"),
    **dict.fromkeys(("gigabyte", "gigabytes", "gig", "gigs"), "gb"),
    **dict.fromkeys(("terabyte", "terabytes"), "tb"),
    **dict.fromkeys(("mbps",), "mbit/s"),
    **dict.fromkeys(("gbps",), "gbit/s"),
    **dict.fromkeys(("kilowatt hour", "kilowatt hours", "kilowatt-hours"), "kwh"),
}
"""How a unit may be written besides."""
_RAISED = {"square ": "²", "sq ": "²", "cubic ": "³", "cu ": "³"}
"""What stands before a unit for its square or cube, and what we write behind it."""
_SIZES = {
    "length": {
        **{"mm": "0.001", "cm": "0.01", "m": "1", "km": "1000"},
        **{"in": "0.0254", "ft": "0.3048", "mi": "1609.344"},
    },
    "mass": {
        **{"mg": "0.000001", "g": "0.001", "kg": "1", "t": "1000"},
        **{"oz": "0.028349523125", "lb": "0.45359237"},
    },
    "time": {"s": "1", "min": "60", "h": "3600", "days": "86400", "weeks": "604800"},
    "volume": {"ml": "0.001", "cl": "0.01", "l": "1", "hl": "100", "m³": "1000"},
    "area": {
        **{"cm²": "0.0001", "m²": "1", "ha": "10000", "km²": "1000000"},
        **{"ft²": "0.09290304", "acre": "4046.8564224", "mi²": "2589988.110336"},
    },
    "power": {"w": "1", "kw": "1000", "mw": "1000000", "gw": "1000000000"},
    "speed": {"m/s": "3.6", "km/h": "1", "mph": "1.609344"},
    "data": {"kb": "1", "mb": "1000", "gb": "1000000", "tb": "1000000000", "pb": "1000000000000"},
    "rate": {"kbit/s": "0.001", "mbit/s": "1", "gbit/s": "1000"},
    "frequency": {"hz": "1", "khz": "1000", "mhz": "1000000", "ghz": "1000000000"},
    "energy": {"wh": "0.001", "kwh": "1", "mwh": "1000"},
    "pressure": {"mbar": "0.001", "hpa": "0.001", "bar": "1"},
    "calendar": {"months": "1", "years": "12"},
}
_MEASURES = {
    unit: (measure, Decimal(size))
    for measure, sizes in _SIZES.items()
    for unit, size in sizes.items()
}
"""What a unit measures, and how much of it one is, exactly."""
CURRENCIES = frozenset(
    ("eur", "usd", "gbp", "jpy", "chf", "aud", "cad", "nzd", "sek", "nok", "dkk", "pln", "czk")
)
"""Behind a number of these "m" is a million."""
KNOWN_UNITS = frozenset(_UNITS.values()) | _MEASURES.keys()
"""Units that are told from other words behind a number."""
CLOCK = "clock"
"""The unit of times of the day, which are dates of their own: they come round every day."""
_AMOUNT = r"\d{1,3}(?:[,'\u2019\u00a0\u202f ]\d{3})+(?:\.\d+)?|\d+,(?:\d{1,2}|\d{4,})|\d+(?:\.\d+)?"
_NUMBER = re.compile(
    rf"([-\u2212+]?)\s*([{_SYMBOLS}]?)\s*([-\u2212+]?)({_AMOUNT})\s*"
    rf"(?:({'|'.join(_TIMES)})(?![^\W\d_]))?\s*"
    rf"((?:[^\W\d_][23]?|[{_SYMBOLS}°/²³ ])*)\.?"
)


class Value(NamedTuple):
    """A number, a date, or yes or no.

    Two values are compared by `before` and `within`, which refuse kinds and units that differ.
    """

    kind: Kind
    low: Decimal
    """A number itself; of a date its first day, as year, month and day written after each other;
    1 of yes and 0 of no."""
    high: Decimal
    """The same, but for the last day of a date."""
    unit: str = ""
    """As `_UNITS` calls it; "" where none was written, "clock" of a time of the day."""

    def expect_like(self, other: "Value") -> None:
        """Refuse a value of another kind or unit.

        Raises:
            ValueError: these two cannot be compared.
        """
        units = {self.unit, other.unit} - ({""} if self.kind == "number" else set())
        if self.kind != other.kind or len(units) > 1:
            raise ValueError(
                f"{self.in_words} and {other.in_words} cannot be compared; expected two values of "
                f"one kind and one unit, or of two that measure the same, as km and m do."
            )

    def in_unit(self, unit: str) -> "Value":
        """Return the same in another unit, exactly; itself where that cannot be."""
        if self.unit == unit or not measures_alike(self.unit, unit):
            return self
        (_, own), (_, other) = _MEASURES[self.unit], _MEASURES[unit]
        return self._replace(low=self.low * own / other, high=self.high * own / other, unit=unit)

    def before(self, other: "Value") -> bool:
        """Whether it is less, or earlier, as a whole: 2020 is before 2021-01-01."""
        self.expect_like(other)
        return self.high < other.low

    def within(self, other: "Value") -> bool:
        """Whether it lies in the other: 2020-05-01 lies in May 2020."""
        self.expect_like(other)
        return other.low <= self.low and self.high <= other.high

    @property
    def in_words(self) -> str:
        """The kind, and what it was read as."""
        if self.kind == "number":
            return f"the number {self.low:f}{f' {self.unit}' if self.unit else ''}"
        if self.kind == "yes or no":
            return "yes" if self.low else "no"
        if self.unit == CLOCK:
            return f"the time {int(self.low) // 60:02}:{int(self.low) % 60:02}"
        first, last = _day(self.low), _day(self.high)
        return f"the date {first}" if first == last else f"the dates {first} to {last}"


def _day(packed: Decimal) -> str:
    year, rest = divmod(int(packed), 10000)
    return f"{year:04}-{rest // 100:02}-{rest % 100:02}"


_DIGIT = re.compile(r"\d")
_DATE_BEGINS = re.compile(rf"[\d-]|{_MONTH}")


def read(text: str, kind: Kind) -> Value | None:
    """Return the value that a text is, of one kind; None where it is none of that kind."""
    text = text.strip().casefold()
    if not 0 < len(text) <= LONGEST or (kind in ("number", "date") and not _DIGIT.search(text)):
        return None
    if kind == "number":
        return _number(text) or _sum(text)
    if kind == "date":
        return _date(text) if _DATE_BEGINS.match(text) else None
    if kind == "yes or no" and text in _YES:
        return Value(kind, Decimal(_YES[text]), Decimal(_YES[text]))
    return None


def _number(text: str) -> Value | None:
    found = _NUMBER.fullmatch(text)
    if not found:
        return None
    sign, symbol, inner, digits, times, unit = found.groups()
    unit = " ".join(unit.split())
    if re.match(r"mn?( |$)", unit) and unit_of(symbol or unit.partition(" ")[2]) in CURRENCIES:
        times, unit = "million", unit.partition(" ")[2]  # "640 m EUR", "$12m"
    joined = unit[:1].isalpha() and text[found.end(4)].isalpha() and not times
    if (symbol and unit) or (joined and not _is_joined(digits, unit_of(unit))):
        return None
    if re.fullmatch(r"\d+,(\d{1,2}|\d{4,})", digits):  # a comma that can be no thousands'
        digits = digits.replace(",", ".")
    amount = Decimal(re.sub(r"[^\d.]", "", digits))
    if times:
        amount = Decimal(f"{amount}e{_TIMES[times]}")
    if sign + inner in ("-", "\u2212"):
        amount = amount.copy_negate()
    elif sign and inner:
        return None
    return Value("number", amount, amount, unit_of(symbol or unit))


def _is_joined(digits: str, unit: str) -> bool:
    """Whether a unit may follow without a space: "5km", but not "2nd" or "1990s"."""
    return unit in KNOWN_UNITS | CURRENCIES and not (unit == "s" and len(digits) == 4)


_PARTS = re.compile(r"(\d+(?:\.\d+)? ?[^\W\d_]+),? (?:and )?(\d+(?:\.\d+)? ?[^\W\d_]+)")


def _sum(text: str) -> Value | None:
    """Return a number of two units that measure the same: "1 h 20 min", "5 ft 3 in"."""
    found = _PARTS.fullmatch(text)
    parts = [part for one in found.groups() if (part := _number(one))] if found else []
    if len(parts) < 2 or parts[0].unit == parts[1].unit:
        return None
    large, small = parts[0].in_unit(parts[1].unit), parts[1]
    if large.unit != small.unit or large.kind != "number":
        return None
    total = Decimal(large.low) + Decimal(small.low)
    return small._replace(low=total, high=total)


def unit_of(text: str) -> str:
    """Return a unit as all of its spellings are called."""
    plain = text.casefold().strip()
    for word, raised in _RAISED.items():
        if plain.startswith(word):
            return unit_of(plain.removeprefix(word)) + raised
    if plain[:1].isalpha() and plain[-1:] in "23":
        return unit_of(plain[:-1]) + "²³"[plain[-1] == "3"]
    return _UNITS.get(plain, plain)


def measures_alike(one: str, other: str) -> bool:
    """Whether two units are the same, or measure the same: km and m."""
    if one == other:
        return True
    both = _MEASURES.get(one), _MEASURES.get(other)
    return both[0] is not None and both[1] is not None and both[0][0] == both[1][0]


_DATES = tuple(
    (re.compile(pattern), order)
    for pattern, order in (
        (r"(-?\d{4})", "y"),
        (rf"{_YEAR} ?(?:ad|ce)", "y"),
        (r"(\d{1,4}) ?(?:bc|bce)", "b"),
        (r"(\d{4})-(\d{1,2})", "ym"),
        (r"(-?\d{4})-(\d{1,2})-(\d{1,2})(?:[t ]\d{1,2}:\d{2}(?::[\d.]+)?(?:z|[+-]\d{2}:?\d{2})?)?",
         "ymd"),
        (r"(\d{4})/(\d{1,2})/(\d{1,2})", "ymd"),
        (r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})", "dmy"),
        (rf"{_MONTH},? (?:of )?{_YEAR}", "my"),
        (rf"{_DAY} (?:of )?{_MONTH},? {_YEAR}", "dmy"),
        (rf"{_MONTH} {_DAY},? {_YEAR}", "mdy"),
        (r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})", "slashes"),
    )
)  # fmt: skip
_SPAN = re.compile(r"(.+?)\s*(?:[\u2013\u2014]|\bto\b|(?<=\d{4})-(?=\d{4}))\s*(.+)")


def _date(text: str) -> Value | None:
    one = _single_date(text) or _time(text)
    if one:
        return one
    span = _SPAN.fullmatch(text)
    first, last = (_single_date(part) for part in span.groups()) if span else (None, None)
    if first and last and first.low <= last.high:
        return Value("date", first.low, last.high)
    return None


_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\.?|(\d{1,2}):(\d{2})(?: ?h)?")


def _time(text: str) -> Value | None:
    """Return a time of the day, in minutes since midnight."""
    found = _TIME.fullmatch(text)
    if not found:
        return None
    hour, minute = int(found[1] or found[4]), int(found[2] or found[5] or 0)
    if found[3]:
        hour = hour % 12 + 12 * (found[3] == "p") if 1 <= hour <= 12 else 24
    if hour >= 24 or minute >= 60:
        return None
    at = Decimal(60 * hour + minute)
    return Value("date", at, at, CLOCK)


def _single_date(text: str) -> Value | None:
    for pattern, order in _DATES:
        found = pattern.fullmatch(text)
        if found:
            return _dated(list(found.groups()), order)
    return None


def _dated(parts: list[str], order: str) -> Value | None:
    """Return the days from the parts of a date, in their order; None of a day that is none."""
    if order == "slashes":  # 3/4/2020 is March to some and April to others
        one, other = int(parts[0]), int(parts[1])
        if one != other and one <= 12 and other <= 12:
            return None
        order = "dmy" if other <= 12 else "mdy"
    numbers = {
        letter: MONTHS.get(part) or int(part) for letter, part in zip(order, parts, strict=True)
    }
    year = 1 - numbers["b"] if "b" in numbers else numbers["y"]  # 1 BC is the year 0
    month, day = numbers.get("m"), numbers.get("d")
    if month is not None and not 1 <= month <= 12:
        return None
    from calendar import monthrange  # few questions need it, and it brings a language's names

    # 2000 and 2001 stand for leap years and others, so that no year is out of the calendar.
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day is not None and not 1 <= day <= monthrange(2000 if leap else 2001, month or 1)[1]:
        return None
    low = year * 10000 + (month or 1) * 100 + (day or 1)
    last = monthrange(2000 if leap else 2001, month or 12)[1]
    high = year * 10000 + (month or 12) * 100 + (day or last)
    return Value("date", Decimal(low), Decimal(high))
