"""Describes invitations to projects in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def answered_text(answer: str, done: Mapping[str, Any]) -> str:
    """Returns a sentence that says what the answer to an invitation changed.

    Args:
        answer: accept, decline or leave.
        done: the row of api.accept_project, api.decline_project or api.leave_project.
    """
    project = f"{done['owner']}/{done['project_name']}"
    if answer == "accept":
        return f"You are now {role_text(done['role'])} of {project}."
    if answer == "leave":
        return f"You have left {project}. Its owners can invite you again."
    return f"You have declined the invitation to {project}. Nobody can repeat it."


def role_text(role: str) -> str:
    """Returns the name of a role in a project, with its article."""
    return "an owner" if role == "owner" else "a member"
