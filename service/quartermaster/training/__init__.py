"""Trains the shipped embedding model; needs torch (requirements/train.txt), the service does not.

Only the two upper layers learn: the lower four are run once over all texts, quantised as they are
when the model serves, and their vectors are kept. So a training run takes half an hour on two
processor cores, and seven megabytes hold what it changed.
"""
