"""A few kilobytes of objects become hundreds of megabytes: others are served, memory stays."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable
from typing import Final

import pytest

from tests.support.health_watch import watching
from tests.support.member import CODE, Member

# Generous: the service may hold one large answer of git for a moment.
MOST_GROWTH_MB: Final = 250
SLOWEST_HEALTH_S: Final = 5.0
_LARGE: Final = 240 * 2**20


def a_large_version(mallory: Member) -> str:
    """The version in the commit is large, the file is small."""
    blob = put(mallory, "blob", b"\n" * _LARGE)
    return commit(mallory, put(mallory, "tree", entry("100644", CODE.encode(), blob)))


def a_long_name(mallory: Member) -> str:
    name = b"a" * (_LARGE // 2) + b".go"
    return commit(mallory, put(mallory, "tree", entry("100644", name, small(mallory))))


def long_paths(mallory: Member) -> str:
    """Each of the nested folders has a file, whose path repeats the names of all around it."""
    blob, below = small(mallory), ""
    for _ in range(1_500):
        tree = entry("100644", b"a.go", blob)
        tree += entry("40000", b"b" * 250, below) if below else b""
        below = put(mallory, "tree", tree)
    return commit(mallory, below)


def a_long_message(mallory: Member) -> str:
    tree = put(mallory, "tree", entry("100644", CODE.encode(), small(mallory)))
    return commit(mallory, tree, b"a" * _LARGE)


def many_parents(mallory: Member) -> str:
    """Makes commits, each of which names those of the level below many times."""
    tree = put(mallory, "tree", entry("100644", CODE.encode(), small(mallory)))
    below = [commit(mallory, tree, b"%d" % number) for number in range(100)]
    for _ in range(3):
        below = [commit(mallory, tree, b"%d" % n, below * 100) for n in range(50)]
    return below[0]


def deltas_of_deltas(mallory: Member) -> str:
    """Each object of a pack is the one before, repeated 16 times."""
    size, base = 2**12, b"\n" * 2**12
    pack = [packed(3, size, zlib.compress(base))]
    while size < _LARGE:
        copies = b"".join(copy(size) for _ in range(16))
        delta = number(size) + number(16 * size) + copies
        pack.append(packed(6, len(delta), offset(len(pack[-1])) + zlib.compress(delta)))
        size *= 16
    whole = b"PACK" + struct.pack(">II", 2, len(pack)) + b"".join(pack)
    mallory.git("index-pack", "--stdin", stdin=whole + hashlib.sha1(whole).digest())
    head = b"blob %d\0" % size
    blob = hashlib.sha1(head + b"\n" * size).hexdigest()
    return commit(mallory, put(mallory, "tree", entry("100644", CODE.encode(), blob)))


def small(mallory: Member) -> str:
    return put(mallory, "blob", b"package prices\n")


def put(mallory: Member, kind: str, content: bytes) -> str:
    """Returns the id of a new loose object. Git itself would refuse some of them."""
    whole = f"{kind} {len(content)}\0".encode() + content
    name = hashlib.sha1(whole).hexdigest()
    mallory.write(f".git/objects/{name[:2]}/{name[2:]}", zlib.compress(whole, 1))
    return name


def entry(mode: str, name: bytes, of: str) -> bytes:
    return f"{mode} ".encode() + name + b"\0" + bytes.fromhex(of)


def commit(mallory: Member, tree: str, text: bytes = b"x", parents: list[str] | None = None) -> str:
    who = b"A <a@example.org> 1700000000 +0000"
    lines = [b"tree " + tree.encode(), *(b"parent " + one.encode() for one in parents or [])]
    lines += [b"author " + who, b"committer " + who, b"", text]
    return put(mallory, "commit", b"\n".join(lines))


def packed(kind: int, size: int, content: bytes) -> bytes:
    first, size = kind << 4 | size & 15, size >> 4
    return (bytes([first | 128]) + number(size) if size else bytes([first])) + content


def number(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def offset(distance: int) -> bytes:
    found = [distance & 127]
    while distance := distance >> 7:
        distance -= 1
        found.insert(0, distance & 127 | 128)
    return bytes(found)


def copy(size: int) -> bytes:
    """Returns the instruction of a delta that copies the beginning of its base, in parts of
    64 KiB.
    """
    step, found = 2**16, b""
    for start in range(0, size, step):
        part = min(step, size - start)
        # All four bytes of the place, and two of the size; 64 KiB are written as none.
        found += b"\xbf" + struct.pack("<IH", start, part % step)
    return found


@pytest.mark.parametrize(
    "prepare",
    [a_large_version, a_long_name, long_paths, a_long_message, many_parents, deltas_of_deltas],
)
def test_a_bomb(mallory: Member, prepare: Callable[[Member], str]) -> None:
    mallory.git("init", "-q", "-b", "main")
    mallory.write(CODE, "package prices\n\nconst Rate = 2\n")
    mallory.write(".git/refs/heads/main", f"{prepare(mallory)}\n")
    with watching(mallory.instance.run_file) as watched:
        mallory.ask_all("main")
    assert not watched.failed
    assert max(watched.health_s) <= SLOWEST_HEALTH_S
    assert watched.grown_mb <= MOST_GROWTH_MB
