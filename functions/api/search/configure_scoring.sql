-- Writes: search.coefficient.
create or replace function api.configure_scoring(
    kind text, model text, weights jsonb default null, confidence jsonb default null, large jsonb default null
)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kept jsonb; -- by part
begin
    perform policy.require_principal();
    perform from search.kind as k where k.name = configure_scoring.kind and k.audience_id is null;
    if not found then
        perform search.refuse_kind(configure_scoring.kind);
    end if;
    select coalesce(jsonb_object_agg(p.part, p.weights), '{}')
    into v_kept
    from (
        select c.part, jsonb_object_agg(c.feature, c.weight) as weights
        from search.coefficient as c
        where c.kind = configure_scoring.kind and c.profile = configure_scoring.model
        group by c.part
    ) as p;
    return search.put_coefficients(
        configure_scoring.kind,
        configure_scoring.model,
        jsonb_build_object(
            'score', coalesce(configure_scoring.weights, v_kept -> 'score', '{}'),
            'large', coalesce(
                configure_scoring.large, case when configure_scoring.weights is null then v_kept -> 'large' end, '{}'
            ),
            'confidence', coalesce(
                configure_scoring.confidence,
                case when configure_scoring.weights is null then v_kept -> 'confidence' end,
                '{}'
            )
        )
    );
end
$function$;
comment on function api.configure_scoring(text, text, jsonb, jsonb, jsonb) is
'Sets the weights of the learned score for a kind of card and an embedding model. Arguments: kind: kind of card; '
'model: embedding model whose vectors were used to learn the weights; weights: {feature: weight, "intercept": number} '
'({}: no learned weights, so the score is the weighted mean of the scores for words, meaning and name; null: the '
'stored weights stay); confidence: weights for the probability of a card (see search.place_names), in the same form '
'({}: no such weights); large: weights for a catalog of 4,000 cards or more (see search.coefficients), in the same '
'form ({}: no such weights). If confidence is null, the stored weights for confidence stay only if weights is also '
'null. Otherwise, they are removed. The same applies to large. Returns the number of weights. Raises QM404 '
'kind_not_found, QM422 scoring_invalid.';
grant execute on function api.configure_scoring to qm_operator;
