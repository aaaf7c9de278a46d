"""The base of all other packages: errors, logs, paths, locks and small text formats."""
