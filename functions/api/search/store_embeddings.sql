-- Writes: search.embedding.
create or replace function api.store_embeddings(model text, kinds text[], text_hashes bytea[], vectors text[])
returns integer
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select search.store_embeddings(
        store_embeddings.model, store_embeddings.kinds, store_embeddings.text_hashes, store_embeddings.vectors
    );
$function$;
comment on function api.store_embeddings(text, text[], bytea[], text[]) is
'Stores vectors for texts from api.claim_unembedded. Arguments: model: name of the embedding model; kinds: kind of '
'card of each text; text_hashes: hash of each text; vectors: vector of each text, written as pgvector reads it, such '
'as [0.1,0.2]. The three arrays have one element for each text, in the same order. Stores either all vectors or no '
'vector. Returns how many of the vectors were not stored before. Raises QM404 model_not_found, QM422 '
'dimension_mismatch.';
grant execute on function api.store_embeddings to qm_operator;
