"""Outages: the outage copy answers searches, and the spool records calls."""
