"""Rules for configuration: Dockerfiles, Compose files, and how messages and series are used."""
