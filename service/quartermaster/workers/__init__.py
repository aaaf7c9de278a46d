"""Background work of a process: reads upstreams, embeds texts, sends heartbeats, hears
announcements.
"""
