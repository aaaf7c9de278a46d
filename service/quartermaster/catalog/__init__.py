"""Everything that enters the catalog: listings of origins, imported files, probes of tools."""
