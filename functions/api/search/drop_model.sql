-- Definer: only the owner of search.embedding may drop its indexes.
-- Writes: search.embedding, search.model; drops indexes.
-- Announces: qm_models.
create or replace function api.drop_model(name text, dry_run boolean default false)
returns table (vectors bigint, index_bytes bigint)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id integer;
    v_indexes regclass[];
begin
    perform policy.require_principal();
    v_model_id := search.model_id(drop_model.name);
    if (select m.active from search.model as m where m.id = v_model_id) then
        perform core.fail('model_active', format('the model %L is active, so it cannot be deleted', drop_model.name));
    end if;
    v_indexes := array(
        select to_regclass(format('search.%I', format('embedding_%s_%s_idx', k.name, v_model_id)))
        from search.kind as k
        order by k.name
    );
    select count(*) into vectors from search.embedding as e where e.model_id = v_model_id;
    select coalesce(sum(pg_relation_size(i.index)), 0)
    into index_bytes
    from unnest(v_indexes) as i (index)
    where i.index is not null;
    if not drop_model.dry_run then
        -- The indexes are dropped at the end of the transaction, because dropping them locks the table.
        delete from search.embedding as e where e.model_id = v_model_id;
        delete from search.model as m where m.id = v_model_id;
        for v_place in 1..cardinality(v_indexes) loop
            if v_indexes[v_place] is not null then
                execute format('drop index %s', v_indexes[v_place]);
            end if;
        end loop;
        perform pg_notify('qm_models', '');
    end if;
    return next;
end
$function$;
comment on function api.drop_model(text, boolean) is
'Deletes an embedding model and its vectors and indexes. Arguments: name: name of the embedding model; dry_run: true '
'to preview the change without making it. Returns the number of deleted vectors, and the size of the deleted indexes '
'in bytes. The active model cannot be deleted. Raises QM404 model_not_found, QM409 model_active.';
grant execute on function api.drop_model to qm_operator;
