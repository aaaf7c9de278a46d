-- service.claim_teachings: like texts of cards, goals that were taught get a vector of every model. Only the leading
-- process computes them.
-- Definer: goals of all organisations are read, and no principal may read those of another one.
create or replace function service.claim_teachings(model text, maximum integer default 128, instance uuid default null)
returns table (teaching bigint, goal text)
language plpgsql
stable parallel unsafe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id integer;
begin
    perform policy.require_service();
    v_model_id := search.model_id(claim_teachings.model);
    if claim_teachings.instance <> core.leading_instance() then
        return;
    end if;
    return query
    select t.id, t.goal
    from search.teaching as t
    where not exists (
        select from search.teaching_vector as v where v.teaching_id = t.id and v.model_id = v_model_id
    )
    order by t.id
    limit claim_teachings.maximum;
end
$function$;
comment on function service.claim_teachings(text, integer, uuid) is
'Returns goals of teachings that have no vector from a model yet. Arguments: model: name of the embedding model; '
'maximum: maximum number of goals; instance: id of the calling process (null: return them to any process). Returns for '
'each teaching its number and its goal. Raises QM403 service_required, QM404 model_not_found.';
grant execute on function service.claim_teachings to qm_operator;
