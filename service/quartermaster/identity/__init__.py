"""Who is behind a bearer token: a key of our own, or a token of the issuer in the settings."""
