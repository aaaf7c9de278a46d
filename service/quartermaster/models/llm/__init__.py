"""Clients for language models, with two protocols. They are used only if the settings name a
model.
"""
