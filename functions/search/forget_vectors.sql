-- Writes: search.embedding.
create or replace function search.forget_vectors(p_kind text, p_text_hashes bytea[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    delete from search.embedding as e
    using (select distinct u.text_hash from unnest(p_text_hashes) as u (text_hash)) as g
    where e.kind = p_kind
        and e.text_hash = g.text_hash
        and e.model_id in (select m.id from search.model as m)
        and not exists (select from search.card as c where c.kind = p_kind and c.text_hash = g.text_hash);
end
$function$;
comment on function search.forget_vectors(text, bytea[]) is
'Deletes the vectors of texts that no card of the kind contains any longer, for all models. Arguments: p_kind: kind of '
'card; p_text_hashes: SHA-256 of each text that cards used to have.';
