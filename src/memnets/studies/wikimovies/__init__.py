"""WikiMovies: questions to facts, documents and plots (Miller et al., 2016)."""
