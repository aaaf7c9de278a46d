"""Checks the arguments of a tool, with messages that let a model correct its call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from quartermaster.calls.arguments import find_problems
from quartermaster.core.errors import QmError

# A call of another form than the tool's; anything else is a value out of its range.
_FORM: Final = frozenset({"", "type", "required", "additionalProperties"})


def require_fitting(name: str, schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Refuses arguments that do not fit the schema of a tool.

    Raises:
        QmError: QM400 bad_request of a wrong form, QM422 argument_invalid of a wrong value.
    """
    for problem in find_problems(schema, arguments, known_as=f"reconcile {name}"):
        is_form = problem.keyword in _FORM
        raise QmError(
            400 if is_form else 422,
            "bad_request" if is_form else "argument_invalid",
            f"{problem.pointer[1:] or 'the arguments'}: {problem.message}",
            f"Correct it to match the schema of {name}, and call again.",
        )
