"""Starts a command so that none of its processes outlives the parent.

Run it as ``python -I -S -E reaper.py [--grace SECONDS] [--memory BYTES] -- COMMAND [ARGUMENT...]``.
It is a separate program that uses only the standard library. The command gets this process's stdin,
stdout and stderr and a new session and process group. The command and everything it started, even
outside the group, is ended (SIGTERM, then SIGKILL after the grace period) when

- the command exits,
- SIGTERM, SIGINT or SIGHUP arrives, or the parent dies, even by SIGKILL,
- the other end of stdin is closed and the command has not exited within the grace period,
- all processes together use more than the given memory, which is reported on stderr. Resident
  memory is measured every two seconds; a limit on address space would break some runtimes.

The exit status is the command's, 128 + N if signal N ended it, or 127 if the command does not
exist. Descendants that left the group are found only on Linux.
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
    """Sets one attribute of this process if the system supports it."""
    if IS_LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def descendants() -> set[int]:
    """Returns the process ids of all living descendants, from /proc."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc") if IS_LINUX else ():  # noqa: PTH208 - names only
        if entry.isdecimal():
            try:
                stat = Path(f"/proc/{entry}/stat").read_bytes()
            except OSError:
                continue
            # The command name, which is in parentheses, may contain spaces and parentheses.
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
    """Returns the memory of all descendants without shared pages, such as library pages."""
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
    """One command and all the processes that it started."""

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
        # The Popen object is kept, because otherwise Python would collect the exit status that
        # `reap` waits for.
        self.process = subprocess.Popen(
            command,
            start_new_session=True,
            # This signal is sent to the command only if this process itself is killed.
            preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL),  # noqa: PLW1509 - no threads
        )
        # The output is closed here, so that its reader sees the end when the command closes it.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)

    def _stop(self, *_: object) -> None:
        self.stopping = True

    def _wake(self, *_: object) -> None:
        """This does nothing, because only the signal number in the wake-up pipe is needed."""

    def run(self) -> int:
        """Waits for the end, cleans up, and returns the command's status."""
        poll = select.poll()
        poll.register(self.wakeup, select.POLLIN)
        # POLLIN is not set, because the input belongs to the command. A hang-up is always reported.
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
        """Stops the command if it uses too much memory."""
        self.memory_at = time.monotonic() + MEMORY_POLL_S
        held = resident_bytes()
        if held > self.memory:
            self.stopping = True
            what = f"it used {held // 2**20} MiB; the limit is {self.memory // 2**20} MiB"
            print(f"stopped: {what}", file=sys.stderr, flush=True)  # noqa: T201

    def reap(self) -> None:
        """Collects every dead child, including adopted children."""
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
        """Sends SIGTERM to all remaining processes, and SIGKILL after the grace period, until none
        is left.
        """
        give_up = time.monotonic() + 2 * self.grace_s + 1
        kill_at = time.monotonic() + self.grace_s
        self.signal_all(signal.SIGTERM)
        while self.is_anything_left() and time.monotonic() < give_up:
            time.sleep(KILL_POLL_S)
            if time.monotonic() >= kill_at:
                self.signal_all(signal.SIGKILL)

    def is_anything_left(self) -> bool:
        """Returns whether the command or, on Linux, any descendant is still alive."""
        self.reap()
        return self.status is None or bool(descendants())

    def signal_all(self, number: int) -> None:
        """Sends a signal to every descendant, or to the group if descendants cannot be listed."""
        for target in descendants() if IS_LINUX else {-self.process.pid}:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(target, number)


def main(arguments: list[str]) -> int:
    """Runs the command after ``--``; see the module docstring."""
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
