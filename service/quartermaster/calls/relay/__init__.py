"""Relays requests, questions, resources and updates between clients and upstreams."""
