-- Writes: lookup.lookup_table, cards.
create or replace function lookup.put_table(p_name text, p_description text, p_domain text)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id integer;
begin
    insert into lookup.lookup_table as t (name, description, domain, created_at)
    values (p_name, coalesce(p_description, ''), coalesce(p_domain, ''), core.now())
    on conflict (name) do update
    set description = coalesce(p_description, t.description), domain = coalesce(p_domain, t.domain)
    returning t.id into v_id;
    perform search.put_cards('lookup_table', (
        select jsonb_build_array(jsonb_build_object(
            'ref', t.id,
            'name', t.name,
            'origin', t.name,
            'brief', left(t.description, 200),
            'fields', jsonb_build_array(t.name, t.domain, t.description, ''),
            'embedding_text', concat_ws(' ', t.name, nullif(t.domain, ''), nullif(t.description, ''))
        ))
        from lookup.lookup_table as t
        where t.id = v_id
    ));
    return v_id;
end
$function$;
comment on function lookup.put_table(text, text, text) is
'Creates or updates a lookup table and the table''s card. Rules use this card to decide who may see the table. '
'Arguments: p_name: name of the lookup table; p_description: description of the table (null: keep the current '
'description); p_domain: domain of the table (null: keep the current domain). Returns the id of the lookup table.';
