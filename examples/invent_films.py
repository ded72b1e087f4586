"""Write films.csv: a thousand facts of films and of the people who make them, all of them invented.

python examples/invent_films.py examples/films.csv
"""

import csv
import sys
from io import StringIO
from itertools import islice
from pathlib import Path

from memnets.data.worlds.invented import films
from memnets.files import write_bytes


def main(path: Path, rows: int = 1000) -> None:
    """Write the facts, a row each, under a row that names the columns."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("subject", "relation", "object"))
    writer.writerows(islice(films(seed=0), rows))
    write_bytes(path, text.getvalue().encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
