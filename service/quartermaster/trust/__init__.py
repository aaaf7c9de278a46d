"""Whether tools keep what they promise."""
