"""The rules of the taint pass: weakness classes, and the sources, sinks and call results of
libraries.
"""
