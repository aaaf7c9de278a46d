"""Handles outages of the database: the outage copy answers searches, and the spool records
calls.
"""
