"""A warm process that runs the scanners that are Python packages, one file after the other.

Run as ``python -I -m quartermaster.quality.scanners.worker``. A message is four bytes of length and
JSON. The request names a module of this package, whose function ``examine`` does the work.
"""

from __future__ import annotations

import base64
import importlib
import json
import logging
import os
import sys
from typing import IO, Any, Final

from quartermaster.quality.scanners.interface import (
    Settings,
    Source,
    UnreadableError,
    scan_as_dict,
)

_PACKAGE: Final = "quartermaster.quality.scanners"
MODULES: Final = (
    "taint",
    "bandit",
    "radon",
    "vulture",
    "secrets",
    "lizard",
    "mypy",
    "coverage",
    "messaging",
    "decisions",
)


def main() -> None:
    """Answers requests until stdin is closed."""
    requests = sys.stdin.buffer
    # Whatever a scanner prints must not stand between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_WRONLY)
    logging.disable(logging.CRITICAL)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    while (request := receive(requests)) is not None:
        send(answers, _answer(request))


def receive(stream: IO[bytes]) -> dict[str, Any] | None:
    """The next message, or None at the end."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    return json.loads(stream.read(int.from_bytes(head, "big")))


def send(stream: IO[bytes], message: dict[str, Any]) -> None:
    """Writes a message."""
    body = json.dumps(message).encode()
    stream.write(len(body).to_bytes(4, "big") + body)
    stream.flush()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    if request["module"] not in MODULES:
        return {"unreadable": "There is no such scanner."}
    before = list(sys.path)
    module = importlib.import_module(f"{_PACKAGE}.{request['module']}")
    # lizard adds the folder of this program, whose modules have the names of packages.
    sys.path[:] = before
    if "data" not in request:  # to warm up
        return {}
    source = Source(request["path"], base64.b64decode(request["data"]))
    settings = Settings.from_dict(request["settings"])
    extra = {name: base64.b64decode(data) for name, data in request["extra"].items()}
    try:
        return {"scan": scan_as_dict(module.examine(source, settings, **extra))}
    except UnreadableError as error:
        return {"unreadable": str(error)}
    except RecursionError:
        return {"unreadable": "The code is nested too deeply."}
    except Exception as error:  # noqa: BLE001 - a scanner may raise anything; its file is an error
        # Not its text, which may quote the file.
        return {"unreadable": f"The scanner failed with {type(error).__name__}."}


if __name__ == "__main__":
    main()
