"""Stores credentials in a plain file, in the user's keyring or in an encrypted vault."""
