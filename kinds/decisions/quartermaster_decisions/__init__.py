"""Decisions of a code base: mined from its history, reviewed by people, checked and served."""
