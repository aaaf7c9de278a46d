-- lookup.query_problem: the function returns the mistake and does not raise it, because one invalid query must not make
-- a whole batch fail.
create or replace function lookup.query_problem(
    p_table_id integer, p_query text, p_limit integer, p_candidates integer, p_properties jsonb, p_threshold real
)
returns text[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_known text[];
    v_unknown text;
begin
    if p_query is null or p_query !~ '\S' collate core.c_utf8 then
        return array['query_empty', 'the query has no text', null];
    elsif length(p_query) > 1000 then
        return array[
            'query_too_long', format('the query is %s characters long, but the limit is 1000', length(p_query)), null
        ];
    elsif p_limit is null or p_limit not between 1 and 100 then
        return array[
            'argument_invalid',
            format('the number of rows must be between 1 and 100, got %s', coalesce(p_limit::text, 'null')),
            'Ask for 1 to 100 rows, or omit k_final.'
        ];
    elsif p_candidates is null or p_candidates not between 1 and 100 then
        return array[
            'argument_invalid',
            format('the number of candidates must be between 1 and 100, got %s', coalesce(p_candidates::text, 'null')),
            'Ask for 1 to 100 candidates, or omit k_fuzzy.'
        ];
    elsif p_threshold not between 0 and 1 then
        return array[
            'argument_invalid',
            format('the threshold must be between 0 and 1, got %s', p_threshold),
            'Give a number from 0 to 1, or omit the threshold.'
        ];
    elsif jsonb_typeof(p_properties) not in ('object', 'null') then
        return array['argument_invalid', 'the properties must be a JSON object', 'Write {"family": "Betulaceae"}.'];
    elsif jsonb_typeof(p_properties) = 'object' and p_properties <> '{}' then
        select t.properties into v_known from lookup.lookup_table as t where t.id = p_table_id;
        select k.name
        into v_unknown
        from jsonb_object_keys(p_properties) as k (name)
        where k.name <> all(v_known)
        order by k.name collate core.c_utf8
        limit 1;
        if v_unknown is not null then
            return array[
                'property_unknown',
                format('no row has the property %L', left(v_unknown, 100)),
                format('Use one of: %s.', coalesce(nullif(array_to_string(v_known, ', '), ''), 'none'))
            ];
        end if;
    end if;
    return null;
end
$function$;
comment on function lookup.query_problem(integer, text, integer, integer, jsonb, real) is
'Checks a query to a lookup table. Arguments: p_table_id: id of the lookup table; p_query: the query; p_limit: maximum '
'number of rows; p_candidates: number of candidates to find by trigrams; p_properties: requested properties; '
'p_threshold: threshold for the probability of the first row. Returns the slug (short name), message and hint of an '
'error for the first mistake. Returns null if there is no mistake.';
grant execute on function lookup.query_problem to qm_reader;
