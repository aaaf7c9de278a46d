-- knowledge.scope_of: the scope of a search for symbols that a project can import: the packages in its own environments.
-- Few objects are compared whole; of many, the channels of the search find some. Without an environment of its own, a
-- project is offered what everybody may see.
create or replace function knowledge.scope_of(p_project_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(case when sum(d.objects) <= 3000 then 'distributions' else 'among' end, jsonb_agg(d.id order by d.id))
    from knowledge.distribution as d
    where d.id in (
        select h.distribution_id
        from knowledge.environment as e
        inner join knowledge.environment_distribution as h on h.environment_id = e.id
        where e.project_id = p_project_id
    )
    having count(*) > 0;
$function$;
comment on function knowledge.scope_of(integer) is
'Returns the scope of a search for symbols: the packages in a project''s own environments. Argument p_project_id: the '
'project, or null. Returns JSON {"distributions": ids} or, if the packages have many objects, {"among": ids} (see '
'knowledge.symbol_candidates); null if the project has no environment of its own.';
grant execute on function knowledge.scope_of to qm_reader;
