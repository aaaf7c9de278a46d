-- Records the rights and settings that the installation is about to change, so that qm uninstall can restore them. qm
-- uninstall has the rights of its login, so qm_owner must not be able to change the record. Therefore the record is the
-- comment of a schema that the login owns, qm_prior_state. Only the first installation records, because a later
-- installation would record its own changes. But a copy of the database has rights and settings of its own, so these
-- are recorded again. Releases before migration 0029 kept the record in core.prior_state, where qm_owner could change
-- it. From there, the file takes over only entries that give no right to anybody.
do $do$
declare
    v_is_first constant boolean := not exists (
        select from pg_class as c
        inner join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = 'core' and c.relname = 'release'
    );
    v_grantee name;
    v_kept jsonb;
    v_found jsonb;
begin
    if to_regnamespace('qm_prior_state') is null then
        create schema qm_prior_state;
        -- The login's default privileges would give others rights in it.
        for v_grantee in
            select distinct r.rolname
            from pg_namespace as n
            cross join lateral aclexplode(n.nspacl) as a
            inner join pg_roles as r on r.oid = a.grantee
            where n.nspname = 'qm_prior_state' and a.grantee <> n.nspowner
        loop
            execute format('revoke all on schema qm_prior_state from %I', v_grantee);
        end loop;
        revoke all on schema qm_prior_state from public;
    elsif not exists (
        select from pg_namespace as n
        inner join pg_roles as r on r.oid = n.nspowner
        inner join pg_database as d on d.datname = current_database()
        where n.nspname = 'qm_prior_state' and (r.rolsuper or r.oid = d.datdba or r.rolname = current_user)
    ) then
        raise exception 'the schema qm_prior_state belongs to somebody else, so that it cannot be believed'
        using
            errcode = 'QM409', constraint = 'schema_taken',
            hint = 'Run in psql: drop schema qm_prior_state cascade; then install again.';
    end if;
    v_kept := obj_description(to_regnamespace('qm_prior_state')::oid, 'pg_namespace')::jsonb;
    if v_kept is null and not v_is_first and to_regclass('core.prior_state') is not null then
        select jsonb_object_agg(p.subject, p.state - '{settings,public_is_open}'::text[]) into v_kept
        from json_to_recordset(pg_temp.ask_owner('select p.subject, p.state from core.prior_state as p'))
            as p (subject text, state jsonb);
    end if;
    if
        v_is_first or (v_kept #>> '{database,oid}')::oid is distinct from (
            select d.oid from pg_database as d where d.datname = current_database()
        )
    then
        select jsonb_build_object('database', jsonb_build_object(
            'oid', d.oid,
            'public', (
                select coalesce(jsonb_agg(a.privilege_type), '[]')
                from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) as a
                where a.grantee = 0
            ),
            'settings', (
                select coalesce(jsonb_object_agg(coalesce(r.rolname, ''), s.setconfig), '{}')
                from pg_db_role_setting as s
                left join pg_roles as r on r.oid = s.setrole
                where s.setdatabase = d.oid
            )
        ))
        into v_found
        from pg_database as d
        where d.datname = current_database();
    end if;
    if v_is_first then
        with catalog (name, now_acl, initial_acl) as (
            select
                p.oid::regprocedure::text,
                coalesce(p.proacl, acldefault('f', p.proowner)),
                coalesce(i.initprivs, acldefault('f', p.proowner))
            from pg_proc as p
            left join pg_init_privs as i on i.classoid = 'pg_proc'::regclass and i.objoid = p.oid
            where p.pronamespace = 'pg_catalog'::regnamespace
            union all
            select 'pg_class', c.relacl, i.initprivs
            from pg_class as c
            inner join pg_init_privs as i on i.classoid = 'pg_class'::regclass and i.objoid = c.oid and i.objsubid = 0
            where c.oid = 'pg_class'::regclass
        ),

        given (name, grantee, by_default, now) as (
            select
                c.name,
                g.grantee,
                exists (select from aclexplode(c.initial_acl) as a where a.grantee = g.grantee and a.privilege_type = g.privilege),
                exists (select from aclexplode(c.now_acl) as a where a.grantee = g.grantee and a.privilege_type = g.privilege)
            from catalog as c
            cross join lateral (
                select r.oid, case when c.name = 'pg_class' then 'SELECT' else 'EXECUTE' end
                from (values (0::oid), ('pg_monitor'::regrole::oid)) as r (oid)
            ) as g (grantee, privilege)
        )

        select
            v_found || jsonb_build_object(
                'catalog', jsonb_build_object(
                    'withheld', (
                        select coalesce(jsonb_agg(g.name), '[]') from given as g where g.grantee = 0 and g.by_default and not g.now
                    ),
                    'monitored', (
                        select coalesce(jsonb_agg(g.name), '[]') from given as g where g.grantee <> 0 and g.now and not g.by_default
                    ),
                    'public_is_open', (
                        select has_schema_privilege('public', n.oid, 'create') from pg_namespace as n where n.nspname = 'public'
                    )
                ),
                'extensions', jsonb_build_object(
                    'names', (select jsonb_agg(e.extname) from pg_extension as e),
                    'schema_is_open', (
                        select has_schema_privilege('public', n.oid, 'usage') from pg_namespace as n where n.nspname = 'ext'
                    )
                )
            )
        into v_found;
    end if;
    execute format('comment on schema qm_prior_state is %L', coalesce(v_kept, '{}') || coalesce(v_found, '{}'));
end
$do$;
