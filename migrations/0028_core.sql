-- Texts are compared, sorted and folded in the same way in every database, whatever its locale is. The indexes on texts
-- are built again.
-- squawk-ignore-file changing-column-type, adding-required-field, adding-field-with-default, ban-drop-column
-- squawk-ignore-file ban-drop-view, prefer-robust-stmts, require-concurrent-index-creation

do $do$
begin
    -- PostgreSQL 17 brings this locale along. Before, it is one of the operating system or, where that has none, the
    -- root of ICU, which knows the same letters and sorts them in another order.
    if pg_catalog.current_setting('server_version_num')::integer >= 170000 then
        execute 'create collation core.c_utf8 (provider = builtin, locale = ''C.UTF-8'')';
    else
        begin
            execute 'create collation core.c_utf8 (provider = libc, locale = ''C.UTF-8'')';
        exception
            when undefined_object or invalid_parameter_value then
                execute 'create collation core.c_utf8 (provider = icu, locale = ''und'')';
        end;
    end if;
end
$do$;
comment on collation core.c_utf8 is
'The order of code points, and letters as Unicode knows them. Everything that folds, sorts or classifies text uses it, '
'because the default collation depends on the database.';

-- What depends on the type of a column. The installation creates policies and triggers again.
do $do$
declare
    v_statement text;
begin
    for v_statement in
        select pg_catalog.format('drop policy %I on %s', p.polname, p.polrelid::regclass)
        from pg_catalog.pg_policy as p
        inner join pg_catalog.pg_class as c on c.oid = p.polrelid
        inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
        where
            n.nspowner = 'qm_owner'::regrole
            and exists (
                select
                from pg_catalog.pg_depend as d
                where d.classid = 'pg_catalog.pg_policy'::regclass and d.objid = p.oid and d.refobjsubid > 0
            )
            -- Those of other roles are not ours to drop.
            and p.polroles <@ array(
                select r.oid
                from pg_catalog.pg_roles as r
                where r.rolname = any('{qm_owner, qm_service, qm_reader, qm_user, qm_operator, qm_admin}')
            )
        union all
        select pg_catalog.format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
        from pg_catalog.pg_trigger as t
        inner join pg_catalog.pg_proc as f on f.oid = t.tgfoid
        where
            f.proowner = 'qm_owner'::regrole
            and t.tgparentid = 0
            and (pg_catalog.cardinality(t.tgattr) > 0 or t.tgqual is not null)
    loop
        execute v_statement;
    end loop;
end
$do$;
alter table search.kind drop column has_outcomes;
alter table catalog.item drop column is_live, drop column skeleton;

do $do$
declare
    v_statement text;
begin
    for v_statement in
        select
            pg_catalog.format(
                'alter table %s %s', c.oid::regclass,
                pg_catalog.string_agg(
                    pg_catalog.format('alter column %I type %s collate core.c_utf8', a.attname, a.atttypid::regtype), ', '
                )
            )
        from pg_catalog.pg_class as c
        inner join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where
            c.relnamespace = any(
                '{core, policy, search, catalog, selection, calls, stats, audit, jobs, snapshots, projects}'
                ::regnamespace []
            )
            and c.relkind in ('r', 'p')
            and not c.relispartition
            and a.atttypid in ('text'::regtype, 'text[]'::regtype)
        group by c.oid
    loop
        execute v_statement;
    end loop;
end
$do$;

alter table search.kind
add column has_outcomes boolean not null generated always as (outcomes <> 'none') stored;
comment on column search.kind.has_outcomes is 'Whether outcomes change the utility of cards of this kind.';
alter table catalog.item
add column is_live boolean not null
generated always as (status = 'approved' and deprecated_at is null) stored,
-- Characters that look alike: Cyrillic, Greek and full-width letters (Unicode Technical Standard 39), and digits.
add column skeleton text collate core.c_utf8 not null generated always as (
    regexp_replace(
        translate(
            lower(normalize(left(name, 200), nfkc)),
            'аеорсухіјѕһԁԛԝαεοριυνκ10|5', 'aeopcyxijshdqwaeopiuvklols'
        ), '[^[:alnum:]]+', '', 'g'
    )
) stored;
comment on column catalog.item.is_live is
'Whether the item can be found and used, which means that it is approved and its origin offers it.';
comment on column catalog.item.skeleton is
'The item''s name reduced to letters and digits; of characters that look alike, only one is used.';
create index item_skeleton_idx on catalog.item (skeleton);
