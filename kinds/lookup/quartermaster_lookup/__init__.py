"""Lookup tables: files of rows, answers to queries, the request log and the shadow."""
