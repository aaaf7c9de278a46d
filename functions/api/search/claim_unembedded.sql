-- api.claim_unembedded: returns texts that need a vector. Only the leading process gets any, so that nothing is
-- embedded twice.
-- Definer because only the engine may write vectors; executable by operators.
-- Raises: QM404 model_not_found.  Writes: search.embedding.
create or replace function api.claim_unembedded(
    model text, maximum integer default 128, instance uuid default null
)
returns table (kind text, text_hash bytea, embedding_text text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if claim_unembedded.instance <> core.leading_instance() then
        return;
    end if;
    return query
    select u.kind, u.text_hash, u.embedding_text
    from search.claim_unembedded(claim_unembedded.model, claim_unembedded.maximum) as u;
end
$function$;
comment on function api.claim_unembedded(text, integer, uuid) is
'Arguments: model; maximum number of texts; id of the calling process, or null for one that is not a service. '
'Returns kind, hash and text of each.';
grant execute on function api.claim_unembedded to qm_operator;
