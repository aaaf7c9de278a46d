"""Reads input into the catalog: listings from origins, imported files, and results of probes."""
