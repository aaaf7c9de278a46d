-- api.configure_modes: makes the profiles of the settings file the modes of the database, for psql as for the service.
-- Definer because modes are reference data; executable by operators.
-- Raises: QM422 profile_invalid.  Writes: selection.mode.
create or replace function api.configure_modes(profiles jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_count integer;
begin
    perform policy.require_principal();
    if jsonb_typeof(configure_modes.profiles) is distinct from 'object'
        or jsonb_path_exists(configure_modes.profiles, 'strict $.* ? (@.type() <> "object")')
    then
        perform core.fail('profile_invalid', 'the profiles are not a JSON object of objects');
    end if;
    insert into selection.mode as m
    select r.*
    from jsonb_each(configure_modes.profiles) as p (name, profile)
    cross join lateral jsonb_populate_record(
        (select d from selection.mode as d where d.name = p.name), p.profile || jsonb_build_object('name', p.name)
    ) as r
    on conflict (name) do update
    set
        lexical = excluded.lexical,
        dense = excluded.dense,
        fuzzy = excluded.fuzzy,
        rerank = excluded.rerank,
        expose = excluded.expose,
        ef_search = excluded.ef_search,
        lambda = excluded.lambda,
        weight_lexical = excluded.weight_lexical,
        weight_dense = excluded.weight_dense,
        weight_fuzzy = excluded.weight_fuzzy;
    get diagnostics v_count = row_count;
    return v_count;
exception
    when not_null_violation or check_violation or invalid_text_representation or numeric_value_out_of_range then
        perform core.fail('profile_invalid', 'a profile cannot be used: ' || sqlerrm);
        return 0;
end
$function$;
comment on function api.configure_modes(jsonb) is
'Argument: {mode: {lexical, dense, fuzzy, rerank, expose, ef_search, lambda, weight_lexical, weight_dense, weight_fuzzy}}; members left out of a known mode stay. Returns how many modes were written.';
