"""Trains the shipped embedding model; needs torch (requirements/train.txt), the service does not.

Only the three upper layers learn: the lower three are run once over a text, quantised as they are
when the model serves, and their vectors are kept. Eleven megabytes hold what training changes.
"""
