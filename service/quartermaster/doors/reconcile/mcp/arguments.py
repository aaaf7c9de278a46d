"""Are arguments those of a tool? What is wrong is said so that a model can mend its call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import jsonschema_rs

from quartermaster.core.errors import QmError

_LONGEST_MESSAGE: Final = 300
# A call of another form than the tool's; anything else is a value out of its range.
_FORM: Final = frozenset({"type", "required", "additionalProperties"})


def require_fitting(name: str, schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Refuses arguments that do not fit the schema of a tool.

    Raises:
        QmError: QM400 bad_request of a wrong form, QM422 argument_invalid of a wrong value.
    """
    try:
        json.dumps(arguments, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise QmError(
            400,
            "bad_request",
            "A string is not valid Unicode: it holds half of a surrogate pair.",
            "Send it as UTF-8.",
        ) from None
    for error in jsonschema_rs.validator_for(dict(schema)).iter_errors(dict(arguments)):
        where = "/".join(str(step) for step in error.instance_path) or "the arguments"
        message = error.message
        if len(message) > _LONGEST_MESSAGE:
            # It begins with the value, and ends with what is wrong with it.
            message = f"{message[:100]}…{message[101 - _LONGEST_MESSAGE :]}"
        is_form = error.schema_path[-1] in _FORM
        raise QmError(
            400 if is_form else 422,
            "bad_request" if is_form else "argument_invalid",
            f"{where}: {message}",
            f"Correct it as the schema of {name} says, and call again.",
        )
