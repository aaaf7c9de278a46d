-- search.claim_unembedded: returns the texts of live cards that have no vector of the given model yet, each text once.
-- Cards of the default kind come first, because most searches ask for them.
-- If another kind has already embedded a text, its vector is copied. Texts of cards with an audience are returned to
-- members of the audience, and to the worker of the service.
-- Raises: QM404 model_not_found.  Writes: search.embedding.
create or replace function search.claim_unembedded(p_model text, p_limit integer)
returns table (kind text, text_hash bytea, embedding_text text)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id constant integer := search.model_id(p_model);
begin
    insert into search.embedding (model_id, kind, text_hash, vector)
    select distinct on (c.kind, c.text_hash) v_model_id, c.kind, c.text_hash, e.vector
    from search.card as c
    inner join search.embedding as e on e.model_id = v_model_id and e.text_hash = c.text_hash and e.kind <> c.kind
    where not exists (
        select from search.embedding as x where x.model_id = v_model_id and x.text_hash = c.text_hash and x.kind = c.kind
    )
    on conflict do nothing;

    return query
    select w.kind, w.text_hash, w.embedding_text
    from (
        select distinct on (c.text_hash) c.kind, c.text_hash, c.embedding_text
        from search.card as c
        where not exists (
            select from search.embedding as x where x.model_id = v_model_id and x.text_hash = c.text_hash and x.kind = c.kind
        )
            and (c.audience_id is null or session_user = 'qm_service' or policy.is_visible(c.rights_class, (select policy.visible_classes())))
        order by c.text_hash, c.kind
    ) as w
    order by w.kind <> search.default_kind(), w.text_hash
    limit p_limit;
end
$function$;
comment on function search.claim_unembedded(text, integer) is
'Finds texts of cards that have no vector from a given model yet. Each text is returned only once. Arguments: p_model: '
'name of the embedding model; p_limit: maximum number of texts. Returns for each text: the kind of card, the hash of '
'the text, and the text.';
