"""The first memory network on bAbI (Weston et al., 2014 and 2015)."""
