"""Whose credential it is: under which name the store keeps a principal's own."""

from __future__ import annotations

from quartermaster.secrets.locators import plain_name


def held_name(principal_id: int, principal: str, name: str) -> str:
    """The name of a principal's own secret; ``name`` is what the origin refers to.

    Number and name both count: a database set up anew gives numbers again, and a principal made
    anew may have the name of a former one.
    """
    return f"principals/{principal_id}-{plain_name(principal)}/{name}"
