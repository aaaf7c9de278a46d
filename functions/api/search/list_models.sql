create or replace function api.list_models(counted boolean default true)
returns table (name text, dimension integer, active boolean, source text, missing bigint)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select m.name, m.dimension, m.active, m.source, case when list_models.counted then search.count_missing(m.id) end
    from search.model as m
    order by m.active desc, m.name;
$function$;
comment on function api.list_models(boolean) is
'Lists the embedding models, the active model first. Argument counted: true to count the texts that have no vector, '
'for which the function must read all cards. Returns for each model: its name; its number of dimensions; its source; '
'whether the model is active; and how many texts have no vector from this model (null: not counted). Can be null: '
'missing.';
grant execute on function api.list_models to qm_operator;
