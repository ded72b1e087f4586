"""Worlds that are generated: of recall, of people and places, of statements, of films and towns."""
