"""Lets this process and all processes that it starts open only the files on an allow-list
(Landlock).

Landlock needs no namespaces and no privileges. This module uses only the standard library, because
the reaper runs it between fork and exec. Landlock does not restrict sockets, changes of
permissions, or checks whether a path exists. `seccomp.py` restricts some of this; docs/sandbox.md
lists what a program can still do.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable

PR_SET_NO_NEW_PRIVS = 38
# The same on all architectures.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
GET_VERSION = 1
RULE_PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
READ_RIGHTS = EXECUTE | READ_FILE | READ_DIR
# The rights that a file can have; the others are those of folders.
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
# Rights over files that a version of the interface knows, by the lowest version.
RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: TRUNCATE, 5: IOCTL_DEV}
# Since version 6: no abstract sockets of others, and no signals to others.
SCOPES_BY_VERSION = {6: 3}


def version() -> int:
    """Returns the version of the kernel's interface; 0 if there is none."""
    if sys.platform != "linux":
        return 0
    return max(0, _call(CREATE_RULESET, None, ctypes.c_size_t(0), GET_VERSION))


def restrict(read: Iterable[str], write: Iterable[str], known: int) -> None:
    """Restricts this process for the rest of its life. Paths that do not exist are left out.

    Args:
        read: files and folders that may be read and executed, with everything below them.
        write: files and folders that may also be changed.
        known: version of the interface to use.

    Raises:
        OSError: the kernel refuses.
    """
    rights = _sum(RIGHTS, known)
    ruleset = struct.pack("=QQQ", rights, 0, _sum(SCOPES_BY_VERSION, known))
    # Each version knows the first parts of this structure.
    size = 24 if known >= min(SCOPES_BY_VERSION) else 8
    rules = _checked(_call(CREATE_RULESET, ruleset, ctypes.c_size_t(size), 0))
    for paths, allowed in ((read, READ_RIGHTS), (write, rights)):
        for path in paths:
            _allow(rules, path, allowed & rights)
    _checked(ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _checked(_call(RESTRICT_SELF, rules, 0))
    os.close(rules)


def _allow(rules: int, path: str, allowed: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not stat.S_ISDIR(os.fstat(place).st_mode):
        allowed &= OF_A_FILE
    rule = struct.pack("=Qi", allowed, place)
    _checked(_call(ADD_RULE, rules, RULE_PATH_BENEATH, rule, 0))
    os.close(place)


def _sum(parts: dict[int, int], known: int) -> int:
    return sum(bits for since, bits in parts.items() if since <= known)


def _call(number: int, *arguments: object) -> int:
    return ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
