create or replace function selection.counters()
returns text
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select string_agg(v.name || ' ' || v.value, ',' order by v.name)
    from core.version as v
    where policy.require_principal() is not null;
$function$;
comment on function selection.counters() is
'Returns the names and values of all counters in core.version as one text. If two servers return the same text, they '
'find the same cards. Caches compare this text to notice changes. Raises QM403 principal_required.';
grant execute on function selection.counters to qm_reader;
