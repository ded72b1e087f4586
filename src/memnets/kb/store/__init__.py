"""Facts on disk: read, checked, numbered, laid out as slots, written, opened again."""
