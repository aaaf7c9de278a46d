"""Carries out calls: checks the arguments, relays the call, and writes one row to the call log."""
