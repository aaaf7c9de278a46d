create or replace function knowledge.describe_symbol(p_ref bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'library', d.name,
        'version', d.version,
        'kind', s.kind,
        'signature', s.signature,
        'file', s.file,
        'line', s.line,
        'documentation', s.passage,
        'deprecated', nullif(s.deprecated, ''),
        'paths', (
            select coalesce(jsonb_agg(p.path order by p.path), '[]')
            from knowledge.symbol_path as p
            where p.symbol_id = s.id
        )
    )
    from knowledge.symbol as s
    inner join knowledge.distribution as d on d.id = s.distribution_id
    where s.id = p_ref;
$function$;
comment on function knowledge.describe_symbol(bigint) is
'Describes an object of a library for api.describe_card. Argument p_ref: id of the object. Returns a JSON object with '
'the object''s signature, file, line, documentation and further paths, and with the version of the library.';
grant execute on function knowledge.describe_symbol to qm_reader;
