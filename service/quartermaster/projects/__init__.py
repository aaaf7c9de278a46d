"""Determines which files belong to a project (a folder with code), and reads them safely."""
