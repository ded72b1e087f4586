import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "models"))  # cran_loops is no package
