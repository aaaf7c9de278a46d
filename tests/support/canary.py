"""Credentials of tests, which are recognised wherever they turn up, and the search for them.

A canary begins with letters that nothing else contains. What tests leave behind is searched for
those letters, in clear and as Base64, before it is thrown away: databases, data directories,
what processes and tests wrote.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Final, LiteralString, cast

import psycopg

from quartermaster.core.paths import RunFile

PREFIX: Final = "cnryQm7x"
_CHUNK: Final = 2**22
_OVERLAP: Final = 2**10
_SHORTEST: Final = 16
# Where credentials are meant to lie.
_CREDENTIAL_FILES: Final = frozenset(
    {"secrets.json", "credentials.json", "run.json", "admin.json", "signing_key"}
)


@dataclass
class Searched:
    """How much was searched in this process.

    Attributes:
        canaries: made.
        databases, files, outputs: searched for them.
    """

    canaries: int = 0
    databases: int = 0
    files: int = 0
    outputs: int = 0

    def merge(self, other: dict[str, int]) -> None:
        """Adds what another process has searched."""
        for name, count in other.items():
            setattr(self, name, getattr(self, name) + count)

    def counts(self) -> dict[str, int]:
        """Returns the public numbers, by name."""
        return {name: getattr(self, name) for name in ("canaries", "databases", "files", "outputs")}


SEARCHED: Final = Searched()


class LeakError(AssertionError):
    """A credential is where it must not be."""


def canary(name: str = "secret") -> str:
    """Returns a new credential."""
    SEARCHED.canaries += 1
    return f"{PREFIX}-{name}-{token_hex(8)}"


def _forms() -> list[bytes]:
    clear = PREFIX.encode()
    forms = [clear]
    for offset in range(3):
        # Letters of Base64 that the neighbours of the text have a part in are left out.
        whole = base64.b64encode(b"\0" * offset + clear)
        forms.append(whole[-(-offset * 8 // 6) : (offset + len(clear)) * 8 // 6])
    return forms


_FORMS: Final = _forms()


def leaks_in_text(text: str) -> int:
    """Returns how many canaries there are."""
    SEARCHED.outputs += 1
    octets = text.encode(errors="replace")
    return sum(octets.count(form) for form in _FORMS)


def credentials_in(data: Path) -> list[bytes]:
    """Returns the credentials that a Quartermaster made for itself, and those it was given in
    clear.
    """
    found: list[str] = []
    for name in ("credentials.json", "secrets.json"):
        if (data / name).exists():
            found += json.loads((data / name).read_text()).values()
    if run := RunFile.read(data):
        found.append(run.token)
    if (data / "signing_key").exists():
        found.append((data / "signing_key").read_text().strip())
    # A short one may well be a word of something else.
    return [value.encode() for value in found if len(value) >= _SHORTEST]


def leaks_in_folder(
    folder: Path,
    credentials: Iterable[bytes] = (),
    is_searched: Callable[[Path], bool] = lambda _: False,
) -> list[Path]:
    """Returns the files below a folder with a canary, or another credential; not those where they
    belong.

    Args:
        folder: is searched whole.
        credentials: beside canaries.
        is_searched: whether a file was searched before, as it is.
    """
    forms = [*_FORMS, *credentials]
    return [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not path.is_symlink()
        and path.name not in _CREDENTIAL_FILES
        and not is_searched(path)
        and _has(path, forms)
    ]


def _is_same(path: Path, original: Path) -> bool:
    """Returns whether a copy was not written since, for all that its time says."""
    try:
        ours, theirs = path.stat(), original.stat()
    except OSError:
        return False
    return (ours.st_size, ours.st_mtime_ns) == (theirs.st_size, theirs.st_mtime_ns)


def _has(path: Path, forms: list[bytes]) -> bool:
    SEARCHED.files += 1
    rest = b""
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                if any(form in chunk or form in rest + chunk[:_OVERLAP] for form in forms):
                    return True
                rest = chunk[-_OVERLAP:]
    except OSError:
        pass  # It went away meanwhile.
    return False


def leaks_in_database(dsn: str) -> list[str]:
    """Returns the tables with a canary in some row."""
    SEARCHED.databases += 1
    pattern = b"|".join(_FORMS).decode()
    with psycopg.connect(dsn, autocommit=True) as connection:
        return [name for name in _tables(connection) if _in_table(connection, name, pattern)]


def _tables(connection: psycopg.Connection[tuple[object, ...]]) -> Iterator[str]:
    rows = connection.execute(
        "select format('%I.%I', n.nspname, c.relname) from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " where c.relkind in ('r', 'm') and n.nspname !~ '^(pg_|information_schema$|tap$)'"
    )
    return (str(name) for (name,) in rows.fetchall())


def _in_table(connection: psycopg.Connection[tuple[object, ...]], name: str, pattern: str) -> bool:
    statement = f"select exists (select from {name} as t where t::text ~ %s)"
    row = connection.execute(cast(LiteralString, statement), [pattern]).fetchone()
    return row is not None and bool(row[0])


@contextmanager
def searched_database(dsn: str) -> Generator[None]:
    """Searches the database at the end, where a canary was made meanwhile.

    Raises:
        LeakError: it has one.
    """
    before = SEARCHED.canaries
    yield
    if SEARCHED.canaries != before:
        refuse("rows of", leaks_in_database(dsn))


@contextmanager
def searched_folder(
    folder: Path, data: Path, before: Callable[[], object], copy_of: Path | None = None
) -> Generator[None]:
    """Searches the files of a folder at the end, for canaries and for what the data directory has.

    Args:
        folder: with what processes wrote: logs, data, memory images.
        data: the data directory of these processes, in the folder.
        before: ends them.
        copy_of: the searched data directory that `data` was at the beginning, with its times.

    Raises:
        LeakError: one has one.
    """

    def is_searched(path: Path) -> bool:
        is_data = copy_of is not None and path.is_relative_to(data)
        return is_data and _is_same(path, copy_of / path.relative_to(data))

    yield
    credentials = credentials_in(data)
    before()
    refuse("files", leaks_in_folder(folder, credentials, is_searched))


def refuse(what: str, found: Iterable[object]) -> None:
    """Raises LeakError unless nothing was found."""
    if places := ", ".join(map(str, found)):
        raise LeakError(f"credentials of a test are in {what} {places}")
