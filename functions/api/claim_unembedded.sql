-- api.claim_unembedded: texts that wait for their vector.
-- Definer because vectors are written by the engine only; executable by operators.
-- Raises: QM404 model_not_found.  Writes: search.embedding.
create or replace function api.claim_unembedded(model text, maximum integer default 128)
returns table (kind text, text_hash bytea, embedding_text text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select u.kind, u.text_hash, u.embedding_text
    from search.claim_unembedded(claim_unembedded.model, claim_unembedded.maximum) as u;
end
$function$;
comment on function api.claim_unembedded(text, integer) is 'Arguments: model, how many texts at most. Returns kind, hash and text of each.';
