-- api.claim_documents: returns old documentation that somebody got, so that it is fetched again, the oldest wish first.
-- Who claims it fetches it; another process does not get it. If that fails, the next lookup wants it again.
-- Writes: knowledge.document.
create or replace function api.claim_documents(maximum integer default 10)
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
comment on function api.claim_documents(integer) is
'Finds old documentation that the caller should fetch again. No other caller gets the same texts. Argument maximum: '
'maximum number of texts. Returns for each text: the library, the topic, the provider, the URL, and the tag with which '
'the provider identifies the text (etag). Can be null: etag.';
grant execute on function api.claim_documents to qm_service;
