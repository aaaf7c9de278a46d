-- catalog.check_repairs: a tool that its server does not list yet is no mistake: the file may be written before. What
-- does not fit the present definition is set aside, as after a refresh.
create or replace function catalog.check_repairs(p_repairs jsonb)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_wrong record;
begin
    if p_repairs is null then
        return;
    end if;
    if jsonb_typeof(p_repairs) <> 'array' then
        perform core.fail('rules_invalid', 'repairs must be an array', 'repairs');
    end if;
    select p.position, p.key, p.problem
    into v_wrong
    from (
        select
            r.position,
            k.key,
            case k.key
                when 'origin' then case
                    when r.repair ? 'origin'
                        then format('there is no server %L; add it first', left(r.repair ->> 'origin', 200))
                    else 'expected the name of a server'
                end
                when 'tool' then 'expected the name that the server gives the tool, once'
                when 'reason' then 'expected a text'
                else coalesce(
                    catalog.repair_problem(c.changes, not r.repair ? 'tool'), catalog.scan_repair(c.changes)
                )
            end as problem
        from (
            select
                e.position,
                case jsonb_typeof(e.repair) when 'object' then e.repair else '{}' end as repair
            from jsonb_array_elements(p_repairs) with ordinality as e (repair, position)
        ) as r
        cross join lateral (select r.repair - '{origin,tool,reason}'::text[] as changes) as c
        cross join lateral (
            select case
                when not exists (
                    select from catalog.origin as o where o.name = r.repair ->> 'origin' and o.status <> 'removed'
                ) then 'origin'
                when r.repair ? 'tool' and (jsonb_typeof(r.repair -> 'tool') <> 'string' or r.repair ->> 'tool' = '')
                    or exists (
                        select
                        from jsonb_array_elements(p_repairs) with ordinality as x (repair, position)
                        where x.position < r.position
                            and x.repair -> 'origin' = r.repair -> 'origin'
                            and (x.repair -> 'tool') is not distinct from (r.repair -> 'tool')
                    )
                    then 'tool'
                when jsonb_typeof(r.repair -> 'reason') <> 'string' then 'reason'
            end as key
        ) as k
    ) as p
    where p.problem is not null
    order by p.position
    limit 1;
    if v_wrong.problem is not null then
        perform core.fail(
            'rules_invalid',
            format('repair %s%s: %s', v_wrong.position, ', ' || v_wrong.key, v_wrong.problem),
            format('repairs[%s]%s', v_wrong.position - 1, '.' || v_wrong.key)
        );
    end if;
end
$function$;
comment on function catalog.check_repairs(jsonb) is
'Checks the repairs in a set of rules, and looks for attacks in their texts. Argument p_repairs: JSON [{origin, tool, '
'reason, ...}], as in policy.rule_version.repairs (null: the rules say nothing about repairs). The error names the '
'first mistake and its place, such as repairs[2].origin. Raises QM422 rules_invalid.';
