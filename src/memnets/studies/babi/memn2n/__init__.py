"""End-to-end memory networks on bAbI (Sukhbaatar et al., 2015)."""
