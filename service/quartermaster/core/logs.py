"""Structured logs: one JSON object per line, with the request id, without secrets."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections import deque
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO, cast
from uuid import uuid4

# structlog is imported where it is used: most commands log nothing, and it takes them 50 ms.
if TYPE_CHECKING:
    from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

MASK: Final = "[masked]"
_SECRET_KEY: Final = re.compile(
    r"(^|_)(token|password|passwd|secret|authorization|api_?key|cookie|credentials?)$"
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_URL_PASSWORD: Final = re.compile(r"(?<=://)([^\s:/@]*):[^\s/@]+@")
_FILE_BYTES: Final = 10 * 2**20
# Shorter values also occur in ordinary words, so they are not masked.
SHORTEST_SECRET: Final = 4

_secrets: set[str] = set()
# The newest tokens that are valid for only a few minutes. Older tokens are dropped, because all
# such tokens together would need more and more memory and would slow down logging.
_passing: deque[str] = deque(maxlen=256)


def register_secret(value: str, *, passing: bool = False) -> None:
    """Hides a value of at least four characters in all later log lines.

    Args:
        value: value to hide.
        passing: whether the value is short-lived; only the last 256 short-lived values are hidden.
    """
    if passing and value not in _passing:
        _passing.append(value)
    elif not passing and len(value) >= SHORTEST_SECRET:
        _secrets.add(value)


def mask(text: str) -> str:
    """Returns the text without registered secrets and without passwords inside URLs."""
    # The longest secret is replaced first, because a secret may be part of another secret.
    for secret in sorted({*_secrets, *_passing}, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return _URL_PASSWORD.sub(rf"\1:{MASK}@", text)


def is_secret_key(name: str) -> bool:
    """Returns whether a field with this name contains a secret: ``token``, ``apiKey``,
    ``X-Api-Key``...
    """
    return bool(_SECRET_KEY.search(_CAMEL.sub("_", name).lower().replace("-", "_")))


def _mask_value(value: object) -> object:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return _mask_mapping(cast("Mapping[object, object]", value))
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_mask_value(item) for item in cast("list[object]", value)]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return mask(repr(value))


def _mask_mapping(mapping: Mapping[object, object]) -> dict[str, object]:
    return {
        str(key): MASK
        if value and not isinstance(value, (bool, int, float)) and is_secret_key(str(key))
        else _mask_value(value)
        for key, value in mapping.items()
    }


def _mask_event(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    # structlog's own entries (`_record`) are objects that a later processor removes.
    own = {key: value for key, value in event.items() if key.startswith("_")}
    public = {key: value for key, value in event.items() if not key.startswith("_")}
    return {**_mask_mapping(cast("Mapping[object, object]", public)), **own}


class _LogFile(RotatingFileHandler):
    """A file that only its owner can read. When it is full, it replaces the file ``NAME.1``."""

    terminator = ""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=_FILE_BYTES, backupCount=1, encoding="utf-8")

    def _open(self) -> Any:
        file = super()._open()
        os.fchmod(file.fileno(), 0o600)
        return file

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - as logging names it
        """Ignores an error in logging itself, so that a full disk does not fill the terminal with
        stack traces.
        """


class _Destination:
    """Writes whole lines to the log file, to the current value of `sys.stderr`, or to both."""

    def __init__(self, file: Path | None, *, stderr: bool) -> None:
        self._file = file and _LogFile(file)
        self._to_stderr = stderr

    def write(self, text: str) -> None:
        if self._to_stderr:
            sys.stderr.write(text)
            sys.stderr.flush()
        if self._file is not None:
            self._file.handle(logging.makeLogRecord({"msg": text}))

    def flush(self) -> None:
        pass

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


class _Handler(logging.StreamHandler[Any]):
    """A handler that writes the log records of the standard library."""

    def close(self) -> None:
        super().close()
        self.stream.close()


def configure(
    level: str = "info", *, json: bool = True, file: Path | None = None, stderr: bool = True
) -> None:
    """Sets up logging for this process, for both structlog and the standard library.

    Args:
        level: log level: debug, info, warning, error or critical.
        json: whether to write one JSON object per line; False writes coloured lines for people.
        file: file to append to; the file and its predecessor together have at most 20 MiB.
        stderr: whether to write to standard error.
    """
    import structlog

    threshold = logging.getLevelNamesMapping()[level.upper()]
    destination = cast("TextIO", _Destination(file, stderr=stderr))
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        _mask_event,
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if json
        else structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=lambda *_: structlog.WriteLogger(destination),
        cache_logger_on_first_use=False,
    )
    handler = _Handler(destination)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    for former in [each for each in root.handlers if isinstance(each, _Handler)]:
        root.removeHandler(former)
        former.close()
    root.addHandler(handler)
    # Other packages log from level warning upwards, or from the given level if it is higher.
    root.setLevel(max(threshold, logging.WARNING))


def get_logger(**context: object) -> FilteringBoundLogger:
    """Returns a logger that adds this context to its lines: ``get_logger(part="ingest")``."""
    import structlog

    return structlog.get_logger(**context)


@contextmanager
def request_scope(request_id: str | None = None) -> Generator[str]:
    """Adds one ``request_id`` to everything that is logged in the block.

    Yields:
        The given request id, or a new one with 32 hexadecimal digits.
    """
    import structlog

    bound = request_id or uuid4().hex
    with structlog.contextvars.bound_contextvars(request_id=bound):
        yield bound


def current_request_id() -> str | None:
    """Returns the id of the current request, or None outside a request."""
    import structlog

    return structlog.contextvars.get_contextvars().get("request_id")
