"""Is a folder of bAbI-format files official in distribution?"""
