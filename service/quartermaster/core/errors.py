"""The only type of error that people and programs see, and the conversion from SQLSTATE."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import Final

# The server is a replica or was set to read only (25006), or its disk is full (53100).
_READ_ONLY_SQLSTATES: Final = frozenset({"25006", "53100"})
# What PostgreSQL says about the character NUL in a text and in JSON.
_NUL_SQLSTATES: Final = frozenset({"22021", "22P05"})
_NUL: Final = "A text contains the character NUL (0x00), which PostgreSQL cannot store."
RETRYABLE_SQLSTATES: Final = frozenset({"40001", "40P01", "55P03"})


class QmError(Exception):
    """An error on which the caller can act.

    Args:
        status: HTTP status, 400 to 599; the error code is ``QM`` followed by this status.
        slug: stable snake_case name of the violated rule; the key in the error registry.
        message: what happened, including the value that caused it.
        hint: next step for the caller.
        detail: further facts; never a secret.
    """

    def __init__(
        self, status: int, slug: str, message: str, hint: str, detail: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.slug = slug
        self.message = message
        self.hint = hint
        self.detail = detail

    @property
    def code(self) -> str:
        """The error code: ``QM`` and the HTTP status. The database uses the same code as
        SQLSTATE.
        """
        return f"QM{self.status}"

    @property
    def is_retryable(self) -> bool:
        """Whether the same call may succeed if it is repeated, for example after a transaction
        conflict.
        """
        return self.slug == "retryable"

    def __str__(self) -> str:
        text = f"{self.code} {self.slug}: {self.message}"
        if self.detail:
            text += f" ({self.detail})"
        return f"{text} Hint: {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[type[QmError], tuple[int, str, str, str, str | None]]:
        # By default, only the message would be copied, and the error could not be passed between
        # processes. Another process can only show the error, so it needs no subclass.
        return QmError, (self.status, self.slug, self.message, self.hint, self.detail)

    def as_dict(self, request_id: str | None = None) -> dict[str, dict[str, str | None]]:
        """Returns the error response of every route: ``{"error": {code, slug, message, hint,
        detail}}``.

        Args:
            request_id: request id to add to the response, if any.
        """
        body: dict[str, str | None] = {
            "code": self.code,
            "slug": self.slug,
            "message": self.message,
            "hint": self.hint,
            "detail": self.detail,
        }
        if request_id is not None:
            body["request_id"] = request_id
        return {"error": body}

    @classmethod
    def from_sqlstate(
        cls,
        sqlstate: str,
        constraint: str | None,
        message: str,
        hint: str | None,
        detail: str | None,
    ) -> QmError:
        """Converts an error from the database.

        Args:
            sqlstate: SQLSTATE code, five characters.
            constraint: slug of an error that our functions raised, or the violated constraint.
            message, hint, detail: texts that the server sent.

        Returns:
            QM504 ``timeout``, QM503 ``retryable``, ``database_read_only`` or
            ``database_unavailable``, QM403 ``not_permitted``, or QM409 or QM422 with the name of
            the constraint as slug. A SQLSTATE ``QMnnn`` gives this same error. Anything else gives
            QM500 ``internal``, which does not reveal the server's text.
        """
        if sqlstate.startswith("QM") and sqlstate[2:].isdecimal():
            slug = constraint or "unnamed"
            return cls(int(sqlstate[2:]), slug, message, hint or "", detail or None)
        if sqlstate == "42501":
            text = "This principal may not do that."
            hint = hint or "Use a key with the right role, or ask an administrator."
            return cls(403, "not_permitted", text, hint)
        if sqlstate == "23505":
            hint = hint or "Use another name, or change the existing row."
            return cls(409, constraint or "already_exists", message, hint, detail)
        if sqlstate[:2] in {"22", "23"}:
            text = _NUL if sqlstate in _NUL_SQLSTATES else message
            hint = hint or "Correct the value and try again."
            return cls(422, constraint or "invalid_value", text, hint, detail)
        return cls._passing(sqlstate, message) or cls.internal()

    @classmethod
    def _passing(cls, sqlstate: str, message: str) -> QmError | None:
        """Returns the error for a condition that ends by itself or when somebody repairs the
        database; None for other conditions.
        """
        if sqlstate == "57014":
            return cls(
                504,
                "timeout",
                "The database did not answer within the time limit.",
                "Request less data, or raise database.statement_timeout_ms in the settings.",
            )
        if sqlstate in RETRYABLE_SQLSTATES:
            return cls(
                503,
                "retryable",
                "Another transaction changed the same rows at the same time.",
                "Send the same request again.",
            )
        # SQLSTATE classes: 28: the login was refused; 3D: no such database; 53: no connections or
        # memory are left; 55: not ready. 3F: Quartermaster was taken out of the database.
        is_gone = sqlstate == "3F000" and ('"api"' in message or '"service"' in message)
        away = ("08", "28", "3D", "53", "55", "57P0")
        if is_gone or sqlstate == "25006" or sqlstate.startswith(away):
            is_read_only = sqlstate in _READ_ONLY_SQLSTATES
            return cls(
                503,
                "database_read_only" if is_read_only else "database_unavailable",
                f"The database {'can only be read' if is_read_only else 'is not reachable'}.",
                "Try again shortly. To see what is wrong, run `qm doctor`.",
            )
        return None

    @classmethod
    def internal(cls) -> QmError:
        """Returns the error QM500 internal, whose message does not reveal the cause."""
        return cls(
            500,
            "internal",
            "An internal error occurred.",
            "The log contains the cause under this request id. Please report this error.",
        )


def argument_invalid(message: str, hint: str) -> QmError:
    """Returns QM422 argument_invalid, for an argument that cannot be used."""
    return QmError(422, "argument_invalid", message, hint)


def unreadable(path: Path, error: OSError) -> QmError:
    """Returns QM404 file_not_found, for a file that cannot be read."""
    what = f"{path} cannot be read: {error.strerror}."
    return QmError(404, "file_not_found", what, "Check the path.")


def unwritable(path: Path, error: OSError) -> QmError:
    """Returns QM422 file_not_writable, for a file that cannot be written."""
    return QmError(
        422,
        "file_not_writable",
        f"{path} cannot be written: {error.strerror}.",
        "Choose a file in an existing folder that you may write to.",
    )


class WaitError(QmError):
    """Error QM429, for a principal that has used up its share.

    Args:
        slug, message, hint: see `QmError`.
        retry_after_s: seconds until the request may succeed.
    """

    def __init__(self, slug: str, message: str, hint: str, retry_after_s: float) -> None:
        super().__init__(429, slug, message, hint)
        self.retry_after_s = retry_after_s

    @property
    def header(self) -> str:
        """The value of the header Retry-After: whole seconds, at least one."""
        return str(max(1, ceil(self.retry_after_s)))
