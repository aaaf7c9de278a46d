create or replace function api.list_documents(maximum integer default 50)
returns table (
    library text,
    topic text,
    provider text,
    title text,
    url text,
    bytes integer,
    fetched_at timestamptz,
    checked_at timestamptz,
    is_stale boolean,
    paused_until timestamptz,
    because text
)
language sql
stable parallel safe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        d.library, d.topic, d.provider, d.title, d.url, octet_length(d.text), d.fetched_at, d.checked_at,
        d.checked_at < core.now() - make_interval(hours => (core.get_setting('documents.fresh_for'))::integer),
        p.paused_until,
        p.because
    from knowledge.document as d
    left join knowledge.provider as p on p.name = d.provider
    order by d.checked_at desc, d.library, d.topic
    limit list_documents.maximum;
$function$;
comment on function api.list_documents(integer) is
'Lists the fetched documentation. Argument maximum: maximum number of rows. Returns for each text: the library, the '
'topic, the provider, the size, the times at which the text was fetched and last confirmed, and whether the text is '
'old. If requests to the provider are paused, the row also contains the end of the pause, and the reason. Can be '
'null: paused_until, because.';
alter function api.list_documents owner to qm_reader;
grant execute on function api.list_documents to qm_operator;
