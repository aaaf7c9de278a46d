create or replace function api.suggest_lookup_types(
    prefix text default '', lookup text default null, maximum integer default 20, skip integer default 0
)
returns table (name text, description text, domain text, rows integer)
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_ids constant integer[] := lookup.visible_tables(suggest_lookup_types.lookup);
    v_text constant text := lower(btrim(suggest_lookup_types.prefix) collate core.c_utf8);
begin
    perform lookup.require_page(suggest_lookup_types.maximum, suggest_lookup_types.skip);
    return query
    select t.name, t.description, t.domain, t.rows
    from lookup.lookup_table as t
    where t.id = any(v_table_ids) and strpos(lower(concat_ws(' ', t.name, t.domain, t.description)), v_text) > 0
    order by starts_with(lower(t.name), v_text) desc, t.name
    limit suggest_lookup_types.maximum
    offset suggest_lookup_types.skip;
end
$function$;
comment on function api.suggest_lookup_types(text, text, integer, integer) is
'Suggests lookup tables whose name or description contains a given text. Lookup tables whose name or description '
'begins with the text come first. Arguments: prefix: the text; lookup: suggest at most this lookup table (null: any '
'lookup table); maximum: maximum number of results (1 to 100); skip: number of results to skip. Returns for each '
'lookup table: its name, description and domain, and the number of its rows. Raises QM422 argument_invalid.';
alter function api.suggest_lookup_types owner to qm_reader;
grant execute on function api.suggest_lookup_types to qm_user;
