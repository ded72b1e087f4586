"""The loops of CRAN's cases, for all tests of this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # cran_cases and cran_loops are no package
