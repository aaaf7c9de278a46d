create or replace function selection.pool_key(
    p_kind text, p_goal text, p_vector ext.vector, p_mode selection.mode, p_scope jsonb
)
returns bytea
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sha256(
        convert_to(
            jsonb_build_array(
                policy.require_principal(),
                policy.visible_classes(),
                p_kind,
                p_goal,
                (search.goal_model()).name,
                p_mode::text,
                p_scope,
                selection.counters()
            )::text,
            'UTF8'
        ) || coalesce(ext.vector_send(p_vector), '')
    );
$function$;
comment on function selection.pool_key(text, text, ext.vector, selection.mode, jsonb) is
'Computes the key of a cached pool (the candidates for one goal). The key depends on the caller, the caller''s rights, '
'all arguments, the model of the vector, and every counter in core.version. Arguments: p_kind: kind of card; p_goal: '
'the goal; p_vector: vector of the goal (null: no vector); p_mode: the search mode; p_scope: scope of the search '
'(null: no scope). Returns the key, which is a SHA-256. Raises QM403 principal_required.';
grant execute on function selection.pool_key to qm_reader;
