-- api.tools: the view api.tools reads it. Row policies hide tools and origins. Tools that cannot be used are for
-- operators only, as in review_items.
create or replace function api.tools()
returns table (
    name text,
    origin text,
    brief text,
    status text,
    reason text,
    is_read_only boolean,
    is_destructive boolean,
    version integer,
    changed_at timestamptz
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        i.public_name,
        o.name,
        i.brief,
        i.status,
        i.status_reason,
        i.traits @> '{read_only}',
        i.traits @> '{destructive}',
        i.version,
        i.status_at
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    where i.kind = 'tool'
        and i.deprecated_at is null
        and o.status <> 'removed'
        and (i.is_live or (select policy.has_role('operator')))
    order by i.public_name;
$function$;
comment on function api.tools() is
'Lists the tools that the caller may use, in alphabetical order, for the view api.tools. Operators also see tools that '
'are waiting for approval, are in quarantine or were taken out of use. Returns for each tool: its callable name, '
'origin and a brief description; its status (approved, pending, quarantined or deprecated) and the reason for this '
'status; whether the tool only reads, and whether it can destroy something, by its annotations; its version; and the '
'time when it got this status. Can be null: is_read_only, is_destructive.';
alter function api.tools owner to qm_reader;
grant execute on function api.tools to qm_user;
