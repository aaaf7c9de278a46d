"""Input to the catalog: listings from origins, imported files, probes of tools."""
