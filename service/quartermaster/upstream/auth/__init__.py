"""Authorises requests to upstreams: logins, tokens signed by Quartermaster, credentials of
principals.
"""
