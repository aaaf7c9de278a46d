"""The Entity Reconciliation API, versions 0.2 (which OpenRefine uses) and 1.0-draft."""
