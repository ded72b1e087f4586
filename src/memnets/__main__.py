"""`python -m memnets` is the command line."""

import sys

from memnets.cli.main import main

sys.exit(main())
