-- snapshots.content_hash: what tools are together.
create or replace function snapshots.content_hash(p_names text[], p_definition_hashes bytea[])
returns bytea
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sha256(
        convert_to(
            coalesce(string_agg(t.name || ' ' || encode(t.hash, 'hex'), E'\n' order by t.name collate "C"), ''), 'UTF8'
        )
    )
    from unnest(p_names, p_definition_hashes) as t (name, hash);
$function$;
comment on function snapshots.content_hash(text[], bytea[]) is
'Arguments: callable names, SHA-256 of the definition of each. Returns the SHA-256 over the lines "NAME HASH", by name in byte order.';
