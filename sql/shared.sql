-- Decides whether Quartermaster shares the database with others, and sets qm.shared to on or off for the files after
-- this one. For the first installation, `qm install --shared` has set it to on. Later installations read the choice
-- from core.capability (own_database). An installation that is older than this choice counts as not shared.
-- It raises errors before anything is created:
--   QM409 database_shared: there are objects outside of extensions, or other roles with rights, settings or sessions.
--       (Superusers, the owner of the database and the login that installs do not count, because they lose no right.)
--   QM409 schema_taken, database_published: the database cannot be used, even with --shared.
--   QM409 database_not_shared: an earlier installation did not use --shared.
do $do$
declare
    v_schemas constant text[] := string_to_array(current_setting('qm.schemas'), ',');
    v_owner oid := 'qm_owner'::regrole;
    v_is_shared boolean := coalesce(current_setting('qm.shared', true), '') = 'on';
    v_is_installed constant boolean := exists (
        select from pg_class as c
        inner join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = 'core' and c.relname = 'kind_folder'
    );
    v_was_shared boolean;
    v_taken text;
    v_found text;
begin
    if v_is_installed then
        -- sql/owners.sql has given back those that are ours, unless they belong to whoever restored a dump.
        v_owner := (select n.nspowner from pg_namespace as n where n.nspname = 'core');
        v_was_shared := pg_temp.ask_owner(
            'select from core.capability as c where c.name = ''own_database'' and not c.installed'
        )::text <> '[]';
    end if;
    select string_agg(format('%I (of %s)', n.nspname, pg_get_userbyid(n.nspowner)), ', ' order by n.nspname)
    into v_taken
    from pg_namespace as n
    where n.nspname = any(v_schemas) and n.nspowner is distinct from v_owner;
    if v_taken is not null then
        raise exception 'schemas that Quartermaster needs belong to somebody else in the database %: %',
            current_database(), v_taken
        using
            errcode = 'QM409', constraint = 'schema_taken',
            hint = 'Give Quartermaster a database of its own: create database quartermaster.';
    end if;
    if v_is_installed then
        if v_is_shared and not v_was_shared then
            raise exception 'the installation in the database % has taken rights from others already', current_database()
            using
                errcode = 'QM409', constraint = 'database_not_shared',
                hint = 'qm uninstall gives them back. Then run qm install --shared.';
        end if;
        perform set_config('qm.shared', case when v_was_shared then 'on' else 'off' end, true);
        return;
    end if;

    select string_agg(quote_ident(p.pubname), ', ' order by p.pubname) into v_found
    from pg_publication as p
    where p.puballtables;
    if v_found is not null then
        raise exception 'the tables of Quartermaster would be published, too, and stop the subscribers of %: it is for '
            'all tables of the database %', v_found, current_database()
        using
            errcode = 'QM409', constraint = 'database_published',
            hint = 'Give Quartermaster a database of its own: create database quartermaster.';
    end if;
    if not v_is_shared then
        with schema as materialized (
            select n.oid, n.nspowner
            from pg_namespace as n
            where n.nspname !~ '^(pg_|information_schema$)' and n.nspowner is distinct from v_owner
        ),

        -- What an initial database holds has lower ids.
        object (classid, objid) as (
            select 'pg_class'::regclass, c.oid
            from pg_class as c
            inner join schema as s on s.oid = c.relnamespace
            where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
            union all
            select 'pg_proc', p.oid from pg_proc as p inner join schema as s on s.oid = p.pronamespace
            union all
            select 'pg_type', t.oid
            from pg_type as t
            inner join schema as s on s.oid = t.typnamespace
            left join pg_class as c on c.oid = t.typrelid
            where (c.oid is null or c.relkind = 'c') and t.typtype <> 'm' and t.typcategory <> 'A'
            union all
            select 'pg_operator', o.oid from pg_operator as o inner join schema as s on s.oid = o.oprnamespace
            union all
            select 'pg_opfamily', o.oid from pg_opfamily as o inner join schema as s on s.oid = o.opfnamespace
            union all
            select 'pg_collation', c.oid from pg_collation as c inner join schema as s on s.oid = c.collnamespace
            union all
            select 'pg_conversion', c.oid from pg_conversion as c inner join schema as s on s.oid = c.connamespace
            union all
            select 'pg_ts_config', c.oid from pg_ts_config as c inner join schema as s on s.oid = c.cfgnamespace
            union all
            select 'pg_ts_dict', d.oid from pg_ts_dict as d inner join schema as s on s.oid = d.dictnamespace
            union all
            select 'pg_ts_parser', p.oid from pg_ts_parser as p inner join schema as s on s.oid = p.prsnamespace
            union all
            select 'pg_ts_template', t.oid from pg_ts_template as t inner join schema as s on s.oid = t.tmplnamespace
            union all
            select 'pg_event_trigger', e.oid from pg_event_trigger as e
            union all
            select 'pg_publication', p.oid from pg_publication as p
            union all
            select 'pg_subscription', s.oid
            from pg_subscription as s
            inner join pg_database as d on d.oid = s.subdbid
            where d.datname = current_database()
            union all
            select 'pg_foreign_data_wrapper', f.oid from pg_foreign_data_wrapper as f
            union all
            select 'pg_foreign_server', f.oid from pg_foreign_server as f
            union all
            select 'pg_language', l.oid from pg_language as l
            union all
            select 'pg_cast', c.oid from pg_cast as c
            union all
            select 'pg_am', a.oid from pg_am as a
            union all
            select 'pg_largeobject', l.oid from pg_largeobject_metadata as l
        ),

        found (rank, what) as (
            select i.type <> 'table', format('%s %s', i.type, i.identity)
            from object as o
            cross join lateral pg_identify_object(o.classid, o.objid, 0) as i
            where
                (o.objid >= 16384 or o.classid = 'pg_largeobject'::regclass)
                and not exists (
                    select from pg_depend as d
                    where d.classid = o.classid and d.objid = o.objid and d.deptype in ('e', 'i', 'a')
                )
        ),

        other_role as materialized (
            select r.oid, r.rolname
            from pg_roles as r
            inner join pg_database as d on d.datname = current_database()
            where
                r.oid >= 16384 and r.oid <> d.datdba and not r.rolsuper
                and r.rolname not in (current_user, session_user)
                and r.rolname <> all(string_to_array(current_setting('qm.roles'), ','))
                and not exists (
                    select from pg_roles as i
                    where i.rolname = current_user and not i.rolsuper and pg_has_role(i.oid, r.oid, 'usage')
                )
        ),

        -- Rights and policies, and schemas that hold no extension.
        entitled as (
            select distinct r.rolname
            from other_role as r
            inner join pg_shdepend as s on s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid
            inner join pg_database as d on d.datname = current_database()
            where
                (s.dbid = d.oid or (s.dbid = 0 and s.classid = 'pg_database'::regclass and s.objid = d.oid))
                and (
                    s.deptype in ('a', 'r')
                    or s.deptype = 'o' and s.classid = 'pg_namespace'::regclass
                    and not exists (select from pg_extension as e where e.extnamespace = s.objid)
                )
        ),

        with_settings as (
            select r.rolname
            from other_role as r
            inner join pg_db_role_setting as s on s.setrole = r.oid
            inner join pg_database as d on d.oid = s.setdatabase
            where d.datname = current_database()
        ),

        in_session as (
            select distinct r.rolname
            from other_role as r
            inner join pg_stat_activity as a on a.usesysid = r.oid
            where a.datname = current_database()
        )

        select concat_ws(
            ', ',
            (
                select format('objects of others (%s, such as %s)', count(*), (array_agg(f.what order by f.rank, f.what))[1])
                from found as f
                having count(*) > 0
            ),
            'rights of ' || (select string_agg(e.rolname, ', ' order by e.rolname) from entitled as e),
            'settings of ' || (select string_agg(w.rolname, ', ' order by w.rolname) from with_settings as w),
            'sessions of ' || (select string_agg(i.rolname, ', ' order by i.rolname) from in_session as i)
        )
        into v_found;
        if v_found <> '' then
            raise exception 'others use the database %, and would lose rights in it: there are %', current_database(), v_found
            using
                errcode = 'QM409', constraint = 'database_shared',
                hint = 'Give Quartermaster a database of its own: create database quartermaster. Or share this one, '
                    'so that nothing is taken from others (docs/doors.md says what that costs): run psql with '
                    'PGOPTIONS=''-c qm.shared=on''.';
        end if;
    end if;
    perform set_config('qm.shared', case when v_is_shared then 'on' else 'off' end, true);
end
$do$;
