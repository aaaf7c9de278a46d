create or replace function snapshots.content_hash(p_kinds text[], p_names text[], p_definition_hashes bytea[])
returns bytea
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sha256(
        convert_to(
            coalesce(string_agg(l.line, E'\n' order by l.kind collate "C", l.name collate "C"), ''), 'UTF8'
        )
    )
    from unnest(p_kinds, p_names, p_definition_hashes) as t (kind, name, hash)
    cross join lateral (select t.kind, t.name, concat_ws(' ', t.kind, t.name, encode(t.hash, 'hex')) as line) as l;
$function$;
comment on function snapshots.content_hash(text[], text[], bytea[]) is
'Computes one hash of all items in a snapshot. Arguments: p_kinds: kind of each item; p_names: public name of each '
'item; p_definition_hashes: SHA-256 of each item''s definition. Returns the SHA-256 of the lines "KIND NAME HASH", '
'sorted by kind and name in byte order.';
