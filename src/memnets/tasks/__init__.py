"""Tasks: data joined to models: numbers for words, the loss, the metrics, evidence in words."""
