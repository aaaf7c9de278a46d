-- api.search_tools: the MCP service calls this function; api.select_tools is for people.
-- Writes: selection.receipt, selection.exposure, selection.pool.
create or replace function api.search_tools(
    goal text,
    mode text default 'balanced',
    top integer default null,
    query_vector ext.vector default null,
    session text default null,
    rerank jsonb default null,
    budget_tokens integer default null,
    explain boolean default false,
    as_of timestamptz default null
)
returns table (
    rank integer,
    name text,
    origin text,
    brief text,
    score real,
    scores jsonb,
    receipt bigint,
    title text,
    description text,
    input_schema jsonb,
    output_schema jsonb,
    annotations jsonb,
    extra jsonb,
    weak boolean,
    unavailable jsonb
)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
begin
    if search_tools.as_of is not null then
        return query
        select
            p.rank, p.name, p.origin, p.brief, p.score, p.scores, null::bigint, p.title, p.description, p.input_schema,
            p.output_schema, p.annotations, p.extra, false, null::jsonb
        from api.search_past(
            goal => search_tools.goal,
            as_of => search_tools.as_of,
            mode => search_tools.mode,
            top => search_tools.top,
            query_vector => search_tools.query_vector
        ) as p
        order by p.rank;
        return;
    end if;
    return query
    select
        f.rank,
        f.name,
        f.origin,
        f.brief,
        f.score,
        f.scores,
        f.receipt,
        d.title,
        coalesce(d.description, ''),
        d.input_schema,
        nullif(d.output_schema, 'null'),
        d.annotations,
        d.extra,
        f.weak,
        f.unavailable
    from api.search_cards(
        kinds => '{tool}',
        goal => search_tools.goal,
        mode => search_tools.mode,
        top => search_tools.top,
        query_vector => search_tools.query_vector,
        session => search_tools.session,
        rerank => search_tools.rerank,
        budget_tokens => search_tools.budget_tokens,
        explain => search_tools.explain
    ) as f
    -- This join looks up each offered tool separately. With another type of join, PostgreSQL would not run the search
    -- if the catalog is empty, and no receipt would be written.
    cross join lateral (select x.* from catalog.item as x where x.id = f.ref limit 1) as i
    cross join lateral jsonb_to_record(i.definition) as d (
        title text, description text, input_schema jsonb, output_schema jsonb, annotations jsonb, extra jsonb
    )
    order by f.rank, f.score desc, f.name collate core.c_utf8;
end
$function$;
comment on function api.search_tools(text, text, integer, ext.vector, text, jsonb, integer, boolean, timestamptz) is
'Returns the tools that select_tools returns, and for each tool also the title, description, schemas, annotations and '
'extra members of its definition. Arguments: goal, mode, top and query_vector: as in select_tools; session: id of the '
'MCP session to whose list the tools are added; rerank, budget_tokens and explain: as in search_cards; as_of: as in '
'search_past (then no tools are added to a list). Raises the errors of api.search_cards and api.search_past. Can be '
'null: title, rank, receipt.';
alter function api.search_tools owner to qm_reader;
grant execute on function api.search_tools to qm_user;
