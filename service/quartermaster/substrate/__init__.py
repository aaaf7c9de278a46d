"""The embedded database server: PostgreSQL inside the data directory."""
