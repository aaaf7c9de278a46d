-- Creates the ledger of migrations, one table for the core and all kind folders. The setting qm.migrations contains the
-- names and digests of the migrations that this release knows, for the core and for the kinds that come with it. If the
-- ledger contains a newer migration, the file raises QM500 schema_too_new.
-- Some statements have moved from migrations of the core to migrations of kinds. The setting qm.moved lists these moves
-- (migrations/moved.txt). If the core's migration ran before the move, the kind's migration counts as run.
-- Releases before 0.3 read the number of the last migration from core.alembic_version. The file stores a number there
-- that these releases do not know, so that they refuse the database.
create table if not exists core.migration (
    folder text collate "C" not null,
    name text collate "C" not null,
    digest text collate "C" not null,
    primary key (folder, name)
);
alter table core.migration enable row level security;
comment on table core.migration is 'The migrations that have been run.';
comment on column core.migration.folder is
'The kind folder to which the migration belongs (empty: the core).';
comment on column core.migration.digest is 'The SHA-256 of the file, in hexadecimal.';
create table if not exists core.alembic_version (
    version_num varchar(32) not null constraint alembic_version_pkc primary key
);
alter table core.alembic_version enable row level security;
comment on table core.alembic_version is
'A number that releases before 0.3 read. They do not know the number, and so refuse the database of a newer release.';
do $do$
declare
    v_newest constant text := '9999';
    v_found constant jsonb := pg_catalog.current_setting('qm.migrations')::jsonb;
    v_moved constant jsonb := pg_catalog.current_setting('qm.moved')::jsonb;
    v_move jsonb;
begin
    insert into core.migration (folder, name, digest)
    select
        '',
        m.key,
        coalesce(pg_catalog.jsonb_path_query_first(v_moved, '$[*] ? (@.migration == $name)', pg_catalog.jsonb_build_object('name', m.key)) ->> 'before', m.value)
    from core.alembic_version as v
    cross join lateral pg_catalog.jsonb_each_text(v_found -> '') as m
    where v.version_num < v_newest and pg_catalog.substring(m.key, '\d+') <= v.version_num collate "C";
    for v_move in select f.moved from pg_catalog.jsonb_array_elements(v_moved) as f (moved) loop
        with moved as (
            update core.migration as m
            set digest = v_move ->> 'after'
            where m.folder = '' and m.name = v_move ->> 'migration' and m.digest = v_move ->> 'before'
            returning m.name
        )

        insert into core.migration (folder, name, digest)
        select v_move ->> 'folder', v_move ->> 'moved_to', v_move ->> 'digest'
        from moved;
    end loop;
    if exists (
        select
        from core.migration as m
        inner join pg_catalog.jsonb_each(v_found) as f on f.key = m.folder
        where m.name > (select max(n) from pg_catalog.jsonb_object_keys(f.value) as n) collate "C"
    ) then
        raise exception 'the database was installed by a newer release'
        using
            errcode = 'QM500', constraint = 'schema_too_new',
            hint = 'Use that release or a newer release.';
    end if;
    delete from core.alembic_version;
    insert into core.alembic_version (version_num) values (v_newest);
end
$do$;
