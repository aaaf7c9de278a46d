"""Asks `fork_server.py` for a program, and ends as that ends.

Run as ``python fork_client.py SOCKET SCRIPT ARGUMENT...``.
"""

from __future__ import annotations

import socket
import sys

with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    socket.send_fds(server, ["\0".join(sys.argv[2:]).encode()], [0, 1, 2])
    status = server.recv(1)
sys.exit(status[0] if status else 1)
