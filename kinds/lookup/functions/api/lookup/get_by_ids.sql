create or replace function api.get_by_ids(lookup text, ids text[])
returns table (id text, value text, aliases text[], language text, active boolean, domain text, properties jsonb)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(get_by_ids.lookup);
begin
    if cardinality(get_by_ids.ids) > 1000 then
        perform core.fail(
            'argument_invalid',
            format('at most 1000 ids are allowed, got %s', cardinality(get_by_ids.ids)),
            null,
            'Ask for fewer rows at a time.'
        );
    end if;
    return query
    select r.key, r.value, r.aliases, r.language, r.active, r.domain, r.properties
    from unnest(get_by_ids.ids) with ordinality as i (key, position)
    inner join lookup.lookup_row as r on r.table_id = v_table_id and r.key = i.key
    order by i.position;
end
$function$;
comment on function api.get_by_ids(text, text[]) is
'Reads rows of a lookup table, in the order of the given ids. Ids without a row are left out. Arguments: lookup: name '
'of the lookup table; ids: ids of the rows (at most 1,000). Returns for each row its id, value, aliases, language, '
'domain and properties, and whether the row is active. Raises QM404 unsupported_table, QM422 argument_invalid.';
alter function api.get_by_ids owner to qm_reader;
grant execute on function api.get_by_ids to qm_user;
