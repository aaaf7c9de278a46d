-- core.withheld_functions: tests/sql/test_public_functions.py fails if PostgreSQL has a new function that everybody may
-- execute. The person who reviews the new function decides whether to add it to the list. The list contains only
-- functions that this version of PostgreSQL has. Functions whose rights PostgreSQL itself restricts are left out,
-- because the installation must not grant them to anybody.
-- Reads: pg_proc, pg_init_privs.
create or replace function core.withheld_functions()
returns table (function regprocedure, reason text, needed_by text[])
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p.oid::regprocedure, w.reason, w.needed_by
    from (
        values
        (
            '^pg_(try_)?advisory_(xact_)?lock(_shared)?$',
            'each lock takes a place in the lock table of the server',
            '{qm_owner,qm_admin}'::text[]
        ),
        (
            '^(pg_current_xact_id|txid_current)$',
            'each savepoint takes a transaction id and a place in the lock table',
            '{qm_owner,qm_admin}'
        ),
        ('^pg_logical_emit_message$', 'it fills the write-ahead log', '{}'),
        ('^pg_export_snapshot$', 'each call writes a file', '{}'),
        ('^(lo_.*|loread|lowrite)$', 'large objects fill the disk', '{}')
    ) as w (pattern, reason, needed_by)
    inner join pg_proc as p on p.proname ~ w.pattern
    where
        p.pronamespace = 'pg_catalog'::regnamespace
        and not exists (select from pg_init_privs as i where i.classoid = 'pg_proc'::regclass and i.objoid = p.oid);
$function$;
comment on function core.withheld_functions() is
'Lists the functions of PostgreSQL with which a session could hold or fill something that all sessions share. Returns '
'for each function: why it is withheld from people who log in to the database, and which roles of Quartermaster need '
'it.';
