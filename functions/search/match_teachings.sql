-- search.match_teachings: most organisations have taught nothing about most kinds, so the function looks for this
-- first. Only search.search may call this function, because callers have no permission to read the vectors. It
-- returns only visible cards, so a teaching shows nobody a hidden card.
create or replace function search.match_teachings(p_kind text, p_goal text, p_vector ext.vector)
returns table (card_id bigint, against_id bigint, nearness real)
language plpgsql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every goal, and planning has a cost
as $function$
declare
    v_most constant integer := 16; -- the nearest teachings decide; more would only take time
    v_organisation_id constant bigint := coalesce(policy.organisation_id(), 0);
    v_visible bit varying;
    v_model_id integer;
    v_goal_hash bytea;
    v_least real;
begin
    perform
    from search.teaching as t
    where coalesce(t.organisation_id, 0) = v_organisation_id and t.kind = p_kind
    limit 1;
    if not found then
        return;
    end if;
    v_visible := policy.visible_classes();
    v_model_id := (select m.id from search.goal_model() as m where m.dimension = ext.vector_dims(p_vector));
    v_goal_hash := search.goal_hash(p_goal);
    v_least := core.get_setting('teaching.nearness')::real;
    return query
    with alike as (
        select t.id, t.ref, t.instead_of, n.nearness
        from search.teaching as t
        left join search.teaching_vector as v on v.teaching_id = t.id and v.model_id = v_model_id
        cross join lateral (
            select case
                when t.goal_hash = v_goal_hash then real 'infinity'
                else (1 - (v.vector operator(ext.<=>) p_vector))::real
            end as nearness
        ) as n
        where coalesce(t.organisation_id, 0) = v_organisation_id and t.kind = p_kind and n.nearness >= v_least
        order by n.nearness desc, t.id
        limit v_most
    )

    select c.id, w.id, a.nearness
    from alike as a
    inner join search.card as c on c.kind = p_kind and c.ref = a.ref and policy.is_visible(c.rights_class, v_visible)
    left join search.card as w on w.kind = p_kind and w.ref = a.instead_of
    order by a.nearness desc, a.id;
end
$function$;
comment on function search.match_teachings(text, text, ext.vector) is
'Finds the teachings of the caller''s organisation for goals that are like a goal. Arguments: p_kind: kind of card; '
'p_goal: the goal; p_vector: unit vector of the goal (null: only a teaching for the same goal is found). Returns for '
'each teaching, nearest first: the right card, which the caller may see; the wrong card (null: none); and the cosine '
'of both goals (infinity: the goals are the same).';
