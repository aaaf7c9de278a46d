"""Pure Python shared by PL/Python function bodies and the service."""
