-- lookup.require_source: a table is accepted only if its owner has granted it to qm_owner, so these grants are the list
-- of allowed tables. Tables in the schemas of Quartermaster and of PostgreSQL itself are refused.
create or replace function lookup.require_source(
    p_relation text, p_columns text[], p_active_column text, p_follows boolean
)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_parts text[];
    v_id oid;
    v_kind "char";
    v_name text;
    v_schema text;
    v_column text;
begin
    begin
        v_parts := parse_ident(p_relation);
    exception
        when invalid_parameter_value then
            v_parts := '{}';
    end;
    if cardinality(v_parts) = 1 then
        v_parts := array['public', v_parts[1]];
    end if;
    select c.oid, c.relkind, format('%I.%I', n.nspname, c.relname), quote_ident(n.nspname)
    into v_id, v_kind, v_name, v_schema
    from pg_class as c
    inner join pg_namespace as n on n.oid = c.relnamespace
    where cardinality(v_parts) = 2
        and n.nspname = v_parts[1] collate "C"
        and c.relname = v_parts[2] collate "C"
        and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and n.nspname !~ '^(pg_|information_schema$)'
        and pg_get_userbyid(n.nspowner) <> current_user;
    if v_id is null then
        perform core.fail(
            'lookup_source_invalid',
            format('there is no table %s', left(p_relation, 200)),
            null,
            'Write schema.table as in SQL: put names with capitals or blanks in double quotes.'
        );
    end if;
    select c.name
    into v_column
    from unnest(p_columns) as c (name)
    where not exists (
        select from pg_attribute as a
        where a.attrelid = v_id and a.attname = c.name collate "C" and a.attnum > 0 and not a.attisdropped
    )
    limit 1;
    if v_column is not null then
        perform core.fail(
            'lookup_source_invalid',
            format('the table %s has no column %I', v_name, v_column),
            null,
            format(
                'The table has: %s. If the column was renamed, run qm lookup create --over again.',
                (
                    select string_agg(a.attname collate core.c_utf8, ', ' order by a.attnum)
                    from pg_attribute as a
                    where a.attrelid = v_id and a.attnum > 0 and not a.attisdropped
                )
            )
        );
    end if;
    if not has_schema_privilege(v_parts[1], 'usage')
        or exists (select from unnest(p_columns) as c (name) where not has_column_privilege(v_id, c.name, 'select'))
        or p_follows and not has_table_privilege(v_id, 'trigger')
    then
        perform core.fail(
            'lookup_source_invalid',
            format('%s may not read the table %s', current_user, v_name) collate core.c_utf8,
            null,
            format(
                'The owner of the table can allow it: grant usage on schema %s to %I; grant select%s on %s to %I;',
                v_schema,
                current_user,
                case when p_follows then ', trigger' else '' end,
                v_name,
                current_user
            )
        );
    end if;
    if p_follows and v_kind not in ('r', 'p') then
        perform core.fail(
            'lookup_source_invalid',
            format('%s cannot have triggers that report changes', v_name),
            null,
            'Omit --follow: the rows are then read again at intervals.'
        );
    end if;
    if p_active_column is not null
        and (
            select a.atttypid from pg_attribute as a where a.attrelid = v_id and a.attname = p_active_column collate "C"
        ) <> 'boolean'::regtype
    then
        perform core.fail(
            'lookup_source_invalid',
            format('the column %I of %s is not boolean', p_active_column, v_name),
            null,
            'Choose a boolean column, or use a view that has a boolean column.'
        );
    end if;
    return v_name;
end
$function$;
comment on function lookup.require_source(text, text[], text, boolean) is
'Checks whether a lookup table can read a user''s own table. Arguments: p_relation: schema and name of the user''s own '
'table, written as in SQL; p_columns: names of the columns to read; p_active_column: name of the column that says '
'which rows are active (null: all rows are active); p_follows: true if triggers are to report changes. Returns the '
'name of the user''s own table, quoted for SQL. Raises QM422 lookup_source_invalid.';
