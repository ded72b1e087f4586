"""Questions over several facts: small programs, carried out exactly over a knowledge base."""
