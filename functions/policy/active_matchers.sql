-- policy.active_matchers: lists what the rules of the active version and the toolsets refer to.
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
        select t.matcher_id from policy.toolset as t
    ) as m;
$function$;
comment on function policy.active_matchers() is 'Returns ids of policy.matcher, in order.';
