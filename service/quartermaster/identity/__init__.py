"""Finds the principal of a bearer token, which is either a Quartermaster key or a token from the
issuer in the settings.
"""
