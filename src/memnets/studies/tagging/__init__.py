"""Parts of speech: a tag for every word of a sentence (Kumar et al., 2016, section 4.4)."""
