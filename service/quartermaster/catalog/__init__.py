"""What comes into the catalog: origins listed, files imported, tools tried."""
