"""bAbI: stories, questions and their supports."""
