-- knowledge.scope_of: if the packages have few objects, a search compares the goal with each of them. Comparing 3,000
-- objects takes too long (kinds/knowledge/docs/measured-tables.md), so with many objects, only those that the channels
-- find are compared.
create or replace function knowledge.scope_of(p_project_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        case when coalesce(sum(d.objects), 0) <= 1500 then 'distributions' else 'among' end, coalesce(
            jsonb_agg(d.id order by d.id), '[]'
        )
    )
    from knowledge.distribution as d
    where d.id in (
        select h.distribution_id
        from knowledge.environment_distribution as h
        where h.environment_id = any((select knowledge.environments_for(null, p_project_id))::bigint[]) -- computed once
    )
    having count(*) < (select count(distinct h.distribution_id) from knowledge.environment_distribution as h);
$function$;
comment on function knowledge.scope_of(integer) is
'Returns the scope of a search for symbols: the packages that a project can import. Argument p_project_id: id of the '
'project (null: no project). Returns JSON {"distributions": [ids]}, or {"among": [ids]} if the packages have more than '
'1500 objects (see knowledge.symbol_candidates). Returns null if the project can import every package that the caller '
'may see.';
grant execute on function knowledge.scope_of to qm_reader;
