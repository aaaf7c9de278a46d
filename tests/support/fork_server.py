"""Runs Python programs in forks of itself: ``python fork_server.py LISTENER SCRIPT``.

What SCRIPT imports is imported before. `fork_client.py` asks for a program; it has the streams, the
environment and the folder of its client, and ends with it. LISTENER is the number of a descriptor;
the end of stdin is ours, and that of every program. Stdout ends when everything is imported.
"""

from __future__ import annotations

import gc
import marshal
import os
import runpy
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress

# The most that a client may ask for: its arguments and its environment.
_MOST = 2**18


def serve(listener: socket.socket) -> None:
    """Until nobody holds the other end of stdin.

    A client is told the process id of its program, and at the end the exit status. A program whose
    client has ended is killed.
    """
    # Process id and client, by a descriptor of the process.
    programs: dict[int, tuple[int, socket.socket]] = {}
    while True:
        clients = [client for _, client in programs.values()]
        ready = select.select([0, listener, *programs, *clients], [], [])[0]
        if 0 in ready:
            break
        for process, (pid, client) in [*programs.items()]:
            if client in ready:
                os.kill(pid, signal.SIGKILL)
            if client in ready or process in ready:
                _, status = os.waitpid(pid, 0)
                with suppress(OSError):
                    client.send(bytes([os.waitstatus_to_exitcode(status) % 256]))
                client.close()
                os.close(process)
                del programs[process]
        if listener in ready:
            client, _ = listener.accept()
            asked, streams, _, _ = socket.recv_fds(client, _MOST, 3)
            pid = os.fork()
            if pid == 0:
                for other in (listener, client, *clients):
                    other.close()
                for process in programs:
                    os.close(process)
                become(asked, streams)
            for stream in streams:
                os.close(stream)
            programs[os.pidfd_open(pid)] = (pid, client)
            with suppress(OSError):
                client.send(pid.to_bytes(4))
    for pid, _ in programs.values():
        os.kill(pid, signal.SIGKILL)


def become(asked: bytes, streams: list[int]) -> None:
    """Be a program, to its end."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.argv, environment, folder = marshal.loads(asked)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    status = run(sys.argv[0])
    sys.stdout.flush()
    os._exit(status)


def run(path: str) -> int:
    """Returns the exit status of a program, as Python tells it."""
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        sys.stderr.write(f"{end.code}\n")
    except BaseException:  # noqa: BLE001 (a fork must not go on as the server)
        traceback.print_exc()
    else:
        return 0
    return 1


if __name__ == "__main__":
    # What is imported is never garbage; collecting it would copy its pages into every fork.
    gc.disable()
    runpy.run_path(sys.argv[2])
    gc.freeze()
    gc.enable()
    # Whoever waits for it knows that programs start in a moment now.
    os.close(1)
    os.open(os.devnull, os.O_WRONLY)
    serve(socket.socket(fileno=int(sys.argv[1])))
