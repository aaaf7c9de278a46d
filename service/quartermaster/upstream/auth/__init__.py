"""Authorises requests to upstreams with logins, tokens signed by Quartermaster, or principals'
credentials.
"""
