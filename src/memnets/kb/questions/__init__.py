"""Questions made of facts: phrases, their inflexion, what is asked and what is declined."""
