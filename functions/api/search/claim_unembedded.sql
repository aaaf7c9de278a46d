-- api.claim_unembedded: only one process, the leading one, receives texts, so that no text is embedded twice.
-- Writes: search.embedding, search.embedded_kind.
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
'Assigns texts without a vector to the calling process, which then computes the vectors. Arguments: model: name of the '
'embedding model; maximum: maximum number of texts; instance: id of the calling process (null if the caller is not a '
'service process). Returns for each text: the kind of card, the hash of the text, and the text itself. Raises QM404 '
'model_not_found.';
grant execute on function api.claim_unembedded to qm_operator;
