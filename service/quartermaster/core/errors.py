"""The one kind of error people and programs see, and how SQLSTATE becomes it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

RETRYABLE_SQLSTATES: Final = frozenset({"40001", "40P01", "55P03"})


class QmError(Exception):
    """Something a caller can act on.

    Args:
        status: HTTP status, 400 to 599; the code is ``QM`` followed by it.
        slug: stable snake_case name of the broken rule, the key of the error registry.
        message: what happened, with the value.
        hint: the caller's next step.
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
        """``QM`` and the HTTP status, as in the database's SQLSTATE."""
        return f"QM{self.status}"

    @property
    def is_retryable(self) -> bool:
        """True when the same call may succeed at once: a lost race between transactions."""
        return self.slug == "retryable"

    def __str__(self) -> str:
        text = f"{self.code} {self.slug}: {self.message}"
        if self.detail:
            text += f" ({self.detail})"
        return f"{text} Hint: {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[type[QmError], tuple[int, str, str, str, str | None]]:
        # The default keeps only the message, so an error could not cross a process pool.
        return type(self), (self.status, self.slug, self.message, self.hint, self.detail)

    def as_dict(self, request_id: str | None = None) -> dict[str, dict[str, str | None]]:
        """The error answer of every route: ``{"error": {code, slug, message, hint, detail}}``.

        Args:
            request_id: added as ``request_id`` when given.
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
        """Converts an error of the database.

        Args:
            sqlstate: five characters.
            constraint: the slug of an error raised by our functions, or the violated constraint.
            message, hint, detail: as the server sent them.

        Returns:
            QM504 ``timeout``, QM503 ``retryable`` or ``database_unavailable``, QM403
            ``not_permitted``, QM409 and QM422 named after the constraint, the error itself
            for ``QMnnn``; else QM500 ``internal``, which tells nothing of the server's text.
        """
        if sqlstate.startswith("QM") and sqlstate[2:].isdecimal():
            return cls(
                int(sqlstate[2:]), constraint or "unnamed", message, hint or "", detail or None
            )
        if sqlstate == "42501":
            return cls(
                403,
                "not_permitted",
                "This principal may not do that.",
                hint or "Use a key with the right role, or ask an administrator.",
            )
        if sqlstate == "23505":
            return cls(
                409,
                constraint or "already_exists",
                message,
                hint or "Use another name, or change the existing row.",
                detail,
            )
        if sqlstate[:2] in {"22", "23"}:
            return cls(
                422,
                constraint or "invalid_value",
                message,
                hint or "Correct the value and try again.",
                detail,
            )
        if sqlstate == "57014":
            return cls(
                504,
                "timeout",
                "The database did not answer within the time limit.",
                "Narrow the request, or raise database.statement_timeout_ms in the settings.",
            )
        if sqlstate in RETRYABLE_SQLSTATES:
            return cls(
                503,
                "retryable",
                "Another transaction won the race for the same rows.",
                "Send the same request again.",
            )
        # 28: the login was refused; 53: no connection or memory left; 55: not ready.
        if sqlstate.startswith(("08", "28", "53", "55", "57P0")):
            return cls(
                503,
                "database_unavailable",
                "The database is not reachable.",
                "Try again shortly; `qm doctor` says what is wrong.",
            )
        return cls.internal()

    @classmethod
    def internal(cls) -> QmError:
        """The message for an internal error, which does not reveal its cause."""
        return cls(
            500,
            "internal",
            "An internal error happened.",
            "The log has the cause under this request id; please report it.",
        )


def argument_invalid(message: str, hint: str) -> QmError:
    """QM422 argument_invalid: an argument cannot be used."""
    return QmError(422, "argument_invalid", message, hint)


def unreadable(path: Path, error: OSError) -> QmError:
    """QM404 file_not_found: a file that somebody named cannot be read."""
    what = f"{path} cannot be read: {error.strerror}."
    return QmError(404, "file_not_found", what, "Check the path.")
