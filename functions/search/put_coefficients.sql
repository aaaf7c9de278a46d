-- Writes: search.coefficient.
create or replace function search.put_coefficients(p_kind text, p_profile text, p_weights jsonb)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_features constant text[] := search.feature_names(p_kind);
    v_unknown text;
    v_count integer;
begin
    if jsonb_typeof(p_weights) is distinct from 'object'
        or jsonb_path_exists(p_weights, 'strict $.* ? (@.type() <> "object" || exists(@.* ? (@.type() <> "number")))')
    then
        perform core.fail('scoring_invalid', 'the weights must be JSON objects of numbers');
    end if;
    select string_agg(format('%s.%s', p.key, f.key), ', ' order by p.key collate core.c_utf8, f.key collate core.c_utf8)
    into v_unknown
    from jsonb_each(p_weights) as p
    cross join lateral jsonb_object_keys(p.value) as f (key)
    where p.key not in ('score', 'large', 'confidence')
        or (
            f.key <> all(v_features || 'intercept'::text)
            and not (
                p.key = 'confidence'
                and f.key = any(search.place_names() || '{fit,fit_expected,fit_odds,fit_words}'::text[])
            )
        );
    if v_unknown is not null then
        perform core.fail('scoring_invalid', format('unknown features: %s', v_unknown), null,
            format('Use these names: intercept, %s.', array_to_string(v_features, ', '))
        );
    end if;
    delete from search.coefficient as c where c.kind = p_kind and c.profile = p_profile;
    insert into search.coefficient (kind, profile, part, feature, weight)
    select p_kind, p_profile, p.key, f.key, f.value::real
    from jsonb_each(p_weights) as p
    cross join lateral jsonb_each_text(p.value) as f;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function search.put_coefficients(text, text, jsonb) is
'Replaces the learned weights of a kind in a profile (a named set of learned weights). Arguments: p_kind: kind of '
'card; p_profile: name of the profile; p_weights: JSON object with the members "score", "large" and "confidence", each '
'of which is an object {feature: weight}. An empty object for p_weights deletes the weights of the profile. Returns '
'the number of stored weights. Raises QM422 scoring_invalid.';
