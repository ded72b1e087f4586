"""One run of every table of results/ is begun again, and comes out as it did."""

import pytest

from memnets import results
from memnets.experiments.staleness import check
from memnets.results import Table
from memnets.studies import table, tables

KNOWN = {
    name: known
    for name, known in results.read_all(results.results_folder()).items()
    if isinstance(known, Table) and name in tables()
}


@pytest.mark.data
@pytest.mark.parametrize("name", KNOWN)
def test_the_code_of_today_makes_the_tables_first_row(name):
    try:
        compared = (
            one for one in check(table(name), KNOWN[name], None) if one.found != "no fingerprint"
        )
        first = next(compared, None)
    except FileNotFoundError as error:
        pytest.skip(f"its data are not here: {error}")
    if first is None:
        pytest.skip("its rows have no fingerprints: no CPU trained them, or they were not kept yet")
    assert first.found != "other", f"{name}: today's code no longer makes {', '.join(first.rows)}"
