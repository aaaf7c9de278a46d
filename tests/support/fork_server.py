"""Runs Python programs in forks of itself: ``python fork_server.py LISTENER SCRIPT``.

What SCRIPT imports is imported before. `fork_client.py` asks for a program; it has the streams, the
environment and the folder of its client, and ends with it. LISTENER is the number of a descriptor;
the end of stdin is ours.
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

# The most that a client may ask for: its arguments and its environment.
_MOST = 2**18


def serve(listener: socket.socket) -> None:
    """Until nobody holds the other end of stdin."""
    while listener in select.select([listener, 0], [], [])[0]:
        client, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            os._exit(attend(client))
        client.close()


def attend(client: socket.socket) -> int:
    """Run what a client asks for, and end it when the client has.

    The client is told its process id, and at the end its exit status.
    """
    asked, streams, _, _ = socket.recv_fds(client, _MOST, 3)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    program = os.fork()
    if program == 0:
        client.close()
        become(asked, streams)
    for stream in (0, 1, 2, *streams):
        os.close(stream)
    client.send(program.to_bytes(4))
    if client in select.select([client, os.pidfd_open(program)], [], [])[0]:
        os.kill(program, signal.SIGKILL)
    _, status = os.waitpid(program, 0)
    client.send(bytes([os.waitstatus_to_exitcode(status) % 256]))
    return 0


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
    """The exit status of a program, as Python tells it."""
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
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    serve(socket.socket(fileno=int(sys.argv[1])))
