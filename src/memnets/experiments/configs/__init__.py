"""Models by the names that a configuration gives their parts, for several studies."""
