-- Lists the statements that restore the rights and settings which the installation has revoked or changed. The setting
-- qm.prior_state contains the state before the installation (sql/prior_state.sql). Where it contains nothing, the
-- default of PostgreSQL is restored. Later changes by somebody else are kept. The caller must first create a copy of
-- core.withheld_functions() in pg_temp, and set qm.shared.
with prior (state) as (select current_setting('qm.prior_state')::jsonb),

here as (
    select
        d.oid,
        d.datacl,
        quote_ident(d.datname) as name,
        case
            when (p.state #>> '{database,oid}')::oid = d.oid then p.state -> 'database' else '{}'
        end as state
    from pg_database as d, prior as p
    where d.datname = current_database()
),

our_role (name) as (
    select r.rolname from pg_roles as r
    where r.rolname = any(string_to_array(current_setting('qm.roles'), ','))
),

-- The functions of PostgreSQL on which roles of ours have rights: sql/admin.sql takes those that count rows,
-- sql/login_limits.sql all that pg_temp.withheld_functions() lists.
granted as (
    select distinct
        p.oid,
        a.grantee::regrole::text as grantee
    from pg_proc as p, aclexplode(p.proacl) as a
    where
        p.pronamespace = 'pg_catalog'::regnamespace
        and a.grantee in (
            select r.oid from pg_roles as r inner join our_role as o on o.name = r.rolname
        )
),

limited as (
    select w.function::oid as oid from pg_temp.withheld_functions() as w
    where
        exists (
            select from pg_temp.withheld_functions() as m
            inner join granted as g on g.oid = m.function
        )
),

withheld (oid, counts_rows) as (
    select
        g.oid,
        true
    from granted as g where g.oid not in (select l.oid from limited as l)
    union
    select
        l.oid,
        false
    from limited as l
),

setting (object, name, value) as (
    select
        case when s.setrole = 0 then '' else format('role %s in ', s.setrole::regrole) end
        || 'database '
        || h.name,
        o.name,
        (
            select substr(c.line, length(o.name) + 2)
            from
                jsonb_array_elements_text(h.state #> array['settings', coalesce(r.rolname, '')])
                    as c (line)
            where starts_with(c.line, o.name || '=')
        )
    from here as h
    inner join pg_db_role_setting as s on s.setdatabase = h.oid
    left join pg_roles as r on r.oid = s.setrole
    inner join (
        values
        (true, 'search_path', '"$user", public, api'),
        (true, 'temp_file_limit', '256MB'),
        (false, 'temp_file_limit', '-1'),
        (true, 'pg_stat_statements.track', 'none'),
        (false, 'pg_stat_statements.track', 'top')
    ) as o (of_database, name, value)
        on o.of_database = (s.setrole = 0) and o.name || '=' || o.value = any(s.setconfig)
),

statement (rank, text) as (
    select
        1,
        format(
            'revoke all on function %s from %s',
            string_agg(g.oid::regprocedure::text, ', ' order by g.oid::regprocedure::text),
            g.grantee
        )
    from granted as g
    group by g.grantee
    union all
    select
        2,
        format(
            'revoke execute on function %s from pg_monitor',
            string_agg(w.oid::regprocedure::text, ', ' order by w.oid::regprocedure::text)
        )
    from withheld as w, prior as p
    where
        w.counts_rows and has_function_privilege('pg_monitor', w.oid, 'execute')
        and not coalesce(p.state #> '{catalog,monitored}', '[]') ? w.oid::regprocedure::text
    having count(*) > 0
    union all
    select
        3,
        format(
            'grant execute on function %s to public',
            string_agg(w.oid::regprocedure::text, ', ' order by w.oid::regprocedure::text)
        )
    from withheld as w, prior as p
    where
        not has_function_privilege('public', w.oid, 'execute')
        and not coalesce(p.state #> '{catalog,withheld}', '[]') ? w.oid::regprocedure::text
    having count(*) > 0
    union all
    -- To revoke the right to a table from somebody also revokes the rights to its columns.
    select
        t.rank,
        t.text
    from prior as p
    inner join pg_class as c on c.oid = 'pg_class'::regclass
    cross join
        lateral (
            values
            (
                4,
                format(
                    'revoke select on pg_class from qm_owner, public%s',
                    case
                        when
                            not coalesce(p.state #> '{catalog,monitored}', '[]') ? 'pg_class'
                            then ', pg_monitor'
                    end
                )
            ),
            (
                5,
                case
                    when
                        not coalesce(p.state #> '{catalog,withheld}', '[]') ? 'pg_class'
                        then 'grant select on pg_class to public'
                end
            )
        ) as t (rank, text)
    where
        exists (
            select
            from aclexplode(c.relacl) as a
            inner join pg_roles as r on r.oid = a.grantee
            where r.rolname = 'qm_owner'
        )
    union all
    select
        6,
        format(
            'revoke all on database %s from %s', h.name, string_agg(distinct r.rolname::text, ', ')
        )
    from here as h
    cross join lateral aclexplode(h.datacl) as a
    inner join pg_roles as r on r.oid = a.grantee
    inner join our_role as o on o.name = r.rolname
    group by h.name
    union all
    select
        6,
        format(
            'revoke all on schema %I from %s', n.nspname, string_agg(distinct o.name::text, ', ')
        )
    from pg_namespace as n
    cross join lateral aclexplode(n.nspacl) as a
    inner join our_role as o on o.name = pg_get_userbyid(a.grantee)
    where n.nspowner <> 'qm_owner'::regrole
    group by n.nspname
    union all
    select
        7,
        format(
            'grant %s on database %s to public',
            string_agg(lower(w.privilege), ', ' order by w.privilege),
            h.name
        )
    from here as h, unnest('{CONNECT,TEMPORARY}'::text[]) as w (privilege)
    where
        exists (
            select
            from aclexplode(h.datacl) as a
            inner join our_role as o on o.name = pg_get_userbyid(a.grantee)
        )
        -- From a database that is shared, nothing was taken.
        and current_setting('qm.shared') <> 'on'
        and not has_database_privilege('public', h.oid, w.privilege)
        and coalesce(h.state -> 'public', '["CONNECT", "TEMPORARY"]') ? w.privilege
    group by h.name
    union all
    select
        7,
        'grant create on schema public to public'
    from prior as p
    inner join pg_namespace as n on n.nspname = 'public'
    where
        (p.state #> '{catalog,public_is_open}')::boolean
        and not has_schema_privilege('public', n.oid, 'create')
    union all
    -- The value is taken from the session, because a list is not written as it is read.
    select
        8,
        case
            when s.value is null then format('alter %s reset %s', s.object, s.name)
            else format(
                'select set_config(%L, %L, true); alter %s set %s from current;'
                ' set local search_path = pg_catalog, pg_temp',
                s.name, s.value, s.object, s.name
            )
        end
    from setting as s
    union all
    select
        9,
        'drop schema qm_prior_state'
    from pg_namespace as n
    where n.nspname = 'qm_prior_state' and n.nspowner <> 'qm_owner'::regrole
    union all
    select
        9,
        'alter default privileges for role qm_owner grant execute on functions to public'
)

select s.text from statement as s
where s.text is not null
order by s.rank;
