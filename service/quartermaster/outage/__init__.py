"""Operation without the database: the outage copy answers, and the spool records calls."""
