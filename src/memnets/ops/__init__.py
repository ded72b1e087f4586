"""Pure tensor functions: no parameters, no state."""
