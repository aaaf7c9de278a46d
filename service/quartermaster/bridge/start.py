"""Decides whether ``qm stdio`` works as a bridge to a running service, and runs the bridge."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn
from urllib.parse import quote

from quartermaster.bridge import KEY_VARIABLE
from quartermaster.bridge.bridge import Bridge
from quartermaster.bridge.link import ServiceLink
from quartermaster.core import paths
from quartermaster.core.errors import QmError

_OPTIONS: Final = ("--data-dir", "--toolset", "--origin")
_LIST_ALL: Final = "--list-all"


def bridge_if_served(arguments: Sequence[str]) -> None:
    """Runs the bridge to its end if a service is running; otherwise, returns at once.

    Args:
        arguments: arguments of ``qm stdio``. If this function does not know one of them, it
            returns, and the command line handles all arguments.
    """
    options = _read(arguments)
    if options is None or len(options.keys() & {"--toolset", "--origin"}) == 2:
        return
    given = options.get("--data-dir")
    data_dir = Path(given) if given is not None else None
    path = "/mcp"
    if (toolset := options.get("--toolset")) is not None:
        path = f"/mcp/{quote(toolset, safe='')}"
    if (origin := options.get("--origin")) is not None:
        path = f"/mcp/transparent/{quote(origin, safe='')}"
    elif _LIST_ALL in options:
        path += "?list=all"

    def find() -> ServiceLink | None:
        run = paths.find_service(data_dir)
        return run and ServiceLink(run, path, os.environ.get(KEY_VARIABLE) or run.token)

    with suppress(QmError):  # the command line explains it
        if find() is not None:
            _run(find)


def _read(arguments: Sequence[str]) -> dict[str, str] | None:
    options: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name == _LIST_ALL and not equals:
            options[name] = ""
            continue
        if name not in _OPTIONS or not (equals or rest):
            return None
        options[name] = value if equals else rest.pop(0)
    return options


class _Stopped(BaseException):
    """A signal has asked this process to end."""


def _stop(*_: object) -> NoReturn:
    raise _Stopped


def _run(find: Callable[[], ServiceLink | None]) -> NoReturn:
    # Whatever is printed by mistake goes to standard error, and reads nothing of the client.
    source, sink, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.set_blocking(sink, True)

    def leave() -> NoReturn:
        with suppress(BaseException):
            bridge.end()
        # Threads that still wait for an answer are not waited for.
        os._exit(0)

    bridge = Bridge(find, sink, leave)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _stop)
    with suppress(_Stopped), os.fdopen(source, "rb") as lines:
        for line in lines:
            bridge.receive(line)
        bridge.finish()
    leave()
