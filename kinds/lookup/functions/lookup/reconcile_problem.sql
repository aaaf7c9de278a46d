-- lookup.reconcile_problem: the function returns the mistake and does not raise it, because one invalid query must not
-- make a whole batch fail.
create or replace function lookup.reconcile_problem(p_table_ids integer[], p_query jsonb, p_limit integer)
returns text[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_query constant text := p_query ->> 'query';
    v_has_query constant boolean := coalesce(v_query ~ '\S' collate core.c_utf8, false);
    v_problem text[];
    v_known text[];
    v_unknown text;
begin
    select format('%s is not of type %s', m.name, m.kind)
    into v_unknown
    from (
        values
        ('query', 'string'),
        ('language', 'string'),
        ('row', 'object'),
        ('properties', 'object'),
        ('excluded', 'object'),
        ('lookups', 'array'),
        ('required', 'array'),
        ('strict', 'boolean'),
        ('near', 'boolean'),
        ('threshold', 'number'),
        ('limit', 'number')
    ) as m (name, kind)
    where jsonb_typeof(p_query -> m.name) <> m.kind
    limit 1;
    if v_unknown is not null then
        return array['argument_invalid', v_unknown, 'Omit this member, or send a value of the right type.'];
    end if;
    if p_table_ids = '{}' then
        return array[
            'unsupported_table', 'this type does not exist, or you may not see it',
            'Types are lookup tables; suggest/type lists them.'
        ];
    end if;
    if not v_has_query and p_query -> 'properties' is null and p_query -> 'row' is null then
        return array['query_empty', 'the query has neither a text nor properties', 'Send the string to look up.'];
    end if;
    v_problem := lookup.query_problem(
        p_table_ids[1], case when v_has_query then v_query else 'x' end, p_limit, 30, null, null
    );
    if v_problem is not null or p_query -> 'properties' is null then
        return v_problem;
    end if;
    select array_agg(distinct p.name order by p.name)
    into v_known
    from lookup.lookup_table as t
    cross join unnest(t.properties) as p (name)
    where t.id = any(p_table_ids);
    select k.name
    into v_unknown
    from jsonb_object_keys(p_query -> 'properties') as k (name)
    where k.name <> all(coalesce(v_known, '{}'))
    order by k.name collate core.c_utf8
    limit 1;
    if v_unknown is not null then
        return array[
            'property_unknown', format('no row has the property %L', left(v_unknown, 100)),
            format('Use one of: %s.', coalesce(left(array_to_string(v_known, ', '), 500), 'none'))
        ];
    end if;
    return null;
end
$function$;
comment on function lookup.reconcile_problem(integer[], jsonb, integer) is
'Checks a query of the reconciliation API. Arguments: p_table_ids: ids of the lookup tables to search; p_query: the '
'query, as in lookup.reconcile; p_limit: maximum number of rows. Returns the slug (short name), message and hint of an '
'error for the first mistake. Returns null if there is no mistake.';
grant execute on function lookup.reconcile_problem to qm_reader;
