-- api.select_tools: this function is for people who use psql; the MCP service calls api.search_tools.
create or replace function api.select_tools(
    goal text,
    mode text default 'balanced',
    top integer default null,
    query_vector ext.vector default null,
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
    weak boolean,
    unavailable jsonb
)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_advice constant text := api.advise_goal(select_tools.goal);
    v_fits boolean := false;
    v_arrivals text;
begin
    if v_advice is not null then
        raise notice '%', v_advice;
    end if;
    if select_tools.as_of is not null then
        return query
        select
            p.rank,
            p.name,
            p.origin,
            p.brief,
            p.score,
            case when select_tools.explain then p.scores end,
            null::bigint,
            false,
            null::jsonb
        from api.search_past(
            goal => select_tools.goal,
            as_of => select_tools.as_of,
            mode => select_tools.mode,
            top => select_tools.top,
            query_vector => select_tools.query_vector
        ) as p
        order by p.rank;
        return;
    end if;
    for rank, name, origin, brief, score, scores, receipt, weak, unavailable in
        select
            f.rank,
            f.name,
            f.origin,
            f.brief,
            f.score,
            case when select_tools.explain then f.scores end,
            f.receipt,
            f.weak,
            f.unavailable
        from api.search_cards(
            kinds => '{tool}',
            goal => select_tools.goal,
            mode => select_tools.mode,
            top => select_tools.top,
            query_vector => select_tools.query_vector,
            budget_tokens => select_tools.budget_tokens,
            explain => select_tools.explain
        ) as f
        order by f.rank, f.score desc, f.name collate core.c_utf8
    loop
        v_fits := v_fits or (rank is not null and not weak);
        return next;
    end loop;
    if not v_fits then
        select a.hint into v_arrivals from api.count_arrivals() as a;
        if v_arrivals is not null then
            raise notice '%', v_arrivals;
        end if;
    end if;
end
$function$;
comment on function api.select_tools(text, text, integer, ext.vector, integer, boolean, timestamptz) is
'Returns tools for a goal, best first. Example: `select rank, name, brief from select_tools(''what time is it in '
'Tokyo'');` Arguments: goal: what the caller wants to do; mode: search mode (fast, balanced or thorough); top: number '
'of tools, from 1 to 100 (default: the number that the mode sets); query_vector: unit vector of the goal in the '
'active model (null: the database computes the vector, if the database has an embedding model); budget_tokens: '
'largest number of tokens in the definitions of all returned tools together; explain: true to return the score of '
'each stage, and withheld tools as well, which have no rank, and whose scores name the rule that withheld the tool; '
'as_of: a time in the past, to search the tools that were offered then (see search_past; no record of the search is '
'stored). Returns for each tool: its rank, callable name, origin and a brief description; the probability that the '
'tool is right for the goal (score); with explain, the score of each stage (scores); the number of the record of the '
'search (receipt); whether the tool is a weak match (no tool fits the goal, and this tool is only one of the nearest '
'tools); and {reason, remedy, until} if the tool cannot be called now. A notice tells the caller if no tool fits '
'while servers are being added. Another notice tells the caller if the goal is not in English. Raises the errors of '
'api.search_cards and api.search_past. Can be null: rank, receipt.';
alter function api.select_tools owner to qm_reader;
grant execute on function api.select_tools to qm_user;
