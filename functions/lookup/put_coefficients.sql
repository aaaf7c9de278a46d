-- lookup.put_coefficients: the learned score of a profile becomes what is given.
-- Raises: QM422 argument_invalid.  Writes: lookup.coefficient.
create or replace function lookup.put_coefficients(p_profile text, p_weights jsonb)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_unknown text;
    v_count integer;
begin
    select format('%s.%s', p.key, f.key) into v_unknown
    from jsonb_each(p_weights) as p
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
    delete from lookup.coefficient as c where c.profile = p_profile;
    insert into lookup.coefficient (profile, part, feature, weight)
    select p_profile, p.key, f.key, f.value::text::real
    from jsonb_each(p_weights) as p
    cross join lateral jsonb_each(p.value) as f;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function lookup.put_coefficients(text, jsonb) is
'Arguments: profile; {"score": {feature: weight}, "confidence": {feature: weight}}; an empty object takes them away. Returns how many weights there are now.';
