"""Checks the arguments for a tool; the messages let a model correct its call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from quartermaster.calls.arguments import find_problems
from quartermaster.core.errors import QmError

# These errors mean that the form of the call is wrong; any other error is a value out of range.
_FORM: Final = frozenset({"", "type", "required", "additionalProperties"})


def require_fitting(name: str, schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Refuses arguments that do not match a tool's schema.

    Raises:
        QmError: QM400 bad_request for a wrong form, QM422 argument_invalid for a wrong value.
    """
    for problem in find_problems(schema, arguments, known_as=f"reconcile {name}"):
        is_form = problem.keyword in _FORM
        raise QmError(
            400 if is_form else 422,
            "bad_request" if is_form else "argument_invalid",
            f"{problem.pointer[1:] or 'the arguments'}: {problem.message}",
            f"Correct it to match the schema of {name}, and call again.",
        )
