"""The scanners. A scanner reads the bytes of a file, and returns findings, or the reason why it
could not read the file.
"""
