"""Calls our functions in a worker, by name. Arguments and results are sent as JSON according to the
functions' annotations. Pickle is not used, because it can execute code in a message. A worker that
has read hostile bytes could send such code.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import GenericAlias
from typing import Annotated, Any, Final, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter

from quartermaster.core.errors import QmError

# The first byte of an answer: what follows is a value, a reason why there is none, or a QmError.
VALUE, REASON, ERROR = b"=", b"!", b"#"
_Status = Annotated[int, Field(ge=400, le=599)]
_ERROR: Final = TypeAdapter(tuple[_Status, str, str, str, str | None])
_BYTES: Final = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")


class WorkerError(Exception):
    """A worker could not answer. Callers see the message, which gives the reason."""


class Wire:
    """Converts the arguments and the result of a function to messages and back.

    Args:
        function: a function at the top level of one of our modules, with annotations for its
            arguments and its result.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        hints = get_type_hints(function)
        answer = hints.pop("return")
        self._function = function
        self._name = f"{function.__module__}:{function.__qualname__}"
        self._arguments = _adapter(*hints.values())
        self._answer = _adapter(answer)

    def request(self, arguments: tuple[Any, ...], cpu_s: float) -> bytes:
        """Returns the message that asks a worker to call the function.

        Args:
            arguments: arguments of the function, by position.
            cpu_s: processor time in seconds that the worker may use.
        """
        return f"{self._name}\n{cpu_s:g}\n".encode() + _dumped(self._arguments, arguments)

    def called(self, arguments: bytes) -> bytes:
        """Calls the function with the arguments in a message, and returns the answer to send."""
        value = self._function(*self._arguments.validate_json(arguments))
        return VALUE + _dumped(self._answer, (value,))

    def value(self, answer: bytes) -> Any:
        """Returns the function's result from an answer.

        Raises:
            WorkerError: the function failed.
            QmError: the function raised this error.
            ValueError: the message is not an answer.
        """
        if answer[:1] == REASON:
            raise WorkerError(answer[1:].decode())
        if answer[:1] == ERROR:
            raise QmError(*_ERROR.validate_json(answer[1:], strict=True))
        if answer[:1] != VALUE:
            raise ValueError
        return self._answer.validate_json(answer[1:])[0]


@cache
def wire_of(function: Callable[..., Any]) -> Wire:
    """Returns the `Wire` that converts the arguments and the result of a function."""
    return Wire(function)


@cache
def wire_named(name: str) -> Wire:
    """Returns the `Wire` that converts the arguments and the result of the function
    ``module:function``.
    """
    module, _, function = name.partition(":")
    return wire_of(getattr(import_module(module), function))


def error_answer(error: QmError) -> bytes:
    """Returns an answer that makes the caller raise an error."""
    members = [error.status, error.slug, error.message, error.hint, error.detail]
    return ERROR + json.dumps(members).encode()


def _adapter(*types: Any) -> TypeAdapter[Any]:
    several: Any = GenericAlias(tuple, types)
    return TypeAdapter(several, config=_BYTES)


def _dumped(adapter: TypeAdapter[Any], value: Any) -> bytes:
    # Names may have half of a surrogate pair, which becomes a question mark.
    text = json.dumps(adapter.dump_python(value, mode="json"), ensure_ascii=False)
    return text.encode("utf-8", "replace")
