-- Texts are compared, sorted and folded in the same way in every database, whatever its locale is.
-- squawk-ignore-file changing-column-type

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
            c.relnamespace = 'lookup'::regnamespace
            and c.relkind in ('r', 'p')
            and not c.relispartition
            and a.atttypid in ('text'::regtype, 'text[]'::regtype)
        group by c.oid
    loop
        execute v_statement;
    end loop;
end
$do$;
