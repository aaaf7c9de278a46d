-- search.store_embeddings: a vector is stored under the hash of its text, so that cards with the same text share it.
-- Writes: search.embedding.
create or replace function search.store_embeddings(
    p_model text, p_kinds text[], p_text_hashes bytea[], p_vectors text[]
)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id constant integer := search.model_id(p_model);
    v_dimension constant integer := (select m.dimension from search.model as m where m.id = v_model_id);
    v_wrong integer;
    v_stored integer;
begin
    select ext.vector_dims(v.vector::ext.vector)
    into v_wrong
    from unnest(p_vectors) as v (vector)
    where ext.vector_dims(v.vector::ext.vector) <> v_dimension
    limit 1;
    if v_wrong is not null then
        perform core.fail(
            'dimension_mismatch',
            format('a vector has %s dimensions, but the model %s has %s', v_wrong, p_model, v_dimension)
        );
    end if;
    insert into search.embedding (model_id, kind, text_hash, vector)
    select v_model_id, g.kind, g.text_hash, g.vector::ext.vector
    from unnest(p_kinds, p_text_hashes, p_vectors) as g (kind, text_hash, vector)
    on conflict do nothing;
    get diagnostics v_stored = row_count;
    return v_stored;
end
$function$;
comment on function search.store_embeddings(text, text[], bytea[], text[]) is
'Stores vectors of texts. Existing vectors are not replaced. Arguments: p_model: name of the embedding model; p_kinds: '
'kind of card for each text; p_text_hashes: hash of each text; p_vectors: vector of each text, as a literal. Returns '
'the number of new vectors. Raises QM404 model_not_found, QM422 dimension_mismatch (nothing is stored then).';
