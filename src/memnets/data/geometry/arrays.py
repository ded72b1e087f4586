"""Arrays of points and of their numbers, by what they hold.

Of many sets at once the axes are (sets, points, dim), of targets (sets, place in the answer); of
one set the first is left out.
"""

from typing import Any

from numpy.typing import NDArray

Floats = NDArray[Any]
"""Points, lengths and areas; points that were drawn are float32, all else float64."""
Ints = NDArray[Any]
"""Numbers of points, places, signs."""
Bools = NDArray[Any]
"""What holds and what does not."""
