-- search.store_declaration: the statement is built from the members of p_declared, so a new column of search.kind needs
-- no change here. In an update, the folder of the kind and the columns that are not declared stay as they are.
-- Writes: search.kind.
create or replace function search.store_declaration(p_declared jsonb, p_folder text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_column text;
begin
    insert into search.kind (name, description, folder)
    values (p_declared ->> 'name', p_declared ->> 'description', p_folder)
    on conflict (name) do nothing;
    for v_column in select d.key from jsonb_object_keys(p_declared) as d (key) loop
        execute format(
            'update search.kind as k set %1$I = d.%1$I from jsonb_populate_record(null::search.kind, $1) as d '
            'where k.name = d.name and k.%1$I is distinct from d.%1$I',
            v_column
        ) using p_declared;
    end loop;
end
$function$;
comment on function search.store_declaration(jsonb, text) is
'Creates or updates the row of a kind of card in search.kind. Arguments: p_declared: the columns that the declaration '
'sets, as a JSON object; p_folder: the folder of a new kind (empty: Quartermaster).';
