"""The base of every other package: errors, logs, paths, locks, small text formats."""
