"""Translation with attention, with any score and any align, on pairs of sentences."""
