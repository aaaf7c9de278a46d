"""Starts a command so that none of its processes outlives the parent.

Run it as ``python -I -S -E reaper.py [--OPTION VALUE]... -- COMMAND [ARGUMENT...]``. The options:

- grace: seconds between SIGTERM and SIGKILL,
- memory: number of bytes that the command and everything it started may use,
- processes: number of processes that the command and everything it started may have,
- files: number of files that each process may open,
- nice: how much the priority of the command is lowered, from 0 to 19,
- user: user id as which the command is run,
- restrict: what the command may do without a sandbox of bubblewrap, as JSON: the arguments of
  `landlock.restrict` (files) and of `seccomp.restrict` (calls),
- sandbox: 1 if the command is bubblewrap, which must live as long as the program inside,
- watched: 1 if everything must end even if this process itself is killed; not needed for a sandbox,
- network: path of slirp4netns, which connects the network of the sandbox to this machine's network.

The reaper is a separate program that uses only the standard library, and imports little of it,
because a reaper starts with each upstream. The command gets this process's stdin, stdout and stderr
and a new session and process group. The command and everything it started, even outside the group,
is ended (SIGTERM, then SIGKILL after the grace period) when

- the command exits,
- SIGTERM, SIGINT or SIGHUP arrives, or the parent dies, even by SIGKILL,
- the other end of stdin is closed and the command has not exited within the grace period,
- all processes together use more than the given memory, or there are more processes than given,
  which is reported on stderr. Both are measured every half second. A limit on address space would
  break some runtimes.

The exit status is the command's, 128 + N if signal N ended it, or 127 if the command does not
exist. Descendants that left the group are found only on Linux. There, a watched reaper is two
processes, each of which cleans up if the other is killed. If the reaper can create a cgroup, the
command runs in this cgroup, and the kernel ends all its processes at once. If both reapers were
killed, the next reaper makes the kernel do this.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
IS_LINUX = sys.platform == "linux"
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PARENT_POLL_S = 0.5
KILL_POLL_S = 0.02
KILL_S = 1.0
GROUP = "quartermaster-"
LOOPBACK_S = 5.0
LOOPBACK_POLL_S = 0.001
GIVES_WAY = 10
"""How much the priority of processes that read projects is lowered, as for `nice`. Searches and
calls have a higher priority.
"""
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def prctl(option: int, value: int) -> None:
    """Sets one attribute of this process if the system supports it."""
    if IS_LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def content(path: str) -> bytes:
    """Returns the content of a file in /proc."""
    with open(path, "rb") as file:  # noqa: PTH123 - importing pathlib takes long
        return file.read()


def descendants() -> set[int]:
    """Returns the process ids of all living descendants, from /proc."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc") if IS_LINUX else ():  # noqa: PTH208 - names only
        if entry.isdecimal():
            try:
                stat = content(f"/proc/{entry}/stat")
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


def usage(parent: int) -> tuple[int, int]:
    """Returns the memory of all descendants of a process, without shared pages such as library
    pages, and the number of descendants.
    """
    total = number = 0
    waiting = [parent]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError, ValueError, IndexError):
            children = content(f"/proc/{pid}/task/{pid}/children").split()
            waiting += map(int, children)
            if pid != parent:
                resident, shared = content(f"/proc/{pid}/statm").split()[1:3]
                total += (int(resident) - int(shared)) * PAGE_BYTES
                number += 1
    return total, number


def own_addresses() -> set[str]:
    """Returns the IPv4 addresses of this machine."""
    lines = content("/proc/net/fib_trie").decode().splitlines()
    found = (above.split()[-1] for above, line in itertools.pairwise(lines) if "host LOCAL" in line)
    return {address for address in found if not address.startswith("127.")}


def await_loopback(pid: int) -> None:
    """Waits until the loopback device in the network of a process is up, or the process has ended,
    but at most 5 seconds.
    """
    give_up = time.monotonic() + LOOPBACK_S
    with suppress(OSError):
        while b"127.0.0.1" not in content(f"/proc/{pid}/net/fib_trie"):
            if time.monotonic() > give_up:
                return
            time.sleep(LOOPBACK_POLL_S)


def close_routes(pid: int, networks: list[tuple[str, int]]) -> None:
    """Makes addresses unreachable from the network of a process; exits with status 0, or 1 if that
    fails. The function must run in a separate process, because it moves its process to that
    network.
    """
    import socket

    libc = ctypes.CDLL(None, use_errno=True)
    for name in ("user", "net"):
        own, other = (os.stat(f"/proc/{who}/ns/{name}").st_ino for who in ("self", pid))  # noqa: PTH116
        if own != other:
            entered = os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY)
            if libc.setns(entered, 0):
                os._exit(1)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        for address, bits in networks:
            # RTM_NEWROUTE with NLM_F_REQUEST, NLM_F_ACK, NLM_F_REPLACE and NLM_F_CREATE: an
            # unreachable route (RTN_UNREACHABLE) in the main table, with its destination (RTA_DST).
            route = struct.pack("=8BI", socket.AF_INET, bits, 0, 0, 254, 4, 0, 7, 0)
            route += struct.pack("=HH4s", 8, 1, socket.inet_aton(address))
            link.send(struct.pack("=IHHII", 16 + len(route), 24, 0x505, 1, 0) + route)
            if struct.unpack_from("=i", link.recv(4096), 16)[0]:
                os._exit(1)
    os._exit(0)


def is_living(pid: str) -> bool:
    """Returns whether a process is running. A process that has ended stays in /proc until its
    parent collects it.
    """
    try:
        return content(f"/proc/{pid}/stat").rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def make_group() -> str | None:
    """Creates a cgroup for the command, and returns the folder of the cgroup; None if this machine
    does not allow it.
    """
    # In a chroot or with cgroups of version 1, nothing of this is there.
    with suppress(OSError, LookupError):
        mounts = [line.split() for line in content("/proc/self/mounts").decode().splitlines()]
        [top, *_] = [mount[1] for mount in mounts if mount[2] == "cgroup2"] or [None]
        groups = content("/proc/self/cgroup").decode().splitlines()
        [own, *_] = [line[3:] for line in groups if line.startswith("0::")] or [None]
        if top is None or own is None:
            return None
        above = top + own.rstrip("/")
        for left in os.listdir(above):  # noqa: PTH208 - names only
            pid = left.removeprefix(GROUP)
            if pid != left and pid.isdecimal() and not is_living(pid):
                end_group(f"{above}/{left}")
        group = f"{above}/{GROUP}{os.getpid()}"
        os.mkdir(group)  # noqa: PTH102
        return group
    return None


def end_group(group: str | None) -> None:
    """Ends all processes in a cgroup, and removes the cgroup. If that fails, the next reaper does
    it.
    """
    if group is None:
        return
    with suppress(OSError):
        tell(f"{group}/cgroup.kill", b"1")
    give_up = time.monotonic() + KILL_S
    while time.monotonic() < give_up:
        with suppress(OSError):
            os.rmdir(group)  # noqa: PTH106
            return
        time.sleep(KILL_POLL_S)


def tell(path: str, word: bytes) -> None:
    """Writes a value to a file of the kernel, such as one in ``/proc``."""
    with open(path, "wb") as file:  # noqa: PTH123 - importing pathlib takes long
        file.write(word)


def give_way(nice: int) -> None:
    """Lowers the priority of this thread and of everything that it starts.

    On systems other than Linux, this lowers the priority of the whole process. On Linux, if there
    are several processors, the thread does not use the first one. On a processor that the thread
    uses, another program would wait some milliseconds each time that it wakes up.

    Args:
        nice: priority as for the command `nice`, from 0 to 19. If the priority is already lower, it
            is not changed, because only root may raise it.
    """
    own = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, max(own, nice))
    if IS_LINUX:
        processors = sorted(os.sched_getaffinity(0))
        if len(processors) > 1:
            os.sched_setaffinity(0, processors[1:])


def share_less(process: int | str, nice: int) -> None:
    """Lowers the priority of a process's session.

    Linux can divide the processor among sessions first. In this case, the priority of a process
    counts only within its session, so the session needs a low priority, too. Users other than root
    may set the priority of only one session in a tenth of a second; any other session keeps its
    priority.

    Args:
        process: id of the process, or "self".
        nice: priority as for the command `nice`.
    """
    with suppress(OSError):
        tell(f"/proc/{process}/autogroup", b"%d" % nice)


def restriction(given: str) -> Callable[[], None]:
    """Returns a function that restricts the calling process, or ends that process if the
    restriction fails.
    """
    import json

    # Nothing but this program's own folder of modules is added to those of the standard library.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))  # noqa: PTH120
    from quartermaster.core import landlock, seccomp

    rules = json.loads(given)

    def restrict() -> None:
        try:
            if "files" in rules:
                landlock.restrict(**rules["files"])
            seccomp.restrict(**rules["calls"])
        except OSError as error:
            os.write(2, f"the program could not be confined: {error.strerror}\n".encode())
            os._exit(126)

    return restrict


def die_with_parent() -> None:
    """Makes the kernel kill this process when its parent dies."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Reaper:
    """One command and all the processes that it started."""

    def __init__(self, command: list[str], options: dict[str, str], group: str | None) -> None:
        self.group = group
        self.grace_s = float(options.get("--grace", 2))
        self.memory = int(options.get("--memory", 0))
        self.processes = int(options.get("--processes", 0))
        self.files = int(options.get("--files", 0))
        self.nice = int(options.get("--nice", 0))
        self.user = int(options.get("--user", -1))
        self.is_sandbox = "--sandbox" in options
        self.restrict = restriction(options["--restrict"]) if "--restrict" in options else None
        # Programs between the command and this process, which end with the command.
        self.helpers: set[int] = set()
        self.parent = os.getppid()
        self.stopping = False
        self.status: int | None = None
        self.wakeup, wakeup_write = os.pipe()
        os.set_blocking(wakeup_write, False)
        signal.set_wakeup_fd(wakeup_write, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            signal.signal(number, self._stop)
        signal.signal(signal.SIGCHLD, self._wake)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        # The Popen objects are kept, because a dropped one collects the exit status that `reap`
        # waits for.
        slirp = options.get("--network")
        self.process = self._start(command) if slirp is None else self._connect(command, slirp)
        if self.is_sandbox:
            self.helpers.add(self.process.pid)
        # The output is closed here, so that its reader sees the end when the command closes it.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)

    def _start(self, command: list[str], passed: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
        user = self.user if self.user >= 0 else None
        return subprocess.Popen(
            command,
            start_new_session=True,
            pass_fds=passed,
            # This signal is sent to the command only if this process itself is killed.
            preexec_fn=self._limit,  # noqa: PLW1509 - no threads
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )

    def _limit(self) -> None:
        die_with_parent()
        if self.group is not None:
            with suppress(OSError):
                tell(f"{self.group}/cgroup.procs", b"0")
        if self.nice:
            share_less("self", self.nice)
        limits = {resource.RLIMIT_NOFILE: self.files}
        if self.user >= 0:
            # Only this command has this user. The kernel counts threads.
            limits[resource.RLIMIT_NPROC] = 8 * self.processes
        for name, limit in limits.items():
            hard = resource.getrlimit(name)[1]
            if limit and (hard == resource.RLIM_INFINITY or limit < hard):
                resource.setrlimit(name, (limit, limit))
        if self.restrict is not None:
            self.restrict()

    def _connect(self, command: list[str], slirp: str) -> subprocess.Popen[bytes]:
        """Starts the sandbox, and connects its network before the program in it starts."""
        import json

        report, tell = os.pipe()
        wait, go_on = os.pipe()
        ready, make_ready = os.pipe()
        sandbox = [command[0], "--info-fd", str(tell), "--block-fd", str(wait), *command[1:]]
        process = self._start(sandbox, (tell, wait))
        os.close(tell)
        os.close(wait)
        try:
            with os.fdopen(report) as report_file:
                pid = json.load(report_file)["child-pid"]
        except (ValueError, KeyError):
            # The sandbox has said on stderr why it did not start, and its exit status follows.
            return process
        # bwrap fails if its loopback device is already up, and slirp4netns switches it on.
        await_loopback(pid)
        options = ["--configure", "--mtu=65520", "--disable-host-loopback", "--enable-sandbox"]
        options += ["--enable-seccomp", "--ready-fd", str(make_ready), "--netns-type=path"]
        if os.geteuid():
            options += [f"--userns-path=/proc/{pid}/ns/user"]
        self.slirp = subprocess.Popen(
            [slirp, *options, f"/proc/{pid}/ns/net", "tap0"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(make_ready,),
            preexec_fn=die_with_parent,  # noqa: PLW1509 - no threads
        )
        self.helpers.add(self.slirp.pid)
        os.close(make_ready)
        is_ready = os.read(ready, 1) == b"1"
        os.close(ready)
        closed = [("169.254.0.0", 16), *((address, 32) for address in own_addresses())]
        if not (is_ready and self._routes_are_closed(pid, closed)):
            process.kill()
            sys.stderr.write("the network of the sandbox could not be connected\n")
        else:
            os.write(go_on, b"1")
        os.close(go_on)
        return process

    def _routes_are_closed(self, pid: int, networks: list[tuple[str, int]]) -> bool:
        child = os.fork()
        if child == 0:
            try:
                close_routes(pid, networks)
            finally:
                os._exit(1)
        return os.waitpid(child, 0)[1] == 0

    def _stop(self, *_: object) -> None:
        self.stopping = True

    def _wake(self, *_: object) -> None:
        """Does nothing, because only the signal number in the wake-up pipe is needed."""

    def run(self) -> int:
        """Waits until the command ends, cleans up, and returns its exit status."""
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
            if not self.stopping and self.status is None:
                self.check_usage()
        self.end_all()
        return 128 + signal.SIGKILL if self.status is None else self.status

    def check_usage(self) -> None:
        """Stops the command if it uses too much memory or too many processes."""
        held, number = usage(os.getpid())
        what = None
        if 0 < self.memory < held:
            what = f"it used {held // 2**20} MiB; the limit is {self.memory // 2**20} MiB"
        if 0 < self.processes < number:
            what = f"it ran {number} processes; the limit is {self.processes}"
        if what is not None:
            self.stopping = True
            self.grace_s = 0.0
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
            elif self.status is not None:
                self.signal_all(signal.SIGKILL, self.helpers)

    def is_anything_left(self) -> bool:
        """Returns whether the command or, on Linux, any descendant is still alive."""
        self.reap()
        return self.status is None or bool(descendants())

    def signal_all(self, number: int, only: set[int] | None = None) -> None:
        """Sends a signal to every descendant, or to the group if descendants cannot be listed.

        Args:
            number: the signal; helpers get no SIGTERM, because they end with the command.
            only: the processes that get it; None means all.
        """
        targets = descendants() if IS_LINUX else {-self.process.pid}
        if only is not None:
            targets &= only
        elif number == signal.SIGTERM:
            targets -= self.helpers
        for target in targets:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(target, number)


class ReaperWatchdog:
    """The process that ends the remaining processes if the reaper is killed; see the module
    docstring.
    """

    def __init__(self, reaper: int, group: str | None) -> None:
        self.reaper = reaper
        self.group = group
        for number in STOP_SIGNALS:
            signal.signal(number, self._forward)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        # The pipes are the command's own.
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.close(null)

    def _forward(self, number: int, _: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.reaper, number)

    def run(self) -> int:
        """Waits until the reaper ends, and returns its exit status."""
        pid = status = 0
        while pid != self.reaper:
            pid, status = os.waitpid(-1, 0)
        code = os.waitstatus_to_exitcode(status)
        while code < 0 and (left := descendants()):
            for each in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(each, signal.SIGKILL)
            time.sleep(KILL_POLL_S)
        end_group(self.group)
        return code if code >= 0 else 128 - code


def main(arguments: list[str]) -> int:
    """Runs the command after ``--``; see the module docstring."""
    cut = arguments.index("--")
    options = dict(zip(arguments[:cut:2], arguments[1:cut:2], strict=True))
    # Signals of a terminal are not for it. Whoever starts it would wait longer for a new session.
    with suppress(PermissionError):
        os.setsid()
    if "--nice" in options:
        give_way(int(options["--nice"]))
    command = arguments[cut + 1 :]
    group = None
    if IS_LINUX and "--watched" in options and "--sandbox" not in options:
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        group = make_group()
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        pid = os.fork()
        if pid:
            return ReaperWatchdog(pid, group).run()
    try:
        reaper = Reaper(command, options, group)
    except OSError as error:
        sys.stderr.write(f"cannot start {command[0]}: {error.strerror}\n")
        return 127 if isinstance(error, FileNotFoundError) else 126
    return reaper.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
