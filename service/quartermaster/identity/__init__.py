"""Finds the principal of a bearer token: a key of Quartermaster, or a token of the issuer in the
settings.
"""
