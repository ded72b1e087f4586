"""Questions over facts and texts: WikiMovies, MetaQA, SimpleQuestions, WebQuestions, WikiQA."""
