create or replace function snapshots.definition_hash(p_definition jsonb)
returns bytea
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sha256(convert_to(p_definition::text, 'UTF8'));
$function$;
comment on function snapshots.definition_hash(jsonb) is
'Computes the hash of a definition. Argument p_definition: the definition as JSON. Returns the SHA-256 of '
'PostgreSQL''s text representation of this JSON value (type jsonb).';
