-- api.configure_scoring: makes weights the learned score of a kind of card, for one embedding model.
-- Definer because coefficients are reference data; executable by operators.
-- Raises: QM404 kind_not_found, QM422 scoring_invalid.  Writes: search.coefficient.
create or replace function api.configure_scoring(kind text, model text, weights jsonb)
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
    perform from search.kind as k where k.name = configure_scoring.kind;
    if not found then
        perform core.fail('kind_not_found', format('there is no kind of card called %L', configure_scoring.kind));
    end if;
    if jsonb_typeof(configure_scoring.weights) is distinct from 'object'
        or jsonb_path_exists(configure_scoring.weights, 'strict $.* ? (@.type() <> "number")')
    then
        perform core.fail('scoring_invalid', 'the weights are not a JSON object of numbers');
    end if;
    select string_agg(w.feature, ', ' order by w.feature) into v_unknown
    from jsonb_object_keys(configure_scoring.weights) as w (feature)
    where w.feature <> all(search.feature_names() || 'intercept'::text);
    if v_unknown is not null then
        perform core.fail(
            'scoring_invalid', format('there is no feature called %s', v_unknown), null,
            'Use intercept and: ' || array_to_string(search.feature_names(), ', ') || '.'
        );
    end if;

    delete from search.coefficient as c where c.kind = configure_scoring.kind and c.model = configure_scoring.model;
    insert into search.coefficient (kind, model, feature, weight)
    select configure_scoring.kind, configure_scoring.model, w.feature, w.weight::real
    from jsonb_each_text(configure_scoring.weights) as w (feature, weight);
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function api.configure_scoring(text, text, jsonb) is
'Arguments: kind; embedding model whose vectors the weights were learned with; {feature: weight, "intercept": number}, {} for fusion. What was there before is replaced. Returns how many weights there are now.';
grant execute on function api.configure_scoring to qm_operator;
