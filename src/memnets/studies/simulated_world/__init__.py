"""The simulated world of Memory Networks (Weston et al., 2014, section 5.2)."""
