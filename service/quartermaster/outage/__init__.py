"""While the database is away: the outage copy answers, and the spool records calls."""
