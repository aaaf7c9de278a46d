-- service.find_document: the function also returns old documentation. It then records in the row that somebody is
-- waiting for a newer text (service.claim_documents).
-- Writes: knowledge.document.
create or replace function service.find_document(library text, topic text, provider text)
returns table (
    source text,
    title text,
    url text,
    text text,
    etag text,
    fetched_at timestamptz,
    is_stale boolean,
    may_ask boolean,
    because text,
    paused_until timestamptz
)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_key constant record := knowledge.document_key(find_document.library, find_document.topic);
    v_fresh_for constant interval := make_interval(hours => (core.get_setting('documents.fresh_for'))::integer);
begin
    update knowledge.document as d
    set wanted_at = core.now()
    where d.library = v_key.library
        and d.topic = v_key.topic
        and d.wanted_at is null
        and d.checked_at < core.now() - v_fresh_for;

    return query
    select
        d.provider,
        d.title,
        d.url,
        d.text,
        d.etag,
        d.fetched_at,
        d.checked_at < core.now() - v_fresh_for,
        coalesce(p.paused_until <= core.now(), true),
        p.because,
        p.paused_until
    from (values (find_document.provider)) as g (provider)
    left join knowledge.document as d on d.library = v_key.library and d.topic = v_key.topic
    left join knowledge.provider as p on p.name = g.provider;
end
$function$;
comment on function service.find_document(text, text, text) is
'Finds documentation that was fetched before, for a library and a topic. Arguments: library: name of the library; '
'topic: subject of the documentation; provider: name of the provider that the caller asks if no documentation is '
'found. Returns one row: the text (null: nothing was fetched; empty: the provider has no documentation); whether the '
'text is old; whether the caller may ask the provider now; and, if not, the reason, and the time from which the caller '
'may ask the provider again. Can be null: source, title, url, text, etag, fetched_at, is_stale, because, '
'paused_until.';
grant execute on function service.find_document to qm_service;
