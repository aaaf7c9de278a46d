-- decisions.judge_candidates: two candidates are identical if they have the same words, or the same check and the same
-- scope.
create or replace function decisions.judge_candidates(
    p_project_id integer, p_candidates jsonb, p_problems text[] default '{}', p_only_new boolean default false
)
returns table (place integer, candidate jsonb, reason text, known bigint, fingerprint bytea, first integer)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    with given as materialized (
        select
            c.place::integer as place,
            c.candidate,
            coalesce(p_problems[c.place::integer], decisions.candidate_problem(c.candidate)) as problem,
            c.candidate #>> '{scope,kind}' as kind,
            coalesce(c.candidate #>> '{scope,value}', '') as value,
            coalesce(c.candidate ->> 'polarity', 'do') as polarity,
            nullif(c.candidate -> 'check', 'null') as definition
        from jsonb_array_elements(p_candidates) with ordinality as c (candidate, place)
    ),

    fingerprinted as materialized (
        select g.*, decisions.fingerprint(g.kind, g.value, g.polarity, g.candidate ->> 'pattern') as fingerprint
        from given as g
        where g.problem is null
    ),

    marked as materialized (
        select
            f.*,
            least(
                min(f.place) over (partition by f.fingerprint),
                case
                    when f.definition is not null
                        then min(f.place) over (partition by f.kind, f.value, f.polarity, f.definition)
                end
            ) as first
        from fingerprinted as f
    )

    select
        g.place,
        g.candidate,
        coalesce(
            g.problem,
            case when k.status = 'rejected' then 'it was rejected' || coalesce(
                (
                    select ': ' || nullif(r.reason, '')
                    from decisions.review as r
                    where r.decision_id = k.id and r.action in ('reject', 'merge')
                    order by r.id desc
                    limit 1
                ),
                ''
            ) end,
            case
                when p_only_new and (k.id is not null or m.first <> g.place)
                    then 'it is not new: the project knows this decision already'
            end
        ),
        k.id,
        m.fingerprint,
        m.first
    from given as g
    left join marked as m on m.place = g.place
    left join lateral (
        select u.*
        from (
            -- Two statements, so that each can use its own index.
            select d.id, d.status
            from decisions.decision as d
            where d.project_id = p_project_id and d.fingerprint = m.fingerprint
            union all
            select d.id, d.status
            from decisions.decision as d
            where d.project_id = p_project_id
                and d.check_definition = m.definition
                and d.scope_kind = m.kind
                and d.scope_value = m.value
                and d.polarity = m.polarity
        ) as u
        order by u.status = 'canonical' desc, u.id
        limit 1
    ) as k on true
    order by g.place;
$function$;
comment on function decisions.judge_candidates(integer, jsonb, text[], boolean) is
'Finds out for each candidate (proposed decision) in a batch whether the candidate is refused, is already known, or is '
'new. Arguments: p_project_id: id of the project; p_candidates, p_problems and p_only_new: as in '
'decisions.put_candidates. Returns for each candidate, in the order of the batch: the number of the candidate; the '
'candidate; the reason for a refusal (null: not refused); the id of an identical decision in the project (null: no '
'such decision); the fingerprint of the candidate; the number of the first candidate in the batch that is identical to '
'this candidate.';
