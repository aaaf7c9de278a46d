"""Encoders beside each other by their bare cosine, without a database."""
