"""Asks `fork_server.py` for a program, and ends as that ends.

Run as ``python fork_client.py SOCKET SCRIPT ARGUMENT...``.
"""

from __future__ import annotations

import marshal
import os
import socket
import sys

with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
    server.connect(sys.argv[1])
    asked = marshal.dumps((sys.argv[2:], dict(os.environ), os.getcwd()))  # noqa: PTH109 (to import pathlib takes longer than all this)
    socket.send_fds(server, [asked], [0, 1, 2])
    server.recv(4)  # Its process id.
    status = server.recv(1)
sys.exit(status[0] if status else 1)
