create or replace function api.list_exposed(session text)
returns table (
    name text, title text, description text, input_schema jsonb, output_schema jsonb, annotations jsonb, extra jsonb
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        i.public_name,
        d.title,
        coalesce(d.description, ''),
        d.input_schema,
        nullif(d.output_schema, 'null'),
        d.annotations,
        d.extra
    from selection.exposure as e
    inner join catalog.item as i on i.id = e.ref
    cross join lateral jsonb_to_record(i.definition) as d (
        title text, description text, input_schema jsonb, output_schema jsonb, annotations jsonb, extra jsonb
    )
    where e.session = list_exposed.session and e.kind = 'tool' and i.is_live
    order by i.public_name;
$function$;
comment on function api.list_exposed(text) is
'Lists the tools that searches have added to the list of one of the caller''s MCP sessions. Argument session: id of '
'the session. Returns the definitions of the tools, in alphabetical order of the names. Can be null: title.';
alter function api.list_exposed owner to qm_reader;
grant execute on function api.list_exposed to qm_user;
