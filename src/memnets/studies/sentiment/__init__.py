"""How a sentence sounds: five classes, or two (Kumar et al., 2016, section 4.3)."""
