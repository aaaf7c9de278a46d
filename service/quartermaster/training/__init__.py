"""Trains the shipped embedding model; needs torch (requirements/train.txt), the service does not.

Only the three upper layers are trained. The lower three are run once over each text, quantised in
the same way as in service, and their vectors are cached. The changed weights take eleven megabytes.
"""
