-- lookup.reconcile: if the query contains a name, lookup.answer answers the query for each table separately. If a query
-- has only properties, the answer consists of the rows that have these properties, all equally probable. For each
-- table, only the properties that it has are used.
-- With several tables, the probabilities of each table are then multiplied by the share of the table: the odds of its
-- best row, divided by the sum of these odds over all tables. If a name occurs in two tables, each of the two rows
-- therefore gets about one half.
-- At most one row is a match: the first one, if three conditions are met. It is the match in its own table; its
-- probability still reaches the threshold of this table; and it exceeds the probability of the second row of all tables
-- by at least the gap.
-- A person who chooses among rows also wants to see near rows. Therefore, rows below the threshold are returned, too,
-- unless the table or the query says otherwise (shows_near, near). If the query names a retired row, only this row is
-- returned, with active = false.
create or replace function lookup.reconcile(
    p_table_ids integer[], p_query jsonb, p_limit integer, p_vector ext.vector default null
)
returns table (
    rank integer,
    lookup text,
    id text,
    value text,
    name text,
    description text,
    score real,
    match boolean,
    language text,
    scores jsonb,
    active boolean
)
language plpgsql
stable parallel unsafe security invoker
rows 10
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_query constant text := case when p_query ->> 'query' ~ '\S' collate core.c_utf8 then p_query ->> 'query' end;
    v_required constant jsonb := coalesce(p_query -> 'required', '[]');
    v_excluded constant text[] := lookup.facts(p_query -> 'excluded');
    v_filters constant boolean := v_required <> '[]' or v_excluded <> '{}';
    v_table_ids integer[] := p_table_ids;
begin
    if p_query -> 'row' is not null then
        return query
        select
            1,
            t.name,
            r.key,
            r.value,
            r.value,
            lookup.describe_row(r.value, r.value, r.properties),
            1::real,
            r.active,
            r.language,
            '{}'::jsonb,
            r.active
        from lookup.lookup_table as t
        inner join lookup.lookup_row as r on r.table_id = t.id
        where t.id = any(p_table_ids) and t.name = p_query #>> '{row,lookup}' and r.key = p_query #>> '{row,id}';
        if found or v_query is null then
            return;
        end if;
    end if;
    -- If there are many tables, search only the tables that probably contain the name.
    if v_query is not null and cardinality(p_table_ids) > 3 then
        v_table_ids := lookup.likely_tables(
            p_table_ids, v_query, array(select jsonb_object_keys(coalesce(p_query -> 'properties', '{}')))
        );
    end if;
    return query
    with asked as materialized (
        select
            t.id,
            t.name,
            t.gap,
            coalesce((p_query ->> 'threshold')::real, t.threshold) as threshold,
            coalesce((p_query ->> 'near')::boolean, t.shows_near) as shows_near,
            x.properties
        from lookup.lookup_table as t
        cross join lateral (
            select jsonb_object_agg(p.key, p.value) as properties
            from jsonb_each(coalesce(p_query -> 'properties', '{}')) as p
            where p.key = any(t.properties)
        ) as x
        where t.id = any(v_table_ids)
    ),

    found as (
        select
            t.name as lookup,
            t.gap,
            t.threshold,
            t.shows_near,
            t.id as table_id,
            a.rank,
            a.id,
            a.name,
            a.score,
            a.match,
            a.scores,
            a.active
        from asked as t
        cross join lateral lookup.answer(
            t.id,
            v_query,
            case when v_filters then 100 else p_limit end,
            case when v_filters then 100 else 30 end,
            p_language => p_query ->> 'language',
            p_properties => t.properties,
            p_strict => coalesce((p_query ->> 'strict')::boolean, false),
            p_threshold => t.threshold,
            p_vector => p_vector,
            p_least => case when t.shows_near then 0.02 end,
            p_tells_retired => true
        ) as a
        where v_query is not null
        union all
        select t.name, t.gap, 0, false, t.id, 1, r.key, r.value, (1.0 / f.fitting)::real, f.fitting = 1, '{}', true
        from asked as t
        cross join lateral lookup.find_by_properties(t.id, t.properties, 100) as f
        inner join lookup.lookup_row as r on r.id = f.row_id
        where v_query is null and t.properties = p_query -> 'properties'
    ),

    fitting as (
        select f.*, r.id as row_id, r.key, r.value, r.language, r.properties
        from found as f
        inner join lookup.lookup_row as r on r.table_id = f.table_id and r.key = f.id
        where (not v_filters or f.score >= case when f.shows_near then 0.02 else f.threshold end)
            and not r.facts && v_excluded
            and not exists (
                select from jsonb_array_elements(v_required) as q (condition)
                where not r.facts && lookup.facts(q.condition)
            )
    ),

    share as (
        select f.table_id, max(f.odds) / sum(max(f.odds)) over () as part
        from (select x.table_id, least(x.score, 0.9999) / (1 - least(x.score, 0.9999)) as odds from fitting as x) as f
        group by f.table_id
    ),

    shared as (
        select f.*, (f.score * s.part)::real as probability
        from fitting as f
        inner join share as s on s.table_id = f.table_id
    ),

    ranked as (
        select
            f.*,
            row_number() over best_first as position,
            f.probability - coalesce(lead(f.probability) over best_first, 0) as ahead
        from shared as f
        window best_first as (order by f.probability desc, f.match desc, f.lookup, f.rank, f.row_id)
    )

    select
        f.position::integer,
        f.lookup,
        f.key,
        f.value,
        f.name,
        lookup.describe_row(f.value, f.name, f.properties),
        f.probability,
        f.match and f.position = 1 and f.probability >= f.threshold and f.ahead >= f.gap,
        f.language,
        f.scores,
        f.active
    from ranked as f
    where f.position <= p_limit
        -- The share of its table may make a row too improbable to be near.
        and (f.probability >= 0.02 or f.score >= f.threshold or not f.active)
    order by f.position;
end
$function$;
comment on function lookup.reconcile(integer[], jsonb, integer, ext.vector) is
'Finds the rows of one or several lookup tables to which a query of the reconciliation API may refer, best first. '
'Arguments: p_table_ids: ids of the lookup tables; p_query: JSON object with the query and its conditions (see '
'api.reconcile_lookups); p_limit: maximum number of rows; p_vector: vector of the query (null: no vector). Returns for '
'each row: the rank; the name of the table; the id, value, language and description of the row; the name that matches '
'best; the probability (0 to 1) that the row is the right one; true if the row is a match; the score in each channel; '
'true if the row is active.';
grant execute on function lookup.reconcile to qm_reader;
