-- core.probe_capabilities: other functions read the result with core.has_capability.
-- Reads: pg_extension, pg_available_extensions.
-- Writes: core.capability.
create or replace function core.probe_capabilities()
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with wanted (name, required, used_for, stand_in) as (
        values
        ('vector', true, 'dense search and BM25 weights', 'nothing: refused'),
        ('pg_trgm', true, 'fuzzy names', 'nothing: refused'),
        ('unaccent', true, 'accent folding', 'nothing: refused'),
        ('plpython3u', false, 'functions in Python', 'the service runs the models instead'),
        ('pg_cron', false, 'scheduled jobs', 'the service runs the jobs'),
        ('pg_search', false, 'BM25 search over many cards', 'BM25 in SQL, with the same interface and the same scores')
    )

    insert into core.capability as c (
        name, required, used_for, stand_in, available, installed, version, reason, probed_at
    )
    select
        w.*,
        a.name is not null,
        e.oid is not null,
        coalesce(e.extversion, a.default_version),
        case
            when e.oid is not null then null
            when a.name is not null
                then 'the extension is available, but not created: create extension ' || w.name || ', as a superuser'
            else 'the server lacks this extension: install the package of the extension'
        end,
        core.now()
    from wanted as w
    left join pg_available_extensions as a on a.name = w.name
    left join pg_extension as e on e.extname = w.name
    on conflict (name) do update
    set
        required = excluded.required,
        used_for = excluded.used_for,
        stand_in = excluded.stand_in,
        available = excluded.available,
        installed = excluded.installed,
        version = excluded.version,
        reason = excluded.reason,
        probed_at = excluded.probed_at;
    select core.report_capability(
        'session_limits',
        s.has,
        'limits for psql sessions',
        'no limits; any login can take all connections',
        case
            when not s.has
                then 'the server administrator has not granted pg_signal_backend and pg_read_all_stats to qm_owner'
        end
    )
    from (
        select
            pg_has_role('qm_owner', 'pg_signal_backend', 'usage')
                and pg_has_role('qm_owner', 'pg_read_all_stats', 'usage') as has
    ) as s;
    select core.report_capability(
        'login_limits',
        o.functions = 0 and o.databases is null,
        'limits for what psql logins take and fill',
        'no limits; any login can stop the server for all, for example with advisory locks',
        nullif(concat_ws(
            '. ',
            case
                when o.is_shared then 'the database is shared with others, and nothing is taken from them'
                when o.functions > 0 then
                    format('everybody may execute %s functions (core.withheld_functions): run', o.functions)
                    || ' qm install --limit-logins'
                    || case
                        when (select r.rolsuper from pg_roles as r where r.rolname = session_user) then ''
                        else ' --dsn DSN_OF_A_SUPERUSER'
                    end
            end,
            case
                when o.databases is not null and not o.is_shared then
                    'everybody may connect to other databases of the server, where nothing is limited. If no '
                    'application'
                    || format(' there needs that: revoke connect on database %s from public', o.databases)
                    collate core.c_utf8
            end
        ), '')
    )
    from (
        select
            exists (select from core.capability as c where c.name = 'own_database' and not c.installed) as is_shared,
            (
                select count(*)
                from core.withheld_functions() as w
                where has_function_privilege('public', w.function, 'execute')
            ) as functions,
            (
                select string_agg(quote_ident(d.datname), ', ' order by d.datname)
                from pg_database as d
                where
                    d.datallowconn
                    and d.datname <> current_database()
                    and has_database_privilege('public', d.oid, 'connect')
            ) as databases
    ) as o;
$function$;
comment on function core.probe_capabilities() is
'Finds out from the system catalog which optional features (capabilities) the database server has, and updates '
'core.capability. The installer runs this function.';
