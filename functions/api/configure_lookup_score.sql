-- api.configure_lookup_score: the learned score of one lookup table, or of all that have none of their own (profile default).
-- Definer because coefficients are written by their own function only; executable by operators.
-- Raises: QM422 argument_invalid.  Writes: lookup.coefficient.
create or replace function api.configure_lookup_score(profile text, weights jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_unknown text;
    v_count integer;
begin
    perform policy.require_principal();
    if configure_lookup_score.profile is distinct from 'default' then
        perform lookup.require_table(configure_lookup_score.profile);
    end if;
    select format('%s.%s', p.key, f.key) into v_unknown
    from jsonb_each(configure_lookup_score.weights) as p
    cross join lateral jsonb_each(p.value) as f
    where p.key not in ('score', 'confidence')
        or jsonb_typeof(f.value) <> 'number'
        or (f.key <> all(lookup.feature_names()) and f.key not in ('intercept', 'odds', 'odds_squared', 'odds_high'))
    limit 1;
    if v_unknown is not null then
        perform core.fail(
            'argument_invalid', format('%s is no weight of a feature', v_unknown), null,
            'Send {"score": {feature: number}, "confidence": {feature: number}}, as qm eval fit-lookup writes it.'
        );
    end if;
    delete from lookup.coefficient as c where c.profile = configure_lookup_score.profile;
    insert into lookup.coefficient (profile, part, feature, weight)
    select configure_lookup_score.profile, p.key, f.key, f.value::text::real
    from jsonb_each(configure_lookup_score.weights) as p
    cross join lateral jsonb_each(p.value) as f;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function api.configure_lookup_score(text, jsonb) is
'Arguments: lookup table, or default; {"score": {feature: weight}, "confidence": {feature: weight}}; an empty object takes the table''s own away. Returns how many weights there are now.';
