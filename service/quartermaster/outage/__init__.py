"""When the database is away: what was kept of it answers, and calls are written to disk."""
