-- service.store_teachings: a teaching may have been deleted in the meantime; its vector is then left out.
-- Writes: search.teaching_vector.
create or replace function service.store_teachings(model text, teachings bigint[], vectors text[])
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id integer;
    v_stored integer;
begin
    perform policy.require_service();
    v_model_id := search.model_id(store_teachings.model);
    insert into search.teaching_vector (model_id, teaching_id, vector)
    select v_model_id, t.id, g.vector::ext.vector
    from unnest(store_teachings.teachings, store_teachings.vectors) as g (id, vector)
    inner join search.teaching as t on t.id = g.id
    on conflict do nothing;
    get diagnostics v_stored = row_count;
    return v_stored;
end
$function$;
comment on function service.store_teachings(text, bigint[], text[]) is
'Stores vectors of the goals from service.claim_teachings. Arguments: model: name of the embedding model; teachings: '
'number of each teaching; vectors: vector of each goal, written as pgvector reads it. Returns the number of new '
'vectors. Raises QM403 service_required, QM404 model_not_found.';
grant execute on function service.store_teachings to qm_operator;
