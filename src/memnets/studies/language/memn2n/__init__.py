"""End-to-end memory networks as language models of words (Sukhbaatar et al., 2015, section 5)."""
