"""How requests to upstreams are authorised: logins, tokens of our own, credentials of each."""
