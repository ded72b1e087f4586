"""Training: the task protocol, the loop, checkpoints and run folders."""
