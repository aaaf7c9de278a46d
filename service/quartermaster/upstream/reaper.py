"""Starts a command such that none of its processes outlives the parent.

Run as ``python -I -S -E reaper.py [--grace SECONDS] [--memory BYTES] -- COMMAND [ARGUMENT...]``: a
program of its own, with the standard library only. The command gets this process's stdin, stdout
and stderr and a session, hence a process group, of its own. It and everything it started, also what
left the group, is ended (SIGTERM, then SIGKILL after the grace) when

- the command exits,
- SIGTERM, SIGINT or SIGHUP arrives, or the parent dies, also by SIGKILL,
- the other end of stdin is closed and the command has not exited within the grace,
- all of it together holds more than that memory, which is said on stderr. What is resident counts,
  looked at every two seconds: limits of address space break runtimes that only reserve it.

It exits with the command's status, 128 + N if signal N ended it, 127 if there is no such command.
Descendants that left the group are found on Linux only.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
IS_LINUX = sys.platform == "linux"
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PARENT_POLL_S = 0.5
KILL_POLL_S = 0.02
MEMORY_POLL_S = 2.0
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def prctl(option: int, value: int) -> None:
    """Sets one attribute of this process, if the system has such a call."""
    if IS_LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def descendants() -> set[int]:
    """Process ids of all living children, children's children and so on, from /proc."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc") if IS_LINUX else ():  # noqa: PTH208 - names only
        if entry.isdecimal():
            try:
                stat = Path(f"/proc/{entry}/stat").read_bytes()
            except OSError:
                continue
            # The name of the command, in parentheses, may contain spaces and parentheses.
            state, parent = stat.rpartition(b")")[2].split()[:2]
            if state != b"Z":
                parents[int(entry)] = int(parent)
    found: set[int] = set()
    level = {os.getpid()}
    while level:
        level = {pid for pid, parent in parents.items() if parent in level} - found
        found |= level
    return found


def resident_bytes() -> int:
    """Memory of all descendants; shared pages, such as those of libraries, left out."""
    total = 0
    waiting = [os.getpid()]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError, ValueError, IndexError):
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            waiting += map(int, children)
            if pid != os.getpid():
                resident, shared = Path(f"/proc/{pid}/statm").read_text().split()[1:3]
                total += (int(resident) - int(shared)) * PAGE_BYTES
    return total


class Reaper:
    """One command and all processes that it started."""

    def __init__(self, command: list[str], grace_s: float, memory: int) -> None:
        self.grace_s = grace_s
        self.memory = memory
        self.memory_at = time.monotonic()
        self.parent = os.getppid()
        self.stopping = False
        self.status: int | None = None
        self.wakeup, wakeup_write = os.pipe()
        os.set_blocking(wakeup_write, False)
        signal.set_wakeup_fd(wakeup_write, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            signal.signal(number, self._stop)
        signal.signal(signal.SIGCHLD, self._wake)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        # Kept, because a dropped Popen collects the exit status that `reap` waits for.
        self.process = subprocess.Popen(
            command,
            start_new_session=True,
            # Only if this process itself is killed does the command get its signal from here.
            preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL),  # noqa: PLW1509 - no threads
        )
        # If this process kept the output open, its reader would not see its end.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)

    def _stop(self, *_: object) -> None:
        self.stopping = True

    def _wake(self, *_: object) -> None:
        """The signal's number in the wake-up pipe is all that is needed."""

    def run(self) -> int:
        """Wait for an end, clean up, and return the command's status."""
        poll = select.poll()
        poll.register(self.wakeup, select.POLLIN)
        # No POLLIN: the input is the command's. A hang-up is reported unasked.
        poll.register(0, getattr(select, "POLLRDHUP", 0))
        deadline: float | None = None
        while not self.stopping and self.status is None:
            timeout = PARENT_POLL_S if deadline is None else max(0.0, deadline - time.monotonic())
            for descriptor, _ in poll.poll(timeout * 1000):
                if descriptor == self.wakeup:
                    os.read(self.wakeup, 4096)
                else:
                    poll.unregister(0)
                    deadline = time.monotonic() + self.grace_s
            self.reap()
            if os.getppid() != self.parent or (deadline and time.monotonic() >= deadline):
                self.stopping = True
            if self.memory and time.monotonic() >= self.memory_at:
                self.check_memory()
        self.end_all()
        return 128 + signal.SIGKILL if self.status is None else self.status

    def check_memory(self) -> None:
        """Ends the command if it uses too much memory."""
        self.memory_at = time.monotonic() + MEMORY_POLL_S
        held = resident_bytes()
        if held > self.memory:
            self.stopping = True
            what = f"holds {held // 2**20} MiB, more than {self.memory // 2**20}"
            print(f"stopped: {what}", file=sys.stderr, flush=True)  # noqa: T201

    def reap(self) -> None:
        """Collect every dead child, adopted ones too."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.process.pid:
                code = os.waitstatus_to_exitcode(status)
                self.status = code if code >= 0 else 128 - code

    def end_all(self) -> None:
        """Sends SIGTERM to all remaining processes, and SIGKILL after the grace, until none is
        left.
        """
        give_up = time.monotonic() + 2 * self.grace_s + 1
        kill_at = time.monotonic() + self.grace_s
        self.signal_all(signal.SIGTERM)
        while self.is_anything_left() and time.monotonic() < give_up:
            time.sleep(KILL_POLL_S)
            if time.monotonic() >= kill_at:
                self.signal_all(signal.SIGKILL)

    def is_anything_left(self) -> bool:
        """Whether the command or, on Linux, any descendant still lives."""
        self.reap()
        return self.status is None or bool(descendants())

    def signal_all(self, number: int) -> None:
        """Sends a signal to every descendant; if they cannot be listed, to the group."""
        for target in descendants() if IS_LINUX else {-self.process.pid}:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(target, number)


def main(arguments: list[str]) -> int:
    """Run the command after ``--``; see the module's text."""
    cut = arguments.index("--")
    options = dict(zip(arguments[:cut:2], arguments[1:cut:2], strict=True))
    command = arguments[cut + 1 :]
    try:
        grace_s, memory = float(options.get("--grace", 2)), int(options.get("--memory", 0))
        reaper = Reaper(command, grace_s, memory)
    except OSError as error:
        sys.stderr.write(f"cannot start {command[0]}: {error.strerror}\n")
        return 127 if isinstance(error, FileNotFoundError) else 126
    return reaper.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
