create or replace function policy.active_matchers()
returns integer[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(array_agg(m.id order by m.id), '{}')
    from (
        select r.matcher_id as id
        from policy.rule as r
        inner join policy.rule_version as v on v.id = r.version_id
        where v.is_active
        union
        select t.matcher_id
        from policy.toolset as t
    ) as m;
$function$;
comment on function policy.active_matchers() is
'Returns the ids of the matchers that the active rules and the toolsets use, in ascending order. A matcher (a row of '
'policy.matcher) is a set of conditions that choose cards.';
