-- Writes: lookup.curation.
create or replace function lookup.note_curation(
    p_table_id integer, p_key text, p_kind text, p_alias text, p_provenance jsonb, p_reason text
)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into lookup.curation as c (table_id, key, kind, alias, provenance, name, reason, curator, curated_at)
    select
        t.id,
        p_key,
        p_kind,
        p_alias,
        p_provenance,
        t.name || '/' || p_key,
        coalesce(left(p_reason, 1000), ''),
        p.name,
        core.now()
    from lookup.lookup_table as t
    inner join policy.principal as p on p.id = policy.principal_id()
    where t.id = p_table_id
    on conflict (table_id, key, kind, alias) do update
    set
        provenance = excluded.provenance,
        reason = excluded.reason,
        curator = excluded.curator,
        curated_at = excluded.curated_at;
$function$;
comment on function lookup.note_curation(integer, text, text, text, jsonb, text) is
'Stores a curator''s change to a row. Arguments: p_table_id: id of the lookup table; p_key: id of the row; p_kind: '
'kind of the change: alias, retirement or provenance; p_alias: alias of the row (empty for other kinds of change); '
'p_provenance: members of the provenance to set (null for other kinds of change); p_reason: the curator''s reason.';
