-- api.search_past: the function changes nothing: it writes no receipt, and adds no tools to the list of a session. It
-- uses neither a cross-encoder nor outcomes, and does not remove near duplicates.
create or replace function api.search_past(
    goal text,
    as_of timestamptz,
    mode text default 'balanced',
    top integer default null,
    query_vector ext.vector default null
)
returns table (
    rank integer,
    name text,
    origin text,
    brief text,
    score real,
    scores jsonb,
    version integer,
    title text,
    description text,
    input_schema jsonb,
    output_schema jsonb,
    annotations jsonb,
    extra jsonb
)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_goal constant text := selection.require_goal(search_past.goal);
    v_mode constant selection.mode := selection.choose_mode(search_past.mode, v_goal);
    v_top constant integer := coalesce(search_past.top, v_mode.top);
    v_vector constant ext.vector := coalesce(search_past.query_vector, search.embed_goal(v_goal));
begin
    perform policy.require_principal(), core.require_past(search_past.as_of);
    if search_past.as_of is null or v_top not between 1 and 100 then
        perform core.fail(
            'argument_invalid',
            format('as_of must be a time, and top must be between 1 and 100; got %L and %s', search_past.as_of, v_top),
            null,
            'Write a time such as 2026-08-01T12:00:00Z, and ask for 1 to 100 tools.'
        );
    end if;
    return query
    select
        p.rank,
        i.public_name,
        o.name,
        catalog.brief(coalesce(v.definition ->> 'brief', v.definition ->> 'description')),
        p.score,
        selection.rounded(to_jsonb(p) - '{rank,item_id,score}'::text[]),
        p.version,
        v.definition ->> 'title',
        coalesce(v.definition ->> 'description', ''),
        v.definition -> 'input_schema',
        nullif(v.definition -> 'output_schema', 'null'),
        v.definition -> 'annotations',
        v.definition -> 'extra'
    from catalog.rank_past('tool', v_goal, v_vector, search_past.as_of, v_mode) as p
    inner join catalog.item as i on i.id = p.item_id
    inner join catalog.origin as o on o.id = i.origin_id
    inner join catalog.item_version as v on v.item_id = p.item_id and v.version = p.version
    where p.rank <= v_top
    order by p.rank;
end
$function$;
comment on function api.search_past(text, timestamptz, text, integer, ext.vector) is
'Returns the tools that were offered at a given time and fit a goal, best first, with their definitions at that time. '
'The caller''s present rights apply, not the rights at that time. Arguments: goal: what the caller wants to do; as_of: '
'the given time; mode: name of the search mode; top: number of tools, from 1 to 100 (default: the number that the mode '
'sets); query_vector: embedding of the goal (null: the database computes the vector, if the database has an embedding '
'model). The column "scores" contains lexical (BM25), dense (cosine), fuzzy (trigram), sources and version. The '
'function stores no record of the search (receipt). Raises QM413 goal_too_long, QM422 goal_empty, mode_unknown, '
'argument_invalid, dimension_mismatch. Can be null: title.';
alter function api.search_past owner to qm_reader;
grant execute on function api.search_past to qm_user;
