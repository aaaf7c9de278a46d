create or replace function api.list_queues()
returns table (name text, waiting bigint)
language sql
stable parallel unsafe security definer
rows 3
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    values
    ('embeddings', search.count_unembedded()),
    ('refreshes', (select count(*) from catalog.refresh as r where r.status = 'requested')),
    (
        'jobs',
        (
            select count(*)
            from jobs.job as j
            where j.enabled and j.next_at <= core.now() and not core.is_hidden(j.folder)
        )
    );
$function$;
comment on function api.list_queues() is
'Counts the work that is waiting for the service. Returns the lengths of three queues: embeddings (texts without a '
'vector), refreshes (origins to read again) and jobs (jobs that are due).';
alter function api.list_queues owner to qm_reader;
grant execute on function api.list_queues to qm_operator;
