"""Language models that differ in their core alone."""
