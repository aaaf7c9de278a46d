create or replace function catalog.repair_texts(p_changes jsonb)
returns table (member text, text text)
language sql
immutable parallel safe security invoker
rows 4
set search_path = pg_catalog, pg_temp
as $function$
    select m.member, m.text
    from (
        values
        ('name', p_changes ->> 'name'),
        ('title', p_changes ->> 'title'),
        ('description', concat_ws(
            E'.\n',
            p_changes ->> 'description',
            p_changes ->> 'brief',
            nullif(catalog.schema_text(coalesce(p_changes -> 'phrases', '[]')), '')
        )),
        ('input_schema', catalog.schema_text(p_changes -> 'arguments')),
        ('examples', catalog.schema_text(p_changes -> 'examples'))
    ) as m (member, text)
    where m.text <> '';
$function$;
comment on function catalog.repair_texts(jsonb) is
'Finds the texts of a repair that a model reads. Argument p_changes: the changes, as in catalog.repair.changes. '
'Returns each text, with the member of a definition whose scan rules apply to the text.';
