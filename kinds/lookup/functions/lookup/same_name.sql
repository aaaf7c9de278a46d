create or replace function lookup.same_name(p_table_id integer, p_key text, p_name text)
returns text[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_label constant text := lookup.normalize(p_name);
begin
    return (
        select coalesce(array_agg(distinct r.key), '{}')
        from lookup.lookup_name as n
        inner join lookup.lookup_row as r on r.id = n.row_id and r.key <> p_key
        inner join search.card as c
            on c.kind = 'lookup'
            and c.ref = n.id
            and c.label = v_label
            and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        where n.table_id = p_table_id and n.short = left(lookup.short_form(v_label), 200)
    );
end
$function$;
comment on function lookup.same_name(integer, text, text) is
'Finds other rows of a table with the same normalised name. Arguments: p_table_id: id of the lookup table; p_key: id '
'of the row to leave out; p_name: the normalised name. Returns the ids of such rows that the caller may see.';
