"""What a Hopfield network can hold, by rule, load, noise and size."""
