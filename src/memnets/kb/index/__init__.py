"""Which slots may hold the answer: words and their postings, names, hashes, candidates."""
