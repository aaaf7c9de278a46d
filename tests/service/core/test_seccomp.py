"""Which system calls a filter lets through, on each architecture: its program is run here."""

from __future__ import annotations

import errno
import json
import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from quartermaster.core import seccomp
from quartermaster.core.reaped import reaped
from quartermaster.core.seccomp import (
    ALLOW,
    AND,
    ANY_OF,
    ARCHITECTURES,
    AT_LEAST,
    EQUAL,
    LOAD,
    REFUSE,
    RETURN,
    X32,
    program,
)

MACHINES = sorted(ARCHITECTURES)
READ = {"x86_64": 0, "aarch64": 63}
SOCKET = {"x86_64": 41, "aarch64": 198}
SOCKETPAIR = {"x86_64": 53, "aarch64": 199}
OPENAT = {"x86_64": 257, "aarch64": 56}
TRUNCATE = {"x86_64": 76, "aarch64": 45}
CLONE = {"x86_64": 56, "aarch64": 220}
PRLIMIT = {"x86_64": 302, "aarch64": 261}
SHMGET = {"x86_64": 29, "aarch64": 194}


def decide(
    machine: str,
    number: int,
    *arguments: int,
    network: bool = False,
    shares_user: bool = True,
    known: int = 7,
    called: int | None = None,
) -> int:
    """Runs the filter as the kernel does; 0 if it lets the call through, otherwise its error."""
    given = [*arguments, 0, 0, 0][:6]
    call = ARCHITECTURES[machine] if called is None else called
    data = struct.pack("=iIQ6Q", number, call, 0, *given, *[0] * (6 - len(given)))
    code = [struct.unpack("=HBBI", each) for each in program(network, shares_user, known, machine)]
    at, value = 0, 0
    while True:
        operation, if_true, if_false, operand = code[at]
        at += 1
        if operation == LOAD:
            (value,) = struct.unpack_from("=I", data, operand)
        elif operation == AND:
            value &= operand
        elif operation == RETURN:
            return 0 if operand == ALLOW else operand - REFUSE
        else:
            holds = {
                EQUAL: value == operand,
                AT_LEAST: value >= operand,
                ANY_OF: bool(value & operand),
            }[operation]
            at += if_true if holds else if_false


@pytest.mark.parametrize("machine", MACHINES)
def test_another_interface_of_the_kernel_is_refused(machine: str) -> None:
    i386 = 0x40000003
    assert decide(machine, READ[machine], called=i386) == errno.ENOSYS
    assert decide(machine, READ[machine] | X32) == errno.ENOSYS
    assert decide(machine, READ[machine]) == 0


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("family", range(50))
def test_only_sockets_of_the_internet_are_opened(machine: str, family: int) -> None:
    allowed = family in {socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK}
    assert (decide(machine, SOCKET[machine], family, network=True) == 0) == allowed
    assert decide(machine, SOCKET[machine], family) == errno.EACCES


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("flags", [0, socket.SOCK_CLOEXEC, socket.SOCK_NONBLOCK])
def test_only_pairs_without_addresses_are_made(machine: str, flags: int) -> None:
    came = {
        kind: decide(machine, SOCKETPAIR[machine], socket.AF_UNIX, kind | flags)
        for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM, socket.SOCK_RAW)
    }
    assert list(came.values()) == [0, 0, errno.EACCES, errno.EACCES]


@pytest.mark.parametrize("machine", MACHINES)
def test_processes_are_started_in_the_same_namespaces(machine: str) -> None:
    threads = 0x3D0F00
    assert decide(machine, CLONE[machine], threads) == 0
    assert decide(machine, CLONE[machine], threads | 0x10000000) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_what_belongs_to_the_user_is_refused_to_whoever_shares_the_user(machine: str) -> None:
    assert decide(machine, PRLIMIT[machine], 0) == 0
    assert decide(machine, PRLIMIT[machine], 1234) == errno.EPERM
    assert decide(machine, SHMGET[machine]) == errno.EPERM
    assert decide(machine, PRLIMIT[machine], 1234, shares_user=False) == 0
    assert decide(machine, SHMGET[machine], shares_user=False) == 0


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("call", "process", "user"), [("setpriority", 0, 2), ("ioprio_set", 1, 3)])
def test_priorities_are_changed_only_of_itself_and_not_of_the_user(
    machine: str, call: str, process: int, user: int
) -> None:
    number = seccomp.PRIORITIES[call][list(ARCHITECTURES).index(machine)]
    assert decide(machine, number, process, 0) == 0
    assert decide(machine, number, process, 1234) == errno.EPERM
    assert decide(machine, number, user, 0) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("known", [1, 2, 3])
def test_an_old_landlock_gets_help_with_cutting_files_off(machine: str, known: int) -> None:
    folder, path = 0, 0
    came = {
        mode: decide(machine, OPENAT[machine], folder, path, os.O_TRUNC | mode, known=known)
        for mode in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR, 3)
    }
    refused = errno.EACCES if known < 3 else 0
    assert list(came.values()) == [refused, 0, 0, refused]
    assert decide(machine, OPENAT[machine], folder, path, os.O_RDONLY, known=known) == 0
    assert bool(decide(machine, TRUNCATE[machine], known=known)) == (known < 3)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    "calls", [seccomp.FORBIDDEN_CALLS, seccomp.ABSENT_CALLS], ids=["never", "absent"]
)
def test_what_nobody_may_is_refused(machine: str, calls: dict[str, tuple[int, int]]) -> None:
    at = list(ARCHITECTURES).index(machine)
    came = {
        name: decide(machine, numbers[at], network=True, shares_user=False)
        for name, numbers in calls.items()
    }
    assert set(came.values()) <= {errno.EPERM, errno.ENOSYS}, came


def test_who_shares_the_user_changes_no_permission_of_an_open_file(tmp_path: Path) -> None:
    """A file that may be read only, such as a program, must not become writable for others."""
    program = tmp_path / "program"
    program.touch(0o700)
    code = (
        f"import os; at = os.open({str(program)!r}, os.O_RDONLY); os.fchmod(at, 0o777)\n"
        "try: os.setxattr(at, 'user.a', b'x')\n"
        "except OSError as error: print(error.errno)\n"
        f"import subprocess; subprocess.run(['cp', '-a', {str(program)!r}, {str(program)!r} + '2'])"
    )
    rules = {"calls": {"network": False, "shares_user": True, "known": 7}}
    words = reaped([sys.executable, "-c", code], ["--restrict", json.dumps(rules)])
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30
    )
    assert (done.stdout, done.stderr) == (f"{errno.EOPNOTSUPP}\n", "")
    assert program.stat().st_mode & 0o777 == 0o700


def test_there_is_no_filter_for_other_machines() -> None:
    with pytest.raises(OSError, match="riscv64"):
        program(True, True, 7, "riscv64")
