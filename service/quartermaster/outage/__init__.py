"""When the database is away: the last good snapshot answers, and calls are written to disk."""
