-- Texts are compared, sorted and folded in the same way in every database, whatever its locale is.
-- squawk-ignore-file changing-column-type, adding-required-field, adding-field-with-default, ban-drop-column
-- squawk-ignore-file prefer-robust-stmts, require-concurrent-index-creation

alter table decisions.decision drop column scope_prefix;

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
            c.relnamespace = 'decisions'::regnamespace
            and c.relkind in ('r', 'p')
            and not c.relispartition
            and a.atttypid in ('text'::regtype, 'text[]'::regtype)
        group by c.oid
    loop
        execute v_statement;
    end loop;
end
$do$;

alter table decisions.decision
add column scope_prefix text collate core.c_utf8 not null generated always as (
    case scope_kind when 'path' then substring(scope_value, '^[^*?]*') else '' end
) stored;
comment on column decisions.decision.scope_prefix is
'The beginning of the glob, without wildcards, by which overlapping scopes are found.';
create index decision_status_idx on decisions.decision (project_id, status, scope_prefix);
