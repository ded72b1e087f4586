"""memnets: memory and attention networks, verified."""
