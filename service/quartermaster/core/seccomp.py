"""Refuses the system calls with which a program could leave the limits of Landlock or of its
separate user.

This module uses only the standard library, because the reaper runs it between fork and exec. Calls
through another interface of the kernel, such as the one for 32-bit programs, are refused.
docs/sandbox.md says what a program can still do.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
from collections.abc import Mapping
from functools import cache

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
FILTER = 2
LOAD, EQUAL, AT_LEAST, ANY_OF, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
# Where the kernel puts what a filter reads; an argument has 8 bytes, of which these are the lower.
NUMBER, ARCHITECTURE, ARGUMENT = 0, 4, (16, 24, 32)
# The names of uname, in the order of the numbers below.
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32 = 0x40000000
NEW_NAMESPACE = 0x7E020000
# These have no address, so they cannot be connected to anything else.
PAIRED_SOCKETS = (socket.SOCK_STREAM, socket.SOCK_SEQPACKET)
KIND_OF_SOCKET = 0xF

Instructions = list[bytes]

# Other processes, keys, files by handles, namespaces, and parts of the kernel that few need.
FORBIDDEN_CALLS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "unshare": (272, 97),
    "setns": (308, 268),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
}
# Calls that a filter cannot look into. Programs do without them, as on an older kernel.
ABSENT_CALLS = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
}
# With the user of the service: memory, queues and permissions that are the user's.
USERS = {
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
# As on a file system without them, which programs that copy permissions expect.
UNSUPPORTED_CALLS = {"fsetxattr": (190, 7), "fremovexattr": (199, 16)}
# They succeed without an effect: many programs copy permissions, and fail where they cannot.
WITHOUT_EFFECT = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
}
# Calls that change the process that their first argument names; 0 is the caller.
ON_A_PROCESS = {
    "prlimit64": (302, 261),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
}
# Those that change what their first two arguments name, with the first one that means all
# processes of a user.
PRIORITIES = {"setpriority": (141, 140, 2), "ioprio_set": (251, 30, 3)}
# Before version 3, Landlock does not restrict how files are cut off.
TRUNCATING_CALLS = {"truncate": (76, 45), "openat2": (437, 437)}
# aarch64 has no `open`; the second entry is the one that holds there.
OPENING_CALLS = {"open": (2, 56, 1), "openat": (257, 56, 2)}


def restrict(network: bool, shares_user: bool, known: int) -> None:
    """Restricts this process, and all processes that it starts, for the rest of their lives.

    Args:
        network: whether the process may open internet sockets.
        shares_user: whether the user of the process also owns files or processes that the program
            should not reach.
        known: version of Landlock that restricts the process; 0 if Landlock does not restrict it.

    Raises:
        OSError: the kernel refuses the filter, or there is no filter for the architecture.
    """
    code = _code(network, shares_user, known, os.uname().machine)
    buffer = ctypes.create_string_buffer(code)
    given = struct.pack("HP", len(code) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, FILTER, given):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@cache
def _code(network: bool, shares_user: bool, known: int, machine: str) -> bytes:
    return b"".join(program(network, shares_user, known, machine))


def program(network: bool, shares_user: bool, known: int, machine: str) -> Instructions:
    """Returns the filter for a type of machine; `machine` is its name in `uname`.

    Raises:
        OSError: there is no filter for this type of machine.
    """
    if machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"there is no filter of system calls for {machine}")
    at = list(ARCHITECTURES).index(machine)
    families = (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK) if network else ()
    cases = {
        **_each(FORBIDDEN_CALLS, at, _refused(errno.EPERM)),
        **_each(ABSENT_CALLS, at, _refused(errno.ENOSYS)),
        (41, 198)[at]: [_load(ARGUMENT[0]), *_only(families, errno.EACCES)],
        (53, 199)[at]: [
            _load(ARGUMENT[1]),
            _op(AND, KIND_OF_SOCKET),
            *_only(PAIRED_SOCKETS, errno.EACCES),
        ],
        (56, 220)[at]: [_load(ARGUMENT[0]), *_none_of(NEW_NAMESPACE, _refused(errno.EPERM))],
    }
    if shares_user:
        cases |= _each(USERS, at, _refused(errno.EPERM))
        cases |= _each(UNSUPPORTED_CALLS, at, _refused(errno.EOPNOTSUPP))
        cases |= _each(WITHOUT_EFFECT, at, _refused(0))
        itself = _only((0,), errno.EPERM)
        cases |= _each(ON_A_PROCESS, at, [_load(ARGUMENT[0]), *itself])
        for *numbers, of_a_user in PRIORITIES.values():
            refused = [_op(EQUAL, of_a_user, 0, 1), *_refused(errno.EPERM)]
            cases[numbers[at]] = [_load(ARGUMENT[0]), *refused, _load(ARGUMENT[1]), *itself]
    if 0 < known < 3:
        cases |= _each(TRUNCATING_CALLS, at, _refused(errno.ENOSYS))
        writing = [_op(AND, os.O_ACCMODE), *_only((os.O_WRONLY, os.O_RDWR), errno.EACCES)]
        for *numbers, argument in OPENING_CALLS.values():
            cases[numbers[at]] = [_load(ARGUMENT[argument]), *_none_of(os.O_TRUNC, writing)]
    start = [_load(ARCHITECTURE), _op(EQUAL, ARCHITECTURES[machine], 1), *_refused(errno.ENOSYS)]
    start += [_load(NUMBER), _op(AT_LEAST, X32, 0, 1), *_refused(errno.ENOSYS)]
    for number, then in cases.items():
        start += [_op(EQUAL, number, 0, len(then)), *then]
    return [*start, _op(RETURN, ALLOW)]


def _each(
    calls: Mapping[str, tuple[int, int | None]], at: int, then: Instructions
) -> dict[int, Instructions]:
    numbers = (numbers[at] for numbers in calls.values())
    return {number: then for number in numbers if number is not None}


def _only(values: tuple[int, ...], error: int) -> Instructions:
    """Returns instructions that allow the call if the loaded value is one of these values, and
    refuse it otherwise.
    """
    last = len(values)
    found = [_op(EQUAL, value, last - place) for place, value in enumerate(values)]
    return [*found, *_refused(error), _op(RETURN, ALLOW)]


def _none_of(bits: int, then: Instructions) -> Instructions:
    """Returns instructions that allow the call if none of these bits is set in the loaded value,
    and otherwise continue with the others.
    """
    return [_op(ANY_OF, bits, 1), _op(RETURN, ALLOW), *then]


def _refused(error: int) -> Instructions:
    return [_op(RETURN, REFUSE | error)]


def _load(place: int) -> bytes:
    return _op(LOAD, place)


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
