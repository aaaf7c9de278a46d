"""A database of a shop, which has nothing to do with Quartermaster, and its reader at work."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from time import perf_counter

import psycopg
from psycopg import sql

from tests.support.database import Database, Server, with_parts
from tests.support.logins import remove_login

READER = "shop_reader"
_PASSWORD = "the reader's, on loopback"
_EVERY_S = 0.1
_SHOP = """
create schema shop;
create table shop.orders (id integer primary key, goods text not null);
insert into shop.orders values (1, 'tea'), (2, 'salt');
create view public.totals as select count(*) from shop.orders;
create type shop.state as enum ('new', 'sent');
create function shop.cheapest() returns text language sql as 'select min(goods) from shop.orders';
create publication orders_only for table shop.orders;
grant usage on schema shop to shop_reader;
grant select on all tables in schema shop to shop_reader;
alter default privileges grant select on tables to shop_reader;
alter default privileges grant execute on functions to shop_reader;
alter default privileges grant all on schemas to shop_reader;
create table shop.ddl (what text not null);
create function shop.note() returns event_trigger language plpgsql security definer as
    'begin insert into shop.ddl values (tg_tag); end';
create event trigger shop_notes on ddl_command_end execute function shop.note();
alter role shop_reader in database {} set search_path = shop;
select lo_from_bytea(0, 'a picture');
"""


@dataclass
class Reader:
    """What the shop's reader was told.

    Attributes:
        answers: number of orders that each query found.
        refusals: errors.
        longest_s: how long it waited for the slowest answer.
    """

    answers: list[int] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    longest_s: float = 0


@contextmanager
def shop(server: Server) -> Generator[Database]:
    """Provides a database with tables of the shop, and with rights of its reader."""
    with server.empty() as database:
        open_shop(database)
        try:
            yield database
        finally:
            with database.connect() as connection:
                connection.execute("drop event trigger shop_notes")
                remove_login(connection, "shop_reader")


def open_shop(database: Database) -> None:
    """Makes the tables of the shop, and its reader if the server has none.

    Args:
        database: with a superuser's connection string.
    """
    with database.connect() as connection:
        is_there = "select from pg_roles where rolname = %s"
        if not connection.execute(is_there, [READER]).fetchall():
            password = sql.Literal(_PASSWORD)
            create = sql.SQL("create role {} login password {}")
            connection.execute(create.format(sql.Identifier(READER), password))
        connection.execute(sql.SQL(_SHOP).format(sql.Identifier(database.name)))


def as_reader(database: Database) -> str:
    """Returns the connection string of the shop's reader."""
    return with_parts(database.dsn, database=database.name, user=READER, password=_PASSWORD)


@contextmanager
def reading(database: Database) -> Generator[Reader]:
    """Lets the reader connect and ask every 100 ms, before, during and after the block."""
    reader, ends, has_begun = Reader(), Event(), Event()

    def read() -> None:
        while not ends.wait(_EVERY_S if has_begun.is_set() else 0):
            began = perf_counter()
            try:
                with psycopg.connect(as_reader(database)) as connection:
                    connection.execute("create temporary table basket (goods text)")
                    found = connection.execute("select count(*)::integer from orders").fetchone()
                    reader.answers.extend(found or ())
            except psycopg.Error as error:
                reader.refusals.append(str(error))
            reader.longest_s = max(reader.longest_s, perf_counter() - began)
            has_begun.set()

    thread = Thread(target=read)
    thread.start()
    try:
        has_begun.wait()
        yield reader
        has_begun.clear()
        has_begun.wait()
    finally:
        ends.set()
        thread.join()
