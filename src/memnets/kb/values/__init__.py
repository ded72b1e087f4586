"""What the objects of a knowledge base are besides names: numbers, dates, yes or no."""
