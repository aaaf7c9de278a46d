"""Runs programs in forks of itself: ``python fork_server.py LISTENER SCRIPT``.

What SCRIPT imports is imported before. `fork_client.py` asks for a program; a fork has the streams
of its client and ends with it. LISTENER is the number of a descriptor; the end of stdin is ours.
"""

from __future__ import annotations

import gc
import os
import runpy
import select
import signal
import socket
import sys
import threading
import traceback


def serve(listener: socket.socket) -> None:
    """Until nobody holds the other end of stdin."""
    while listener in select.select([listener, 0], [], [])[0]:
        client, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            become(client)
        client.close()


def become(client: socket.socket) -> None:
    """Be the program that a client asks for, to its end."""
    asked, streams, _, _ = socket.recv_fds(client, 2**16, 3)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    threading.Thread(target=end_with, args=[client], daemon=True).start()
    sys.argv = asked.decode().split("\0")
    status = 1
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
        status = 0
    except BaseException:  # noqa: BLE001 (a fork must not go on as the server)
        traceback.print_exc()
    sys.stdout.flush()
    client.send(bytes([status]))
    os._exit(status)


def end_with(client: socket.socket) -> None:
    """End at once when the client has."""
    client.recv(1)
    os._exit(1)


if __name__ == "__main__":
    # What is imported is never garbage; collecting it would copy its pages into every fork.
    gc.disable()
    runpy.run_path(sys.argv[2])
    gc.freeze()
    gc.enable()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    serve(socket.socket(fileno=int(sys.argv[1])))
