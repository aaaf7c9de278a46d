-- Texts are compared, sorted and folded in the same way in every database, whatever its locale is.
-- squawk-ignore-file changing-column-type, adding-required-field, adding-field-with-default, ban-drop-column
-- squawk-ignore-file prefer-robust-stmts, require-concurrent-index-creation

alter table knowledge.symbol drop column name;
alter table knowledge.symbol_path drop column name;

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
            c.relnamespace = 'knowledge'::regnamespace
            and c.relkind in ('r', 'p')
            and not c.relispartition
            and a.atttypid in ('text'::regtype, 'text[]'::regtype)
        group by c.oid
    loop
        execute v_statement;
    end loop;
end
$do$;

alter table knowledge.symbol
add column name text collate core.c_utf8 not null
generated always as (lower(split_part(path, '.', -1))) stored;
comment on column knowledge.symbol.name is
'The last part of the path, in lower case. It is stored because an index on the expression cannot be used if row '
'policies hide rows.';
create index symbol_name_idx on knowledge.symbol (distribution_id, name);
alter table knowledge.symbol_path
add column name text collate core.c_utf8 not null
generated always as (lower(split_part(path, '.', -1))) stored;
comment on column knowledge.symbol_path.name is
'The last part of the path, in lower case, as in knowledge.symbol.';
create index symbol_path_name_idx on knowledge.symbol_path (distribution_id, name);
