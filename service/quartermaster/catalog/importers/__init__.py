"""Files that become origins and tools of the catalog."""
