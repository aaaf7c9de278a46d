"""Guardrails, which find instructions, personal data and secrets in the answers of tools."""
