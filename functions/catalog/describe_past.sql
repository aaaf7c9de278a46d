create or replace function catalog.describe_past(p_kind text, p_name text, p_as_of timestamptz)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'kind', i.kind,
        'name', i.public_name,
        'origin', o.name,
        'brief', catalog.brief(
            coalesce(v.definition ->> 'brief', v.definition ->> 'description', v.definition ->> 'title')
        ),
        'version', v.version,
        'definition', v.definition - '{pinned,repair}'::text[],
        'valid_from', f.valid_from,
        'valid_to', f.valid_to
    )
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    inner join catalog.offer as f
        on f.item_id = i.id and f.valid_from <= p_as_of and (f.valid_to is null or f.valid_to > p_as_of)
    inner join catalog.item_version as v on v.item_id = i.id and v.version = f.version
    where i.kind = p_kind and i.public_name = p_name;
$function$;
comment on function catalog.describe_past(text, text, timestamptz) is
'Describes an item in the form in which the item was offered at a given time. The caller''s present rights apply, not '
'the rights at that time. Arguments: p_kind: kind of card; p_name: public name of the item; p_as_of: the given time. '
'Returns JSON {kind, name, origin, brief, version, definition, valid_from, valid_to} about the version that was '
'offered then (null: no version was offered then).';
grant execute on function catalog.describe_past to qm_reader;
