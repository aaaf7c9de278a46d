"""What a gateway adds to a call: ours beside the bare minimum and beside others, in one run."""
