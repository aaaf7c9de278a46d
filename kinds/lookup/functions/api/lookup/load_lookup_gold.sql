-- Writes: lookup.gold.
create or replace function api.load_lookup_gold(lookup text, pairs jsonb, replaces boolean default true)
returns table (pairs_kept integer, ids_unknown integer)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(load_lookup_gold.lookup);
    v_wrong bigint;
begin
    if jsonb_typeof(load_lookup_gold.pairs) is distinct from 'array' then
        perform core.fail(
            'argument_invalid',
            'the gold pairs (strings and their right rows) must be a JSON array',
            null,
            'Send an array of {query, expected, properties}.'
        );
    end if;
    select p.position
    into v_wrong
    from jsonb_array_elements(load_lookup_gold.pairs) with ordinality as p (pair, position)
    where coalesce(length(p.pair ->> 'query') not between 1 and 1000, true)
        or jsonb_typeof(p.pair -> 'expected') is distinct from 'array'
        or coalesce(jsonb_typeof(p.pair -> 'properties') not in ('object', 'null'), false)
    order by 1
    limit 1;
    if v_wrong is not null then
        perform core.fail(
            'argument_invalid',
            format(
                'pair %s needs a query of 1 to 1,000 characters, a list of expected ids, and an object of properties',
                v_wrong
            ),
            null,
            'Send {"query": "B. pendula", "expected": ["1"], "properties": {"family": "Betulaceae"}}; expected is [] '
            'if no row is right.'
        );
    end if;
    if load_lookup_gold.replaces then
        delete from lookup.gold as g where g.table_id = v_table_id;
    end if;
    insert into lookup.gold as g (table_id, query, expected, properties)
    select distinct on (p.query collate core.c_utf8, p.properties) v_table_id, p.query, p.expected, p.properties
    from jsonb_to_recordset(load_lookup_gold.pairs) as p (query text, expected text[], properties jsonb)
    order by p.query collate core.c_utf8, p.properties, p.expected collate core.c_utf8
    on conflict (table_id, query, properties) do update
    set expected = excluded.expected;
    return query
    select
        (select count(*) from lookup.gold as g where g.table_id = v_table_id)::integer,
        (
            select count(distinct e.key)
            from lookup.gold as g
            cross join unnest(g.expected) as e (key)
            where g.table_id = v_table_id
                and not exists (select from lookup.lookup_row as r where r.table_id = v_table_id and r.key = e.key)
        )::integer;
end
$function$;
comment on function api.load_lookup_gold(text, jsonb, boolean) is
'Loads strings for which the correct rows are known (gold pairs). The job evaluate_lookups uses these pairs to measure '
'how well a lookup table answers. Arguments: lookup: name of the lookup table; pairs: JSON array of {query: the '
'string, expected: array with the ids of the correct rows ([]: no row is correct), properties: object with the '
'requested properties}; replaces: true to remove stored pairs that are missing from the argument pairs. Returns the '
'number of pairs, and the number of expected ids that belong to no row. Raises QM404 unsupported_table, QM422 '
'argument_invalid.';
grant execute on function api.load_lookup_gold to qm_operator;
