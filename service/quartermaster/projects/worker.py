"""A worker: a process that reads untrusted files, one request after the other.

Run as ``python -I -m quartermaster.projects.worker``. A message is four bytes of length and a body.
The request names one of our functions and the processor time in seconds that the function may use.
The output of the function is discarded. If a worker exceeds a limit, the kernel ends it, and only
its current request fails.
"""

from __future__ import annotations

import logging
import os
import resource
import sys
from math import ceil
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.projects.worker_calls import REASON, WorkerError, error_answer, wire_named

MOST_FILES: Final = 256
_LARGEST_FILE: Final = 256 << 20
# The reaper measures memory every half second; this holds in between.
_ADDRESSES: Final = 4 << 30


def main() -> None:
    """Answers requests until stdin is closed."""
    _limit(resource.RLIMIT_NOFILE, MOST_FILES)
    _limit(resource.RLIMIT_FSIZE, _LARGEST_FILE)
    _limit(resource.RLIMIT_AS, _ADDRESSES)
    _limit(resource.RLIMIT_CORE, 0)
    requests = sys.stdin.buffer
    # Whatever a parser prints must not stand between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_WRONLY)
    logging.disable(logging.CRITICAL)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    while len(head := requests.read(4)) == 4:
        name, cpu_s, arguments = requests.read(int.from_bytes(head, "big")).split(b"\n", 2)
        used = resource.getrusage(resource.RUSAGE_SELF)
        # The kernel ends this process if it uses more.
        _limit(resource.RLIMIT_CPU, ceil(used.ru_utime + used.ru_stime + float(cpu_s)))
        body = _answer(name.decode(), arguments)
        answers.write(len(body).to_bytes(4, "big") + body)
        answers.flush()


def _limit(kind: int, most: int) -> None:
    """Sets the soft limit, which the kernel enforces. Leaves the hard limit unchanged."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _answer(name: str, arguments: bytes) -> bytes:
    try:
        return wire_named(name).called(arguments)
    except QmError as error:
        return error_answer(error)
    except WorkerError as error:
        reason = str(error)
    except RecursionError:
        reason = "The file is nested too deeply."
    except MemoryError:
        # Nobody knows what is left of this process.
        os._exit(1)
    except Exception as error:  # noqa: BLE001 - a parser may raise anything; its file is an error
        # Not its text, which may quote the file.
        reason = f"Reading the file failed with {type(error).__name__}."
    return REASON + reason.encode("utf-8", "replace")


if __name__ == "__main__":
    main()
