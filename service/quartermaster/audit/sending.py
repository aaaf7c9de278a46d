"""Sends signed heads of the audit chain to places where users of this machine cannot change
them.
"""

from __future__ import annotations

import json
import socket
import sys
from base64 import b64encode
from contextlib import suppress
from datetime import timedelta
from hashlib import md5
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import anyio.to_thread
import httpx2
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import from_url

_SEND_S: Final = 10.0
_SYSLOG: Final = Path("/var/run/syslog" if sys.platform == "darwin" else "/dev/log")
_SYSLOG_PORT: Final = 514
# Facility auth (4), severity notice (5), as in RFC 3164.
_PRIORITY: Final = 4 * 8 + 5


class NotSentError(Exception):
    """A head of the audit chain could not be sent; the message says why."""


async def send(target: str, line: str) -> None:
    """Sends one head.

    Args:
        target: ``syslog`` (this machine's), ``syslog://HOST[:PORT]`` (UDP), an ``http(s)://`` URL
            (POST), ``s3://BUCKET/PREFIX`` (one object for each head, credentials from the
            environment), or the path of a file.
        line: the head as JSON.

    Raises:
        NotSentError: the target did not accept the head.
    """
    try:
        if target == "syslog" or target.startswith("syslog://"):
            await anyio.to_thread.run_sync(_log, target, line)
        elif target.startswith(("http://", "https://")):
            await _post(target, line)
        elif target.startswith("s3://"):
            await _put(target, line)
        else:
            await anyio.to_thread.run_sync(_append, Path(target), line)
    except (httpx2.HTTPError, BaseError, OSError, ValueError) as error:
        raise NotSentError(str(error)) from error


def _log(target: str, line: str) -> None:
    message = f"<{_PRIORITY}>quartermaster: {line}".encode()
    if target == "syslog":
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as local:
            local.settimeout(_SEND_S)
            local.connect(str(_SYSLOG))
            local.send(message)
        return
    url = urlsplit(target)
    host, port = url.hostname or "", url.port or _SYSLOG_PORT
    [(family, kind, _, _, address), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    with socket.socket(family, kind) as remote:
        remote.sendto(message, address)


async def _post(url: str, line: str) -> None:
    async with httpx2.AsyncClient(timeout=_SEND_S) as client:
        headers = {"content-type": "application/json"}
        (await client.post(url, content=line, headers=headers)).raise_for_status()


async def _put(url: str, line: str) -> None:
    content = f"{line}\n".encode()
    digest = b64encode(md5(content, usedforsecurity=False).digest()).decode()
    store = from_url(
        url,
        # A bucket with object lock accepts only objects with their MD5, which is not sent unless
        # it is given here. HTTP is used only if the endpoint in the environment says so.
        client_options={"default_headers": {"content-md5": digest}, "allow_http": True},
        retry_config={"max_retries": 1, "retry_timeout": timedelta(seconds=_SEND_S)},
    )
    head = json.loads(line)
    # In the order of their names, the objects are in the order in which they were signed.
    name = f"{head['record']:012}-{head['hash'][:16]}.json"
    # Perhaps the last attempt arrived, but its answer did not.
    with suppress(AlreadyExistsError):
        await store.put_async(name, content, mode="create")


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
