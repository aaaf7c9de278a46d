-- snapshots.content_hash: what the tools of a snapshot are together, from their kept hashes.
create or replace function snapshots.content_hash(p_snapshot_id bigint)
returns bytea
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sha256(
        convert_to(
            coalesce(
                string_agg(
                    t.callable_name || ' ' || encode(m.definition_hash, 'hex'), E'\n' order by t.callable_name collate "C"
                ), ''
            ), 'UTF8'
        )
    )
    from snapshots.member as m
    inner join catalog.tool as t on t.id = m.tool_id
    where m.snapshot_id = p_snapshot_id;
$function$;
comment on function snapshots.content_hash(bigint) is 'SHA-256 over the lines "NAME HASH" of the snapshot''s tools, by name in byte order.';
