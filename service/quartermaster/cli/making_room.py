"""Prints which starters were replaced by servers of the user, and how to restore the starters."""

from __future__ import annotations

from collections.abc import Iterable

from quartermaster import api
from quartermaster.cli.command import Command
from quartermaster.cli.session import Row


def replaced_starters(name: str, origin: Row) -> dict[str, str]:
    """Returns the starters that an origin has replaced, each with the command that adds it again.

    Args:
        name: name of the origin.
        origin: the origin, as api.get_origin describes it.
    """
    return {
        starter: f"qm origin add {starter} --starter{' --replace' if starter == name else ''}"
        for starter in origin["replaces"]
    }


def say_replaced(qm: Command, names: Iterable[str]) -> None:
    """Prints which starters each of these origins has replaced.

    Raises:
        QmError: QM404 origin_not_found, QM503.
    """
    for name in names:
        for starter, command in replaced_starters(
            name, qm.call_value(api.get_origin(name=name))
        ).items():
            what = "of the same name" if starter == name else f"{starter}, which is the same server"
            qm.say(f"{name} replaces the starter {what}. To have the starter back: {command}")
