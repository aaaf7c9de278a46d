-- Writes: search.coefficient.
create or replace function api.configure_lookup_score(profile text, weights jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if configure_lookup_score.profile is distinct from 'default' then
        perform lookup.require_table(configure_lookup_score.profile);
    end if;
    return search.put_coefficients('lookup', configure_lookup_score.profile, configure_lookup_score.weights);
end
$function$;
comment on function api.configure_lookup_score(text, jsonb) is
'Sets the weights of the learned score for one lookup table, or the default weights for all lookup tables that have no '
'weights of their own. Arguments: profile: name of a lookup table, or ''default'' for the default weights; weights: '
'{"score": {feature: weight}, "confidence": {feature: weight}}, or an empty object to delete the weights of this '
'table. Returns how many weights are now stored for this profile. Raises QM404 unsupported_table, QM422 '
'scoring_invalid.';
grant execute on function api.configure_lookup_score to qm_operator;
