"""Each call in the call log, exactly once, whatever happens meanwhile."""
