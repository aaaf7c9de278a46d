-- service.store_document: if the stored documentation takes too much space, the oldest texts are removed, beginning
-- with the principal whose texts take the most space. The provider has answered, so the pause after its failures ends.
-- Only the service's login may execute the function: whoever stores documentation decides what other people read.
-- Writes: knowledge.document, knowledge.provider.
create or replace function service.store_document(
    library text,
    topic text,
    provider text,
    title text,
    url text,
    text text,
    etag text default null,
    asked_by text default null
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_key constant record := knowledge.document_key(store_document.library, store_document.topic);
    -- Sections and titles with attacks on their readers are left out, whatever the service found.
    v_text constant text := knowledge.without_attacks(store_document.text);
begin
    insert into knowledge.document as d (
        library, topic, provider, title, url, text, etag, asked_by, fetched_at, checked_at
    )
    values (
        v_key.library,
        v_key.topic,
        store_document.provider,
        left(coalesce(knowledge.without_attacks(store_document.title), ''), 300),
        left(store_document.url, 2000),
        left(coalesce(v_text, ''), 200000),
        left(store_document.etag, 500),
        (select p.id from policy.principal as p where p.name = store_document.asked_by),
        core.now(),
        core.now()
    )
    on conflict on constraint document_pkey do update
        set
            provider = excluded.provider,
            title = excluded.title,
            url = excluded.url,
            -- Without a text, the provider has said that it has not changed.
            text = case when v_text is null then d.text else excluded.text end,
            fetched_at = case when v_text is null then d.fetched_at else excluded.fetched_at end,
            etag = excluded.etag,
            checked_at = excluded.checked_at,
            wanted_at = null;
    delete from knowledge.provider as p where p.name = store_document.provider;

    delete from knowledge.document as d
    using (
        -- A document comes after all that its principal has newer, so nobody can take the room of the others.
        select o.library, o.topic, sum(o.size) over (order by o.own, o.checked_at desc, o.library, o.topic) as bytes
        from (
            select
                k.library, k.topic, k.checked_at, octet_length(k.text) + 500 as size,
                sum(octet_length(k.text) + 500) over (
                    partition by k.asked_by order by k.checked_at desc, k.library, k.topic
                ) as own
            from knowledge.document as k
        ) as o
    ) as s
    where s.library = d.library
        and s.topic = d.topic
        and s.bytes > (core.get_setting('documents.megabytes'))::bigint * 1000000;
end
$function$;
comment on function service.store_document(text, text, text, text, text, text, text, text) is
'Stores fetched documentation. Arguments: library: name of the library; topic: subject of the documentation; provider: '
'name of the provider; title: title of the text; url: address of the text; text: the text itself (null: the stored '
'text has not changed; empty: the provider has no documentation); etag: tag with which the provider identifies the '
'text; asked_by: name of the principal that asked for the documentation. Can be null: text.';
grant execute on function service.store_document to qm_service;
