-- api.create_lookup_over: the function writes nothing to the user's table. It can read only tables that were granted to
-- its owner (qm_owner), so these grants are the list of allowed tables.
-- Writes: lookup.*, cards.
create or replace function api.create_lookup_over(
    name text,
    relation text,
    id_column text,
    value_column text,
    alias_columns text[] default '{}',
    property_columns text[] default '{}',
    language_column text default null,
    active_column text default null,
    follow boolean default false,
    every interval default interval '1 hour',
    description text default null,
    domain text default null
)
returns table (added integer, changed integer, unchanged integer, removed integer)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_relation text;
    v_table_id integer;
begin
    perform policy.require_principal();
    if create_lookup_over.id_column is null
        or create_lookup_over.value_column is null
        or coalesce(create_lookup_over.every, interval '0') < interval '1 minute'
    then
        perform core.fail(
            'argument_invalid', 'an id column, a value column, and at least one minute between refreshes are required'
        );
    end if;
    v_relation := lookup.require_source(
        create_lookup_over.relation,
        array_remove(
            array[
                create_lookup_over.id_column,
                create_lookup_over.value_column,
                create_lookup_over.language_column,
                create_lookup_over.active_column
            ]
            || create_lookup_over.alias_columns || create_lookup_over.property_columns,
            null
        ),
        create_lookup_over.active_column,
        create_lookup_over.follow
    );
    v_table_id := api.create_lookup(create_lookup_over.name, create_lookup_over.description, create_lookup_over.domain);
    if not exists (select from lookup.source as s where s.table_id = v_table_id)
        and exists (select from lookup.lookup_row as r where r.table_id = v_table_id)
    then
        perform core.fail(
            'lookup_has_rows',
            format('the lookup table %s already has rows that were loaded directly', create_lookup_over.name)
        );
    end if;
    perform lookup.unfollow_source(v_table_id);
    insert into lookup.source as s (
        table_id, relation, id_column, value_column, alias_columns, property_columns, language_column, active_column,
        follows, every
    )
    values (
        v_table_id,
        v_relation,
        create_lookup_over.id_column,
        create_lookup_over.value_column,
        coalesce(create_lookup_over.alias_columns, '{}'),
        coalesce(create_lookup_over.property_columns, '{}'),
        create_lookup_over.language_column,
        create_lookup_over.active_column,
        create_lookup_over.follow,
        create_lookup_over.every
    )
    on conflict (table_id) do update
    set
        relation = excluded.relation,
        id_column = excluded.id_column,
        value_column = excluded.value_column,
        alias_columns = excluded.alias_columns,
        property_columns = excluded.property_columns,
        language_column = excluded.language_column,
        active_column = excluded.active_column,
        follows = excluded.follows,
        every = excluded.every;
    if create_lookup_over.follow then
        perform lookup.follow_source(v_table_id, v_relation::regclass);
    end if;
    return query
    select r.added, r.changed, r.unchanged, r.removed from lookup.refresh(v_table_id, true) as r;
end
$function$;
comment on function api.create_lookup_over is
'Creates a lookup table that takes its rows from a user''s own table or view, and reads these rows. If the lookup '
'table exists already, the function changes its source and its columns. Arguments: name: name of the lookup table; '
'relation: name of the user''s table or view, as in SQL; id_column: column with ids; value_column: column with values; '
'alias_columns: columns with aliases (texts separated by |, or arrays); property_columns: columns with properties; '
'language_column: column with the language; active_column: column that is true if a row is active; follow: true to '
'create triggers that report changes; every: interval at which the lookup table reads all rows again if there are no '
'triggers; description and domain: as in create_lookup. Returns how many rows were added, changed, unchanged and '
'removed. Raises QM409 lookup_has_rows, QM422 argument_invalid, lookup_source_invalid, lookup_rows_invalid.';
grant execute on function api.create_lookup_over to qm_operator;
