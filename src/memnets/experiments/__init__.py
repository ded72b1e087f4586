"""What all studies share: runs, their jobs, and the kinds of tables. Imports no torch."""
