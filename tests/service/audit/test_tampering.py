"""Whoever changes the record of what was changed is found, also with all the rights there are."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import sql

from quartermaster.audit.faults import Head, head_faults, line_faults, signature_faults
from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.secrets.signing_key import SigningKey
from quartermaster.substrate.embedded import EmbeddedServer
from tests.support.database import Database, Server, runtime_dir
from tests.support.place import new_place

Connection = psycopg.Connection[tuple[Any, ...]]
Tamper = Callable[[Connection], object]

# As a superuser who also silences the triggers.
UNSTOPPED: LiteralString = "set session_replication_role = replica"
RECHAIN: LiteralString = """
do $$
declare
    v_record audit.record;
    v_previous bytea := decode(repeat('00', 32), 'hex');
begin
    for v_record in select * from audit.record order by id loop
        v_record.previous_hash := v_previous;
        v_record.hash := audit.record_hash(v_record);
        update audit.record set previous_hash = v_previous, hash = v_record.hash
        where id = v_record.id;
        v_previous := v_record.hash;
    end loop;
end $$
"""


@pytest.fixture(scope="module")
def history(embedded_server: Server) -> Generator[Database]:
    """A database in which something happened."""
    with embedded_server.clone() as database:
        with database.connect() as connection:
            for number in range(8):
                connection.execute("select api.create_principal(%s)", [f"agent {number}"])
        yield database


@pytest.fixture
def connection(history: Database) -> Generator[Connection]:
    """A superuser's transaction that leaves nothing behind."""
    with psycopg.connect(history.dsn) as connection:
        yield connection
        connection.rollback()


def value(connection: Connection, statement: LiteralString, *arguments: object) -> Any:
    row = connection.execute(statement, arguments).fetchone()
    assert row
    return row[0]


def sign_head(connection: Connection, data_dir: Path) -> Head:
    """As the service does."""
    key = SigningKey.open(data_dir)
    [(record, digest, *_)] = connection.execute("select * from service.audit_head()").fetchall()
    head = Head(record, digest.hex()).signed(key)
    connection.execute(
        "select service.sign_audit(%s, %s, %s, %s)",
        [record, digest, key.public_key, bytes.fromhex(head.signature)],
    )
    head.append(data_dir)
    return head


def faults(connection: Connection, data_dir: Path) -> list[tuple[str, int]]:
    """Returns what `qm audit verify` finds."""
    found = value(connection, "select api.verify_audit()")
    ours, key = Head.read_all(data_dir), SigningKey.open(data_dir).public_key.hex()
    ids = [head.record for head in ours]
    rows = connection.execute("select * from api.audit_hashes(%s)", [ids]).fetchall()
    all_of_them = found["faults"] + [
        asdict(one)
        for one in (
            *signature_faults(found, ours[-1] if ours else None, key),
            *head_faults(ours, dict(rows), found["first_id"] or 0),
        )
    ]
    return list(dict.fromkeys((one["fault"], one["record"]) for one in all_of_them))


def test_records_are_kept_from_a_superuser_who_does_not_insist(connection: Connection):
    with pytest.raises(psycopg.Error) as caught:
        connection.execute("delete from audit.record")
    assert caught.value.sqlstate == "QM409"


def test_a_changed_record_is_named(connection: Connection, tmp_path: Path):
    assert faults(connection, tmp_path) == []
    connection.execute(UNSTOPPED)
    connection.execute("update audit.record set after = '{}' where object = 'agent 3'")
    named = value(connection, "select id from audit.record where object = 'agent 3'")
    assert faults(connection, tmp_path) == [("changed", named)]


def test_a_missing_record_is_named(connection: Connection, tmp_path: Path):
    named = value(connection, "select id from audit.record where object = 'agent 3'")
    connection.execute(UNSTOPPED)
    connection.execute("delete from audit.record where object = 'agent 3'")
    assert faults(connection, tmp_path) == [("missing", named)]


def test_a_chain_written_anew_does_not_fit_its_signature(connection: Connection, tmp_path: Path):
    head = sign_head(connection, tmp_path)
    assert faults(connection, tmp_path) == []
    connection.execute(UNSTOPPED)
    connection.execute("update audit.record set after = '{}' where object = 'agent 3'")
    connection.execute(RECHAIN)
    assert faults(connection, tmp_path) == [("changed", head.record)]
    # Even with the signature made to fit, for which the key is missing.
    connection.execute(
        "update audit.signature as s set hash = r.hash from audit.record as r"
        " where r.id = s.record_id"
    )
    assert faults(connection, tmp_path) == [("signature", head.record), ("changed", head.record)]
    # Or with somebody else's key.
    connection.execute("delete from audit.signature")
    (tmp_path / "other").mkdir()
    sign_head(connection, tmp_path / "other")
    assert faults(connection, tmp_path) == [("changed", head.record)]


def test_an_end_cut_off_with_its_signature_is_known_to_who_signed_it(
    connection: Connection, tmp_path: Path
):
    head = sign_head(connection, tmp_path)
    connection.execute(UNSTOPPED)
    connection.execute("delete from audit.signature")
    connection.execute("delete from audit.record where id >= %s", [head.record - 2])
    assert faults(connection, tmp_path) == [("missing", head.record)]


def test_what_is_changed_in_the_file_of_heads_is_named(
    connection: Connection, tmp_path: Path
) -> None:
    heads: list[Head] = []
    for number in range(3):
        connection.execute("select api.create_principal(%s)", [f"signed {number}"])
        connection.execute("set constraints all immediate")
        heads.append(sign_head(connection, tmp_path))
    assert faults(connection, tmp_path) == []
    file = tmp_path / "audit_heads.jsonl"
    first, second, last = (f"{head.line}\n" for head in heads)
    for text in ("", first + second, first + second + last[:-1]):
        file.write_text(text)
        assert faults(connection, tmp_path) == [("cut", heads[2].record)], text
    file.unlink()
    assert faults(connection, tmp_path) == [("cut", heads[2].record)]
    file.write_text(second + first + last)
    assert ("reordered", heads[0].record) in faults(connection, tmp_path)
    other = replace(heads[1], hash=heads[0].hash)
    file.write_text(f"{first}{other.line}\n{last}")
    named = heads[1].record
    assert faults(connection, tmp_path) == [("signature", named), ("changed", named)]
    for line in ("no head", "[]", "{}", '{"record": 1}', "[" * 100_000, "9" * 9_999, "\0"):
        file.write_text(f"{first}{line}\n{last}")
        with pytest.raises(QmError, match="line 2 "):
            faults(connection, tmp_path)
    for record in (0, -1, True, 1 << 63, "1", None):
        file.write_text(f"{first}{json.dumps(asdict(heads[1]) | {'record': record})}\n{last}")
        with pytest.raises(QmError, match="line 2 "):
            faults(connection, tmp_path)


def test_a_pipe_in_place_of_the_file_of_heads_is_named_and_not_waited_for(
    connection: Connection, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "audit_heads.jsonl")
    with pytest.raises(QmError, match="not a file"):
        faults(connection, tmp_path)
    (tmp_path / "audit_heads.jsonl").unlink()
    elsewhere = tmp_path / "elsewhere.jsonl"
    (tmp_path / "audit_heads.jsonl").symlink_to(elsewhere)
    head = sign_head(connection, tmp_path)
    assert elsewhere.read_text() == f"{head.line}\n", "the owner may keep it elsewhere"
    assert faults(connection, tmp_path) == []
    elsewhere.unlink()
    assert faults(connection, tmp_path) == [("cut", head.record)]


def test_records_cut_in_the_middle_with_their_signatures_are_named(
    connection: Connection, tmp_path: Path
) -> None:
    heads: list[Head] = []
    for number in range(3):
        connection.execute("select api.create_principal(%s)", [f"signed {number}"])
        connection.execute("set constraints all immediate")
        heads.append(sign_head(connection, tmp_path))
    connection.execute(UNSTOPPED)
    middle = heads[1].record
    connection.execute("delete from audit.signature where record_id = %s", [middle])
    connection.execute("delete from audit.record where id = %s", [middle])
    # The rest is chained anew, and its signatures are removed: only the file knows.
    connection.execute("delete from audit.signature")
    connection.execute("update audit.record set id = id - 1 where id > %s", [middle])
    connection.execute(RECHAIN)
    named = faults(connection, tmp_path)
    assert ("changed", middle) in named
    assert ("missing", heads[2].record) in named


def test_a_month_that_was_dropped_without_a_record_is_named(
    connection: Connection, tmp_path: Path
) -> None:
    head = sign_head(connection, tmp_path)
    partition = value(
        connection, "select tableoid::regclass::text from audit.record where id = %s", head.record
    )
    connection.execute(UNSTOPPED)
    connection.execute(sql.SQL("drop table {}").format(sql.SQL(partition)))
    connection.execute("delete from audit.signature")
    assert faults(connection, tmp_path) == [("missing", head.record)]
    # Also with a row that says it was dropped for its age, which no record mentions.
    connection.execute(
        "insert into audit.cut (last_id, partition, first_id, last_hash, cut_at)"
        " values (%s, 'record_2020_01', 1, decode(%s, 'hex'), now())",
        [head.record, head.hash],
    )
    assert ("cut", head.record) in faults(connection, tmp_path)


def test_the_key_is_its_owners_alone(tmp_path: Path):
    made = SigningKey.open(tmp_path)
    assert (tmp_path / "signing_key").stat().st_mode & 0o777 == 0o600
    assert SigningKey.open(tmp_path).public_key == made.public_key


def exported(connection: Connection) -> list[str]:
    rows = connection.execute("select line from api.export_audit() order by id").fetchall()
    return [f"{row[0]}\n" for row in rows]


def test_an_export_is_verified_without_the_database(connection: Connection):
    odd = 'a \\ "name" ä 😀 \t'
    connection.execute("select policy.put_principal(%s, 'agent', 'user')", [odd])
    connection.execute("set constraints all immediate")
    lines = exported(connection)
    assert list(line_faults(lines)) == []
    assert list(line_faults(lines[3:])) == []

    def named(changed: list[str]) -> list[tuple[str, int]]:
        return [(fault.fault, fault.record) for fault in line_faults(changed)]

    first = value(connection, "select min(id) from audit.record")
    other = [*lines]
    other[4] = other[4].replace('"insert"', '"delete"')
    assert named(other) == [("changed", first + 4)]
    assert named(lines[:4] + lines[5:]) == [("missing", first + 4)]
    swapped = [*lines[:4], lines[5], lines[4], *lines[6:]]
    assert ("reordered", first + 4) in named(swapped)
    assert named([*lines[:4], "no record\n"]) == [("changed", first + 4)]


def test_writers_at_once_make_one_chain(embedded_server: Server, tmp_path: Path):
    writers, changes = 6, 20
    with embedded_server.clone() as database:

        def write(name: str) -> None:
            with database.connect() as connection:
                for number in range(changes):
                    connection.execute("select api.create_principal(%s)", [f"{name} {number}"])

        threads = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with database.connect() as connection:
            assert faults(connection, tmp_path) == []
            written = value(
                connection, "select count(*) from audit.record where object ~ '^w[0-5] '"
            )
            assert written == writers * changes


def test_an_older_view_of_the_chain_is_refused_and_not_forked(history: Database):
    with history.connect() as other, psycopg.connect(history.dsn) as connection:
        connection.execute("set transaction isolation level repeatable read")
        connection.execute("select count(*) from audit.record")
        add = "insert into core.setting (name, value, description) values (%s, '1', '')"
        other.execute(add, ["meanwhile"])
        connection.execute(add, ["too late"])
        with pytest.raises(psycopg.errors.SerializationFailure):
            connection.commit()


WRITER = """
import sys, psycopg
with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    for number in range(100_000):
        connection.execute("select api.create_principal(%s)", [f"{number}"])
        print(number, flush=True)
"""


@pytest.fixture
def own_server() -> Iterator[EmbeddedServer]:
    """A server that keeps what it commits, to be killed."""
    with new_place("qm-tests-") as place, EmbeddedServer(place / "data", runtime_dir()) as server:
        yield server


def test_a_killed_server_loses_no_committed_record(own_server: EmbeddedServer, tmp_path: Path):
    apply.install(own_server.dsn)
    with psycopg.connect(own_server.dsn, autocommit=True) as connection:
        postmaster = int(
            str(value(connection, "select pg_read_file('postmaster.pid')")).splitlines()[0]
        )
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, own_server.dsn],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert writer.stdout is not None
    for _ in range(50):
        assert writer.stdout.readline()
    os.kill(postmaster, signal.SIGKILL)
    # Its own buffer may hold lines that communicate() would not see.
    report = 50 + len(writer.stdout.read().splitlines())
    writer.stdout.close()
    assert writer.wait(30) != 0
    own_server.start()
    with psycopg.connect(own_server.dsn, autocommit=True) as connection:
        retained = value(
            connection,
            "select count(*) from audit.record where table_name = 'policy.principal'"
            " and object ~ '^[0-9]+$'",
        )
        there = value(connection, "select count(*) from policy.principal where name ~ '^[0-9]+$'")
        assert retained == there
        assert report <= retained <= report + 1
        assert faults(connection, tmp_path) == []
