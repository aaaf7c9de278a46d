"""Asks `fork_server.py` for a program, and ends as that ends.

Run as ``python fork_client.py SOCKET SCRIPT ARGUMENT...``.
"""

from __future__ import annotations

import _socket
import array
import marshal
import os
import sys

# The modules `socket` and `pathlib` would take most of the time of this one.
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
server.connect(sys.argv[1])
asked = marshal.dumps((sys.argv[2:], dict(os.environ), os.getcwd()))  # noqa: PTH109
streams = array.array("i", [0, 1, 2])
server.sendmsg([asked], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.recv(4)  # Its process id.
status = server.recv(1)
sys.exit(status[0] if status else 1)
