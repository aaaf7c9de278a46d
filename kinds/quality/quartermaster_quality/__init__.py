"""The kind ``quality``: scanners, scores and gates for code."""
