"""Results and runs for readers: tables, pictures, pages. Nothing here needs torch."""
