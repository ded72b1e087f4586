import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # attention_oracles is no package
