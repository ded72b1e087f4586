"""Questions of several hops, asked of a memory of facts: MetaQA without its training questions."""
