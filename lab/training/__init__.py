"""Trains the shipped embedding model; needs torch (requirements/train.txt), the service does not.

First, the three upper layers of the published model learn from goals and the tools that they need.
Then all six layers learn from a teacher: that model beside a larger one. Their weights take 21
megabytes.
"""
