"""The words of larger worlds: people, places and objects beyond those of the official files.

None of them is in any official file. They are taken from the front, and the words held out for
the test files from the back, so that both have women and men.
"""

WOMEN = (
    *("Alice", "Anna", "Barbara", "Carol", "Clara", "Diana", "Elena", "Fiona", "Hannah", "Irene"),
    *("Julia", "Karen", "Laura", "Linda", "Nina", "Olivia", "Paula", "Rachel", "Susan", "Teresa"),
)
MEN = (
    *("Adam", "Albert", "Carl", "David", "Edward", "Felix", "George", "Henry", "Ian", "Kevin"),
    *("Leo", "Martin", "Oscar", "Paul", "Peter", "Robert", "Simon", "Thomas", "Victor", "Walter"),
)
PEOPLE = tuple(name for pair in zip(WOMEN, MEN, strict=True) for name in pair)
PLACES = (
    *("cellar", "library", "garage", "greenhouse", "pantry", "studio", "nursery", "lounge"),
    *("workshop", "stable", "barn", "chapel", "gallery", "museum", "theatre", "restaurant"),
    *("hospital", "bakery", "castle", "church", "pharmacy", "shop", "hotel", "factory"),
)
OBJECTS = (
    *("book", "lamp", "letter", "hammer", "basket", "umbrella", "guitar", "bottle", "candle"),
    *("camera", "clock", "hat", "key", "knife", "bread", "lemon", "pillow"),
)
NUMERALS = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
