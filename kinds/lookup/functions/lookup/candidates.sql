-- lookup.candidates: two rows with the same name are different things, so search.search must not merge them; the
-- candidates therefore have no text hash. Only search.search calls this function, because no other function may read
-- the index of names.
create or replace function lookup.candidates(p_goal search.goal)
returns setof search.candidate
language plpgsql
stable parallel unsafe security invoker
rows 25
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_question constant lookup.question := lookup.read_query(p_goal.text, p_goal.vectors[1], p_goal.scope);
begin
    return query
    select f.card_id, f.label, null::bytea, null::real, null::real, null::real, '{fuzzy}'::text[], f.features
    from lookup.features(
        v_question,
        array(select n.card_id from lookup.find_names(v_question, p_goal.fuzzy, p_goal.dense) as n),
        2 + 2 * p_goal.fuzzy / 3 + case when p_goal.vectors[1] is null then 0 else p_goal.dense / 3 end,
        coalesce(search.scope_member(p_goal.scope, 'active_only', 'boolean')::boolean, true),
        search.scope_member(p_goal.scope, 'domain', 'string') #>> '{}'
    ) as f;
end
$function$;
comment on function lookup.candidates(search.goal) is
'Finds names of rows that may match a query (the candidates of the feature set "names"), and computes the features '
'from which they are scored. Candidates are found by trigrams and by vectors. Argument p_goal: the goal. The scope of '
'the goal is a JSON object: table is the id of the lookup table; language is the preferred language; active_only is '
'true to find only active rows; domain is the domain of the rows (null: any domain); properties are the requested '
'properties. Returns the candidates with their features. Raises QM422 argument_invalid.';
