"""Stores for credentials: a plain file, the user's keyring, or an encrypted vault."""
