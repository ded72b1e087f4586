"""DMN and DMN+ on bAbI."""
