"""Guardrails: find instructions, personal data and secrets in what a tool answers."""
