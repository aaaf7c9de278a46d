"""Starts a program in which every mount is refused, as AppArmor of Ubuntu 24.04 does it.

There, an ordinary user may make a user namespace, but has no rights in it. A seccomp filter that
answers EACCES to the system calls that need such a right stays on whatever the program starts.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

_SET_SECCOMP = 22  # PR_SET_SECCOMP
_FILTER = 2  # SECCOMP_MODE_FILTER
_LOAD, _IS, _RETURN = 0x20, 0x15, 0x06  # BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
# mount, umount2, pivot_root, chroot and sethostname of each architecture ...
_OLD_CALLS = {"x86_64": (165, 166, 155, 161, 170), "aarch64": (40, 39, 41, 51, 161)}
# ... and open_tree to fspick, and mount_setattr, which have the same numbers on all.
_NEW_CALLS = (*range(428, 434), 442)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def refuse_mounts() -> None:
    """Puts the filter on this process. Needs root, so that programs may still gain rights."""
    refused = (*_OLD_CALLS[platform.machine()], *_NEW_CALLS)
    steps = [(_LOAD, 0, 0, 0)]
    for left, call in zip(range(len(refused), 0, -1), refused, strict=True):
        steps.append((_IS, left, 0, call))
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO | errno.EACCES)]
    packed = b"".join(struct.pack("HBBI", *step) for step in steps)
    program = _Program(len(steps), packed)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the seccomp filter was refused")


if __name__ == "__main__":
    refuse_mounts()
    os.execvp(sys.argv[1], sys.argv[1:])
