"""Rules for Dockerfiles, Compose files, and code that uses messaging or time series databases."""
