create or replace function api.status()
returns jsonb
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'version', core.schema_version(),
        'git_sha', (select r.git_sha from core.release as r order by r.installed_at desc limit 1),
        'postgresql', current_setting('server_version'),
        'origins', (select count(*) from catalog.origin as o where o.status <> 'removed'),
        'origins_by_status', core.tally(array(select o.status from catalog.origin as o where o.status <> 'removed')),
        'on_their_way', (
            select jsonb_build_object('installing', a.installing, 'listing', a.listing) from api.count_arrivals() as a
        ),
        'cards', (
            select coalesce(
                jsonb_object_agg(k.name, (select count(*) from search.card as c where c.kind = k.name)), '{}'
            )
            from search.kind as k
        ),
        'deprecated', core.tally(array(select i.kind from catalog.item as i where i.deprecated_at is not null)),
        'withheld', core.tally(
            array(select i.kind from catalog.item as i where i.status in ('pending', 'quarantined'))
        ),
        'model', (select m.name from search.model as m where m.active),
        'unembedded', search.count_unembedded(),
        'unembedded_by_kind', (
            select coalesce(jsonb_object_agg(k.name, search.count_unembedded(k.name)), '{}') from search.kind as k
        ),
        'cache', (
            select jsonb_build_object(
                'selections', count(*),
                'hit_rate', round(
                    count(*) filter (where r.stages @> '{"cached": true}')::numeric / nullif(count(*), 0), 4
                )
            )
            from selection.receipt as r
            where r.created_at > core.now() - interval '1 hour' and r.goal_hash is null
        ),
        'capabilities', (
            select coalesce(
                jsonb_object_agg(c.name, jsonb_build_object('installed', c.installed, 'version', c.version)), '{}'
            )
            from core.capability as c
        )
    );
$function$;
comment on function api.status() is
'Returns the state of the service as JSON. The members are: version: version of Quartermaster; git_sha: commit from '
'which this version was built; postgresql: version of PostgreSQL; origins: number of origins; origins_by_status: '
'number of origins by status; on_their_way: servers that are being added, as api.count_arrivals returns them; cards: '
'number of cards by kind; deprecated: number of deprecated items by kind; withheld: number of items by kind that are '
'waiting for approval or are in quarantine; model: the active embedding model; unembedded: number of texts without a '
'vector; unembedded_by_kind: the same by kind; cache: number of searches in the last hour that the caller may see, and '
'the share of these searches that used cached candidates; capabilities: features of the database server. Example: '
'`select jsonb_pretty(status());`';
alter function api.status owner to qm_reader;
grant execute on function api.status to qm_user;
