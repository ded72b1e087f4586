"""WikiQA: sentences that answer a question (Yang et al., 2015; Miller et al., 2016)."""
