"""Invitations to projects, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def told_answered(answer: str, done: Mapping[str, Any]) -> str:
    """What the answer to an invitation did, in a sentence.

    Args:
        answer: accept, decline or leave.
        done: the row of api.accept_project, api.decline_project or api.leave_project.
    """
    project = f"{done['owner']}/{done['project_name']}"
    if answer == "accept":
        return f"You are now {told_role(done['role'])} of {project}."
    if answer == "leave":
        return f"You have left {project}. Its owners can invite you again."
    return f"You have declined the invitation to {project}. Nobody can repeat it."


def told_role(role: str) -> str:
    """A role in a project, with its article."""
    return "an owner" if role == "owner" else "a member"
