-- api.configure_scoring: sets the weights of the learned score for a kind of card and an embedding model.
-- Definer because coefficients are reference data; executable by operators.
-- Raises: QM404 kind_not_found, QM422 scoring_invalid.  Writes: search.coefficient.
create or replace function api.configure_scoring(kind text, model text, weights jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    perform from search.kind as k where k.name = configure_scoring.kind;
    if not found then
        perform search.refuse_kind(configure_scoring.kind);
    end if;
    return search.put_coefficients(
        configure_scoring.kind, configure_scoring.model, jsonb_build_object('score', configure_scoring.weights)
    );
end
$function$;
comment on function api.configure_scoring(text, text, jsonb) is
'Arguments: kind: kind of card; model: embedding model whose vectors were used to learn the weights; weights: '
'{feature: weight, "intercept": number}, or {} to use fusion. Replaces earlier weights. Returns the number of '
'weights.';
grant execute on function api.configure_scoring to qm_operator;
