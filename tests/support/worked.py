"""Functions that workers call in tests."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

from quartermaster.core.errors import QmError
from quartermaster.projects.worker_calls import WorkerError


def doubled(data: bytes, path: Path) -> tuple[bytes, Path]:
    return data * 2, path


def process() -> int:
    return os.getpid()


def place() -> tuple[int, Path]:
    return os.getpid(), Path.cwd()


def busy() -> None:
    while True:
        pass


def crashed() -> None:
    os.kill(os.getpid(), 11)


def with_much_memory() -> int:
    return len(bytearray(8 << 30))


def with_many_files() -> int:
    return len([os.open("/dev/null", os.O_RDONLY) for _ in range(1_000)])


def deep(depth: int) -> int:
    return deep(depth + 1)


def refused() -> None:
    raise QmError(413, "file_too_large", "It is large.", "Leave it out.", "d")


def unreadable() -> None:
    raise WorkerError("Line 1 is none.")


def broken() -> None:
    raise KeyError("a secret")


def read(path: Path) -> str:
    return path.read_text()


def written(path: Path) -> int:
    return path.write_text("x")


def with_a_socket() -> None:
    socket.socket().close()


def large_file(path: Path) -> int:
    with path.open("wb") as file:
        return sum(file.write(bytes(1 << 20)) for _ in range(400))


def waits(notes: Path) -> None:
    (notes / f"busy-{os.getpid()}").touch()
    signal.pause()


def starts(notes: Path) -> str:
    (notes / f"started-{os.getpid()}").touch()
    return "done"
