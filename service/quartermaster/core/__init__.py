"""What every other package stands on: errors, logs, paths, locks, small text formats."""
