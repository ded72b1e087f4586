import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # elsewhere is no package
