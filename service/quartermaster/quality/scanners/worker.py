"""A warm process that runs the scanners that are Python packages, one file after the other.

Run as ``python -I -m quartermaster.quality.scanners.worker``. A message is four bytes of length and
JSON. The request names a module of this package, whose function ``examine`` does the work.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
from typing import Final

from quartermaster.quality.findings import Scan
from quartermaster.quality.scanners.interface import ANSWER, REQUEST, Request, UnreadableError

_PACKAGE: Final = "quartermaster.quality.scanners"


def main() -> None:
    """Answers requests until stdin is closed."""
    requests = sys.stdin.buffer
    # Whatever a scanner prints must not stand between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_WRONLY)
    logging.disable(logging.CRITICAL)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    while len(head := requests.read(4)) == 4:
        body = _answer(REQUEST.validate_json(requests.read(int.from_bytes(head, "big"))))
        answers.write(len(body).to_bytes(4, "big") + body)
        answers.flush()


def _answer(request: Request) -> bytes:
    try:
        return _as_bytes(_examined(request))
    except UnreadableError as error:
        reason = str(error)
    except RecursionError:
        reason = "The code is nested too deeply."
    except Exception as error:  # noqa: BLE001 - a scanner may raise anything; its file is an error
        # Not its text, which may quote the file.
        reason = f"The scanner failed with {type(error).__name__}."
    return _as_bytes(reason)


def _as_bytes(answer: Scan | str) -> bytes:
    # Code may name things with half of a surrogate pair, which becomes a question mark.
    text = json.dumps(ANSWER.dump_python(answer, mode="json"), ensure_ascii=False)
    return text.encode("utf-8", "replace")


def _examined(request: Request) -> Scan | str:
    before = list(sys.path)
    try:
        module = importlib.import_module(f"{_PACKAGE}.{request.module}")
    finally:
        # lizard adds the folder of this program, whose modules have the names of packages.
        sys.path[:] = before
    if request.source is None:  # to warm up
        return ""
    return module.examine(request.source, request.settings, **request.extra)


if __name__ == "__main__":
    main()
