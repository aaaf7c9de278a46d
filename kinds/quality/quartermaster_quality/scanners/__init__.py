"""Scanners: each reads the bytes of one file and says what it found, or why it could not look."""
