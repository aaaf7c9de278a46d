"""A call from its arguments to its row in the call log, written exactly once."""
