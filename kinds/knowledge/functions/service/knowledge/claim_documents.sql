-- service.claim_documents: the request that has waited longest comes first. If the caller cannot fetch a text, the next
-- lookup of this documentation requests it again.
-- Writes: knowledge.document.
create or replace function service.claim_documents(maximum integer default 10)
returns table (library text, topic text, provider text, url text, etag text)
language sql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
    update knowledge.document as d
    set wanted_at = null
    from (
        select w.library, w.topic
        from knowledge.document as w
        left join knowledge.provider as p on p.name = w.provider
        where w.wanted_at is not null and coalesce(p.paused_until <= core.now(), true)
        order by w.wanted_at
        limit claim_documents.maximum
        for update of w skip locked
    ) as c
    where d.library = c.library and d.topic = c.topic
    returning d.library, d.topic, d.provider, d.url, d.etag;
$function$;
comment on function service.claim_documents(integer) is
'Finds old documentation that the caller should fetch again. No other caller gets the same texts. Argument maximum: '
'maximum number of texts. Returns for each text: the library, the topic, the provider, the URL, and the tag with which '
'the provider identifies the text (etag). Can be null: etag.';
grant execute on function service.claim_documents to qm_service;
