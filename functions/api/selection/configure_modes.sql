-- Writes: selection.mode.
create or replace function api.configure_modes(modes jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    -- A new mode must contain the settings for finding candidates. If its utility weights are missing, they are copied
    -- from the mode balanced.
    v_defaults constant selection.mode := (
        select
            jsonb_populate_record(
                null::selection.mode,
                to_jsonb(m) - '{lexical,dense,fuzzy,rerank,top,ef_search,lambda,weight_lexical,weight_dense,'
                    'weight_fuzzy}'::text[]
            )
        from selection.mode as m
        where m.name = 'balanced'
    );
    v_count integer;
begin
    perform policy.require_principal();
    if jsonb_typeof(configure_modes.modes) is distinct from 'object' then
        perform core.fail('profile_invalid', 'modes must be a JSON object');
    end if;
    perform selection.require_settings('mode ' || p.name, p.settings)
    from jsonb_each(configure_modes.modes) as p (name, settings);
    insert into selection.mode as m
    select r.*
    from jsonb_each(configure_modes.modes) as p (name, settings)
    cross join lateral jsonb_populate_record(
        coalesce((select d from selection.mode as d where d.name = p.name), v_defaults),
        p.settings || jsonb_build_object('name', p.name)
    ) as r
    on conflict (name) do update
    set
        lexical = excluded.lexical,
        dense = excluded.dense,
        fuzzy = excluded.fuzzy,
        rerank = excluded.rerank,
        top = excluded.top,
        ef_search = excluded.ef_search,
        lambda = excluded.lambda,
        weight_lexical = excluded.weight_lexical,
        weight_dense = excluded.weight_dense,
        weight_fuzzy = excluded.weight_fuzzy,
        weight_rerank = excluded.weight_rerank,
        weight_score = excluded.weight_score,
        weight_success = excluded.weight_success,
        weight_latency = excluded.weight_latency,
        weight_risk = excluded.weight_risk,
        weight_unavailable = excluded.weight_unavailable,
        floor = excluded.floor,
        tail = excluded.tail,
        scoring = excluded.scoring;
    get diagnostics v_count = row_count;
    return v_count;
exception
    when not_null_violation or check_violation or invalid_text_representation or numeric_value_out_of_range then
        perform core.fail('profile_invalid', format('a mode cannot be used: %s', sqlerrm));
        return 0;
end
$function$;
comment on function api.configure_modes(jsonb) is
'Copies the modes of the settings file to the database, so that psql uses the same modes as the service. Argument '
'modes: JSON object that maps the name of each mode to its settings, which are the columns of selection.mode (see '
'api.list_modes). If a mode exists already, missing settings keep their values. If a mode is new, the settings '
'weight_rerank, weight_score, weight_success, weight_latency, weight_risk, weight_unavailable, floor, tail and scoring '
'may be missing, and are then copied from the mode balanced. Returns how many modes were written. Raises QM422 '
'profile_invalid.';
grant execute on function api.configure_modes to qm_operator;
