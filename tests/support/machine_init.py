"""Process 1 of a machine: makes its namespaces, enters its root filesystem, and waits.

Run as root with one argument, the machine as JSON (see `machines.Machine`). Prints the process id
of process 1 when the machine is there. The kernel ends everything in it when standard input closes.

pivot_root, not chroot: a process in a chroot may not make a user namespace.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

_NEW_NAMESPACE = {
    "mount": 0x00020000,
    "uts": 0x04000000,
    "ipc": 0x08000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
_SET_FLAGS = 0x8914  # SIOCSIFFLAGS
_IS_UP = 0x1
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_SIGKILL = 9
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_libc = ctypes.CDLL(None, use_errno=True)


def main(machine: dict[str, Any]) -> None:
    mapped, made, found = os.pipe(), os.pipe(), os.pipe()
    # A process whose children have other process ids than ours cannot have the network's, too.
    if os.fork() == 0:
        _libc.prctl(_DIE_WITH_PARENT, _SIGKILL)
        _unshare("mount", "uts", "ipc", "pid", "net")
        child = os.fork()
        if child == 0:
            _libc.prctl(_DIE_WITH_PARENT, _SIGKILL)
            _be_process_one(machine, mapped[0], made[1])
        os.close(made[1])
        os.write(found[1], str(child).encode())
        os.waitpid(child, 0)
        os._exit(0)
    os.close(made[1])
    child = int(os.read(found[0], 32))
    network = _connect(child) if machine["network"] else None
    if machine["max_user_namespaces"] is not None:
        os.read(made[0], 1)
        for name in ("uid_map", "gid_map"):
            Path(f"/proc/{child}/{name}").write_text("0 0 65536\n")
        os.write(mapped[1], b"m")
    if os.read(made[0], 1) != b"r":
        sys.exit("the machine could not be made")
    sys.stdout.write(f"{child}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    os.kill(child, _SIGKILL)
    os.wait()
    if network is not None:
        network.terminate()
        network.wait()


def _connect(child: int) -> subprocess.Popen[bytes]:
    """Gives the machine a network that reaches whatever this machine reaches, but not this one."""
    ready = os.pipe()
    command = ["slirp4netns", "--configure", "--mtu=65520", "--disable-host-loopback"]
    process = subprocess.Popen(
        [*command, f"--ready-fd={ready[1]}", str(child), "tap0"],
        pass_fds=[ready[1]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(ready[1])
    if os.read(ready[0], 1) != b"1":
        sys.exit("slirp4netns could not make a network")
    return process


def _be_process_one(machine: dict[str, Any], mapped: int, made: int) -> NoReturn:
    _mount_all(machine)
    # Nothing of this process may keep the machine's files open, or be open to the machine.
    os.chdir("/")
    socket.sethostname("machine")
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", _IS_UP))
    if (limit := machine["max_user_namespaces"]) is not None:
        outside = Path("/proc/self/ns/user").readlink()
        _unshare("user")
        os.write(made, b"u")
        os.read(mapped, 1)
        # The setting belongs to the user namespace of whoever opens it: never to the machine's.
        assert Path("/proc/self/ns/user").readlink() != outside
        Path("/proc/sys/user/max_user_namespaces").write_text(str(limit))
    os.write(made, b"r")
    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.closerange(3, 1024)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            # Orphans may come later.
            _libc.usleep(200_000)


def _mount_all(machine: dict[str, Any]) -> None:
    place = Path(machine["place"])
    root = place / "root"
    for name in ("root", "upper", "work"):
        (place / name).mkdir(exist_ok=True)
    _run("mount", "--make-rprivate", "/")
    layers = f"lowerdir={machine['lower']},upperdir={place / 'upper'},workdir={place / 'work'}"
    _run("mount", "-t", "overlay", "-o", layers, "overlay", root)
    for source, inside in machine["shown"].items():
        target = root / inside.lstrip("/")
        if Path(source).is_dir():
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
        _run("mount", "--bind", "-o", "ro", source, target)
    for inside, size in machine["small"].items():
        target = root / inside.lstrip("/")
        owner = target.stat()
        options = (
            f"size={size},uid={owner.st_uid},gid={owner.st_gid},mode={owner.st_mode & 0o777:o}"
        )
        _run("mount", "-t", "tmpfs", "-o", options, "tmpfs", target)
    _run("mount", "-t", "proc", "proc", root / "proc")
    _run("mount", "-t", "sysfs", "-o", "ro", "sysfs", root / "sys")
    _run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", root / "dev")
    for device in _DEVICES:
        (root / "dev" / device).touch()
        _run("mount", "--bind", f"/dev/{device}", root / "dev" / device)
    for folder in ("pts", "shm"):
        (root / "dev" / folder).mkdir()
    terminals = "newinstance,ptmxmode=0666,mode=620"
    _run("mount", "-t", "devpts", "-o", terminals, "devpts", root / "dev/pts")
    _run("mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", root / "dev/shm")
    (root / "dev/ptmx").symlink_to("pts/ptmx")
    (root / "dev/fd").symlink_to("/proc/self/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        (root / "dev" / name).symlink_to(f"/proc/self/fd/{number}")
    (root / "before").mkdir()
    _run("pivot_root", root, root / "before")
    os.chdir("/")
    _check(_libc.umount2(b"/before", 2), "umount2")
    Path("/before").rmdir()


def _unshare(*kinds: str) -> None:
    _check(_libc.unshare(sum(_NEW_NAMESPACE[kind] for kind in kinds)), "unshare")


def _check(status: int, what: str) -> None:
    if status != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
